// A file of pairs that a later run can continue after an interruption.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "cli/frame/output.h"
#include "server/json/json.h"

namespace akin::cli {

/// A point at which all pairs before a document are in the file, and no others.
struct PairsPosition {
  std::uint32_t next = 0;   ///< PairsRequest::first for the rest
  std::uint64_t pairs = 0;  ///< in the file
  std::uint64_t bytes = 0;  ///< of the file
};

/// FILE holds the pairs. FILE.progress records the last position that is safely on disk, and what the pairs
/// belong to; it is replaced at most once a second, and removed at the end. If the process is killed at any
/// moment, FILE holds at least the bytes up to the position in FILE.progress; the next opening cuts off the
/// rest.
class PairsFile {
 public:
  /// `of`: an object that names collection, condition and format; a file of other pairs is refused. If
  /// neither file exists, both are created. Errors: already_exists (FILE without FILE.progress),
  /// precondition_failed (FILE.progress belongs to other pairs; names the differences), corrupt
  /// (FILE.progress cannot be read, or FILE is shorter than it records), busy (another process is writing
  /// FILE), not_found, disk_full, io.
  [[nodiscard]] static Result<std::unique_ptr<PairsFile>> open(const std::filesystem::path& file,
                                                               json::Json of);

  /// The last position passed to `reached`, or the one found on opening.
  [[nodiscard]] const PairsPosition& position() const noexcept { return position_; }

  /// Appends. Errors: disk_full, io.
  [[nodiscard]] Result<void> write(std::string_view text);

  /// The text written so far holds `pairs` pairs, all those before `next`. Saves this if a second has passed
  /// since the last save. Errors: disk_full, io.
  [[nodiscard]] Result<void> reached(std::uint32_t next, std::uint64_t pairs);

  /// Writes FILE to disk, then the position. Errors: disk_full, io.
  [[nodiscard]] Result<void> save();
  /// The same if it is due, for calls between two calls of `reached`.
  [[nodiscard]] Result<void> save_if_due();

  /// All pairs are written: writes FILE to disk and removes FILE.progress. Errors: disk_full, io.
  [[nodiscard]] Result<void> finish();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPause{1};

  PairsFile(std::filesystem::path file, FileHandle handle, json::Json of, const PairsPosition& position);
  [[nodiscard]] Result<void> sync();

  std::filesystem::path file_, progress_;
  FileHandle handle_;
  Output out_;
  json::Json of_;
  PairsPosition position_;
  std::uint64_t bytes_;    ///< written so far
  bool is_saved_ = false;  ///< position_ is on the disk
  Clock::time_point saved_at_;
};

}  // namespace akin::cli
