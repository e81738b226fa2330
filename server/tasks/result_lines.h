// The result of a task: lines in a file, which are read in pages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace akin::tasks {

/// One thread writes it, from the first line to finish(); then any number of threads may read it. The file is
/// open only while it is written or a page is read, because many results are kept for a long time.
class ResultLines {
 public:
  /// Creates the file FOLDER/NAME.ndjson.part, for at most `max_bytes`. Errors: io, disk_full.
  [[nodiscard]] static Result<ResultLines> make(const std::filesystem::path& folder, std::string_view name,
                                                std::uint64_t max_bytes);
  /// Opens FOLDER/NAME.ndjson and reads it once. Errors: not_found, io.
  [[nodiscard]] static Result<ResultLines> open(const std::filesystem::path& folder, std::string_view name);

  /// Appends a line; `text` has no line end. Errors: disk_full, io, too_large.
  [[nodiscard]] Result<void> write(std::string_view text);
  /// Writes everything to disk and removes ".part" from the name.
  [[nodiscard]] Result<void> finish();
  /// Removes the file, complete or not; a page that is being read is still read to its end.
  static void remove(const std::filesystem::path& folder, std::string_view name) noexcept;
  [[nodiscard]] static Error too_large(std::uint64_t max_bytes);

  [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

  /// At most `limit` lines, starting with number `offset` (from 0), each with its line end. Requires
  /// finish(). Errors: not_found (discarded), io.
  [[nodiscard]] Result<std::string> page(std::uint64_t offset, std::uint64_t limit) const;

 private:
  ResultLines(FileHandle file, std::filesystem::path path, std::uint64_t max_bytes) noexcept
      : file_(std::move(file)), path_(std::move(path)), max_bytes_(max_bytes) {}
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] Result<void> find_places();

  /// `places_` has the position of every line whose number is a multiple of this.
  static constexpr std::uint64_t kStride = 256;

  FileHandle file_;  ///< closed by finish()
  std::filesystem::path path_;
  std::uint64_t max_bytes_;
  std::uint64_t lines_ = 0;
  std::uint64_t bytes_ = 0;  ///< of all lines, written or in the buffer
  std::vector<std::uint64_t> places_;
  std::string buffer_;
};

}  // namespace akin::tasks
