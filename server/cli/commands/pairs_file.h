// Pairs in a file that an interrupted run leaves in such a state that the next one goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "server/cli/frame/output.h"
#include "server/json/json.h"

namespace akin::cli {

/// A moment at which all pairs before a document are in the file, and no others.
struct PairsPosition {
  std::uint32_t next = 0;   ///< PairsRequest::first for the rest
  std::uint64_t pairs = 0;  ///< in the file
  std::uint64_t bytes = 0;  ///< of the file
};

/// FILE takes the pairs, FILE.progress tells the last position that is safely on the disk, with what the
/// pairs are of; it is replaced at most every second, and removed at the end. Killed at any moment, FILE
/// holds at least the bytes of the position in FILE.progress; what is behind them is cut off by the next
/// opening.
class PairsFile {
 public:
  /// `of`: an object that names collection, condition and form; pairs of another one are refused. Where there
  /// is neither file both are made. Errors: already_exists (FILE without FILE.progress), precondition_failed
  /// (FILE.progress is of other pairs; names what differs), corrupt (FILE.progress cannot be read, FILE is
  /// shorter than it tells), busy (another process writes it), not_found, disk_full, io.
  [[nodiscard]] static Result<std::unique_ptr<PairsFile>> open(const std::filesystem::path& file,
                                                               json::Json of);

  /// The last one told by `reached`, or the one that was found on opening.
  [[nodiscard]] const PairsPosition& position() const noexcept { return position_; }

  /// Appends. Errors: disk_full, io.
  [[nodiscard]] Result<void> write(std::string_view text);

  /// What is written now are `pairs` pairs, all those before `next`. Saves this once a second has passed
  /// since the last time. Errors: disk_full, io.
  [[nodiscard]] Result<void> reached(std::uint32_t next, std::uint64_t pairs);

  /// Brings FILE to the disk, then the position. Errors: disk_full, io.
  [[nodiscard]] Result<void> save();
  /// The same if it is due: for the time between two calls of `reached`.
  [[nodiscard]] Result<void> save_if_due();

  /// All pairs are written: brings FILE to the disk and removes FILE.progress. Errors: disk_full, io.
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
