// A task's result: lines in a file, read in pages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace akin::tasks {

/// Written by one thread from the first line to finish(), then read by any number. The file is open while it
/// is written and while a page is read: results are many, and kept for long.
class ResultLines {
 public:
  /// Makes the file FOLDER/NAME.ndjson.part, for `max_bytes` at most. Errors: io, disk_full.
  [[nodiscard]] static Result<ResultLines> make(const std::filesystem::path& folder, std::string_view name,
                                                std::uint64_t max_bytes);
  /// Opens FOLDER/NAME.ndjson, and reads it once. Errors: not_found, io.
  [[nodiscard]] static Result<ResultLines> open(const std::filesystem::path& folder, std::string_view name);

  /// Appends a line; `text` has no line end. Errors: disk_full, io, too_large.
  [[nodiscard]] Result<void> write(std::string_view text);
  /// Brings everything to the disk, and drops ".part" from the name.
  [[nodiscard]] Result<void> finish();
  /// Removes the file, whole or not; a page that is being read is read to its end.
  static void remove(const std::filesystem::path& folder, std::string_view name) noexcept;
  [[nodiscard]] static Error too_large(std::uint64_t max_bytes);

  [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

  /// The lines from number `offset` (from 0) on, `limit` at most, each with its line end. Requires finish().
  /// Errors: not_found (discarded), io.
  [[nodiscard]] Result<std::string> page(std::uint64_t offset, std::uint64_t limit) const;

 private:
  ResultLines(FileHandle file, std::filesystem::path path, std::uint64_t max_bytes) noexcept
      : file_(std::move(file)), path_(std::move(path)), max_bytes_(max_bytes) {}
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] Result<void> find_places();

  /// The place in the file is kept of every line whose number this divides.
  static constexpr std::uint64_t kStride = 256;

  FileHandle file_;  ///< none from finish() on
  std::filesystem::path path_;
  std::uint64_t max_bytes_;
  std::uint64_t lines_ = 0;
  std::uint64_t bytes_ = 0;  ///< of all lines, written or in the buffer
  std::vector<std::uint64_t> places_;
  std::string buffer_;
};

}  // namespace akin::tasks
