#include "cli/frame/stop_signal.h"

#include <unistd.h>

#include <chrono>
#include <string_view>

namespace akin::cli {

namespace {
std::atomic<bool> stop_asked{false};
}  // namespace

StopOnSignal::StopOnSignal() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    stop_asked.store(true);
    alarm(kPatienceSeconds);
  };
  action.sa_flags = static_cast<int>(SA_RESTART | static_cast<int>(SA_RESETHAND));
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
  struct sigaction late {};
  late.sa_handler = [](int) {
    constexpr std::string_view kWords =
        "akin: ended without waiting any longer for a write: what was acknowledged is kept\n";
    static_cast<void>(!write(STDERR_FILENO, kWords.data(), kWords.size()));
    constexpr int kEndedBySignal = 128;
    _exit(kEndedBySignal + SIGTERM);
  };
  sigaction(SIGALRM, &late, &old_alarm_);
}

StopOnSignal::~StopOnSignal() {
  alarm(0);
  sigaction(SIGALRM, &old_alarm_, nullptr);
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>& StopOnSignal::asked() noexcept { return stop_asked; }

StopTokenOnSignal::StopTokenOnSignal()
    : watch_([stop = stop_](const std::stop_token& ended) mutable {
        while (!ended.stop_requested() && !StopOnSignal::asked())
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (StopOnSignal::asked()) stop.request_stop();
      }) {}

}  // namespace akin::cli
