// Reads the documents of many files, one after another.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "extract/document.h"
#include "extract/text_encoding.h"
#include "index/bulk.h"
#include "server/ingest/format.h"
#include "server/ingest/walk.h"
#include "server/ingest/wiki_dump.h"

namespace akin::ingest {

/// How files are read.
struct Reading {
  Format format = Format::automatic;
  std::string encoding =
      std::string(extract::kUtf8Name);  ///< of plain text (decode_text); HTML declares its own
  /// For a single document; empty = the page's own title, else the file's name without extension.
  std::string title = {};
  std::set<std::int64_t> namespaces = {0};  ///< of dumps
  /// Completes the title and metadata of a document; if set. Its error refuses the document.
  std::function<Result<void>(OwnedDocument&)> describe = nullptr;
};

/// A file is one document with the file's id; its metadata are those of file_metadata. A page of a dump is
/// one document: its id is the file's id, "/" and the page's title; its metadata are
/// {"page","revision","time"}. One thread, except `bytes_read`.
class DocumentFeed {
 public:
  /// `files` must outlive the feed. A file that cannot be read is reported to `refused` (`what` names it),
  /// and reading continues with the others; so is a dump that breaks off, after the pages before the break.
  DocumentFeed(const std::vector<InputFile>& files, Reading reading, std::function<void(Error)> refused);

  /// The next document, whose `place` is its file's index in `files`; nothing at the end.
  [[nodiscard]] std::optional<OwnedDocument> next();

  /// The approximate size of the next document in bytes; 0 if unknown.
  [[nodiscard]] std::uint64_t bytes_ahead() const noexcept;
  /// The number of bytes read from files. Any thread.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  /// Pages of dumps that were skipped.
  [[nodiscard]] const DumpSkips& skips() const noexcept { return skips_; }

 private:
  /// Calls Reading::describe, and reports its error.
  [[nodiscard]] bool is_described(OwnedDocument& document) const;
  [[nodiscard]] std::optional<OwnedDocument> read_file(const InputFile& file);
  [[nodiscard]] Result<std::optional<OwnedDocument>> read_single(const InputFile& file);
  /// Reads wikitext; nothing if the file is a dump, which is then begun.
  [[nodiscard]] Result<std::optional<OwnedDocument>> read_wiki(const InputFile& file);
  [[nodiscard]] std::optional<OwnedDocument> read_page();
  /// Lets other threads read the next files, if akin-extract reads them: one thread per core is busy with
  /// them.
  void read_ahead();

  const std::vector<InputFile>& files_;
  const Reading reading_;
  const std::function<void(Error)> refused_;
  std::size_t next_ = 0;  ///< the next file to read
  /// Files from `next_` on that other threads are reading, by their index.
  std::map<std::size_t, std::future<Result<extract::Document>>> ahead_;
  std::unique_ptr<DumpReader> dump_;  ///< the file before `next_`, if it is an unfinished dump
  std::uint64_t bytes_before_ = 0;    ///< in the files before `dump_`
  DumpSkips skips_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

/// The name of a document of these files in messages: its file, and the page of a dump.
[[nodiscard]] std::string document_name(const std::vector<InputFile>& files, const OwnedDocument& document);

}  // namespace akin::ingest
