// Long jobs on collections: their progress, and how to stop them.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace akin {

struct JobProgress {
  /// What the job is doing, in a word or two: "copying", "merging". A phase starts with what the one before
  /// it had done.
  std::string_view phase;
  /// Documents written while the job runs are added to the totals, so that a total may grow.
  std::uint64_t documents_done = 0, documents_total = 0;
  /// Bytes of text; of files, if the job copies those.
  std::uint64_t bytes_done = 0, bytes_total = 0;
};

struct JobControl {
  /// Called from any thread, one at a time.
  std::function<void(const JobProgress&)> progress;
  /// When set, the job undoes what it has begun and returns an error (unsupported: "stopped").
  std::stop_token stop;
};

}  // namespace akin
