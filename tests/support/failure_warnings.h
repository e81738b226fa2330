// The warnings of background failures, while a test runs.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "base/background_failures.h"

namespace akin::test {

/// Collects the warnings from construction to destruction; only one at a time. Threads may warn meanwhile,
/// but none may be left at the destruction.
class FailureWarnings {
 public:
  FailureWarnings() {
    all().lines.clear();
    warn_of_failures([](const std::string& line) {
      const std::lock_guard guard(all().mutex);
      all().lines.push_back(line);
    });
  }
  ~FailureWarnings() { warn_of_failures(nullptr); }
  FailureWarnings(const FailureWarnings&) = delete;
  FailureWarnings& operator=(const FailureWarnings&) = delete;

  [[nodiscard]] static std::vector<std::string> lines() {
    const std::lock_guard guard(all().mutex);
    return all().lines;
  }

 private:
  struct All {
    std::mutex mutex;
    std::vector<std::string> lines;
  };
  static All& all() {
    static All one;
    return one;
  }
};

}  // namespace akin::test
