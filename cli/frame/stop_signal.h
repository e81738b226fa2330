// Ctrl-C for long commands: the first asks them to stop, the second ends them.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace akin::cli {

/// While it lives, the first SIGINT or SIGTERM sets asked(); a second one ends the process as usual, and so
/// does the end of kPatienceSeconds: what the command waits for, a commit in a database for example, may
/// never come. One at a time.
class StopOnSignal {
 public:
  static constexpr unsigned kPatienceSeconds = 20;

  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] static const std::atomic<bool>& asked() noexcept;

 private:
  struct sigaction old_interrupt_ {
  }, old_terminate_{}, old_alarm_{};
};

/// The same as a stop token, for jobs that take one.
class StopTokenOnSignal {
 public:
  StopTokenOnSignal();

  [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

 private:
  StopOnSignal signals_;
  std::stop_source stop_;
  std::jthread watch_;  ///< a signal handler may only set a flag
};

}  // namespace akin::cli
