// Reads the documents of many files, one after another.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/collection/bulk.h"
#include "server/ingest/read_file.h"
#include "server/ingest/walk.h"
#include "server/ingest/wiki_dump.h"

namespace akin::ingest {

/// A file is one document with the file's id; its metadata are those of file_metadata. A page of a dump is
/// one document: its id is the file's id, "/" and the page's title; its metadata are
/// {"page","revision","time"}. Of an archive, each member is a document with the file's id, "!/" and the
/// member's path (read_file). All but wikitext and pages of dumps have a FileOrigin. One
/// thread, except `bytes_read`.
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
  /// Documents whose files were not read again.
  [[nodiscard]] std::uint64_t unchanged() const noexcept { return unchanged_; }
  /// Members of archives whose names begin with a dot.
  [[nodiscard]] std::uint64_t hidden() const noexcept { return hidden_; }

 private:
  /// Calls Reading::describe, and reports its error.
  [[nodiscard]] bool is_described(OwnedDocument& document) const;
  [[nodiscard]] std::optional<OwnedDocument> read_file(const InputFile& file);
  /// Reads a file whose documents then wait.
  void read_single(const InputFile& file);
  /// The next of the waiting documents; nothing if it is unchanged.
  [[nodiscard]] std::optional<OwnedDocument> next_waiting();
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
  std::map<std::size_t, std::future<FileContent>> ahead_;
  std::deque<FileDocument> waiting_;  ///< of the file before `next_`
  std::unique_ptr<DumpReader> dump_;  ///< the file before `next_`, if it is an unfinished dump
  std::uint64_t bytes_before_ = 0;    ///< in the files before `dump_`
  DumpSkips skips_;
  std::uint64_t unchanged_ = 0, hidden_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

/// The name of a document of these files in messages: its file, and the page of a dump.
[[nodiscard]] std::string document_name(const std::vector<InputFile>& files, const OwnedDocument& document);

}  // namespace akin::ingest
