// The documents in one file of many: the file itself, or the members of an archive.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "extract/document.h"
#include "extract/filter.h"
#include "extract/formats/text_encoding.h"
#include "index/collection/bulk.h"
#include "server/ingest/format.h"
#include "server/ingest/stored_files.h"
#include "server/ingest/walk.h"

namespace akin::ingest {

/// How files are read.
struct Reading {
  Format format = Format::automatic;
  std::string encoding =
      std::string(extract::kUtf8Name);  ///< of plain text, and of HTML that declares none (decode_text)
  /// For a single document; empty = the page's own title, else the file's name without extension.
  std::string title = {};
  std::set<std::int64_t> namespaces = {0};  ///< of dumps
  /// Completes the title and metadata of a document; if set. Its error refuses the document.
  std::function<Result<void>(OwnedDocument&)> describe = nullptr;
  /// What `describe` says about the document with an id, in a form that changes with it; if set. Any thread.
  std::function<std::string(const std::string& id)> description = nullptr;
  /// Set: a file is not read again if the document with its id was read from the same bytes in the same way.
  StoredFiles* stored = nullptr;
  bool keep_files = false;  ///< return the files themselves, too
};

/// Archives in archives are read to this depth: 1 for the members of a file, 2 for the members of those.
inline constexpr unsigned kMostArchiveDepth = 2;
/// Between an archive and the path of a member, in ids and in messages: "books.zip!/a.txt".
inline constexpr std::string_view kMemberMark = "!/";

/// A document in a file.
struct FileDocument {
  std::string id;
  std::string name;  ///< of its file, or its member: "a.txt"
  FileOrigin origin;
  /// Nothing if the document with this id was read from the same bytes in the same way.
  std::optional<extract::Document> document;
  std::optional<StoredFile> original = {};  ///< with Reading::keep_files
};

struct FileContent {
  std::vector<FileDocument> documents;
  std::vector<Error> refused;  ///< the file, or members of it; `what` names them
  std::uint64_t hidden = 0;    ///< members whose names begin with a dot
};

/// Reads a file that is neither a dump nor wikitext. Any thread.
[[nodiscard]] FileContent read_file(const InputFile& file, const Reading& reading);

/// A file that somebody sent.
struct SentFile {
  std::string id;
  std::string name;   ///< "a.txt", also with folders before it; any bytes; may be empty
  std::string media;  ///< the type that the sender gives, in lower case, without parameters; may be empty
  std::string bytes;
};

/// The administrator's filter for such a file: of its name or else of its media type; null without one.
[[nodiscard]] const extract::Filter* filter_of(const SentFile& file);

/// The same for a file that somebody sent, which may be wikitext. A page of HTML is known by its name or
/// media type. Errors also: type_unsupported (a dump). Any thread.
[[nodiscard]] FileContent read_sent_file(SentFile file, const Reading& reading);

/// A document that was read, to be stored. `title`: the one given; without one it is the file's own, or else
/// the name of the file without its extension. `read` has a document.
[[nodiscard]] OwnedDocument owned_document(FileDocument read, const std::string& title);

}  // namespace akin::ingest
