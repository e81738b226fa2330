// One line on standard error that shows the progress of a long job.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace akin::cli {

/// Draws only on a terminal, only once the job has run for two seconds, and at most five times a second.
/// Redraws its line in place; the destructor and `clear` wipe it. One thread at a time.
class ProgressLine {
 public:
  /// `verb` opens the line: "indexing".
  explicit ProgressLine(std::string_view verb);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `share` of the job is done, 0..1; `bytes` of text so far (0 = the job has no byte count); `detail` names
  /// units.
  void update(double share, std::uint64_t bytes, std::string_view detail);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string verb_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  bool terminal_;
  bool visible_ = false;
};

}  // namespace akin::cli
