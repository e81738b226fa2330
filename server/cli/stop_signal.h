// Ctrl-C for long commands: asks them to stop, the second time ends them.
#pragma once

#include <atomic>
#include <csignal>

namespace akin::cli {

/// While it lives, the first SIGINT or SIGTERM sets asked(); a second one ends the process as usual. One at a
/// time.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] static const std::atomic<bool>& asked() noexcept;

 private:
  struct sigaction old_interrupt_ {
  }, old_terminate_{};
};

}  // namespace akin::cli
