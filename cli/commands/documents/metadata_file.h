// Titles and metadata of documents that are indexed: from a file, and from --set.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/collection/bulk.h"
#include "server/json/json.h"

namespace akin::cli {

/// Completes documents with what a catalogue says about their ids. One thread, except `description`.
class MetadataFile {
 public:
  /// Reads lines of JSON, {"id", "title"?, …}, if the file's name ends with .jsonl or .ndjson, otherwise a
  /// table with a heading (CSV as RFC 4180, semicolons or tabs): the column `id` (or `file`), `title` if
  /// there is one; all others are metadata, empty cells left out. A table that is not UTF-8 has the
  /// `encoding` (decode_text). `common`: metadata of every document; the file's take precedence. An empty
  /// path: no file. Errors: not_found, io, invalid_argument, invalid_json, too_large, all with the line;
  /// those of decode_text.
  [[nodiscard]] static Result<MetadataFile> read(const std::filesystem::path& path,
                                                 const std::string& encoding, json::Json common);

  /// Sets title and metadata of a document, in addition to its own metadata. Error: too_large.
  [[nodiscard]] Result<void> describe(OwnedDocument& document);

  /// What `describe` says about a document, besides its own title and metadata. Any thread, also during
  /// `describe`.
  [[nodiscard]] std::string description(const std::string& id) const;

  [[nodiscard]] bool has_file() const noexcept { return !name_.empty(); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Ids of the file that no document had, in byte order, and the number of documents without a line in it.
  [[nodiscard]] std::vector<std::string> unused() const;
  [[nodiscard]] std::size_t without() const noexcept { return without_; }

 private:
  struct Entry {
    std::string title;
    json::Json metadata;
    bool used = false;
  };

  [[nodiscard]] Result<void> read_lines(const std::filesystem::path& path);
  [[nodiscard]] Result<void> read_table(const std::filesystem::path& path, const std::string& encoding);
  [[nodiscard]] Result<void> add(const std::string& place, const std::string& id, Entry entry);

  std::string name_;
  json::Json common_;
  std::map<std::string, Entry> entries_;
  std::size_t without_ = 0;
};

/// {"author": "N. N."} of "author=N. N."; values are strings. Errors: invalid_argument (no "=", no name,
/// twice the same name, not what metadata may be).
[[nodiscard]] Result<json::Json> read_common_metadata(const std::vector<std::string>& settings);

}  // namespace akin::cli
