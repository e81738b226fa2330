#include "server/cli/frame/stop_signal.h"

#include <chrono>

namespace akin::cli {

namespace {
std::atomic<bool> stop_asked{false};
}  // namespace

StopOnSignal::StopOnSignal() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked.store(true); };
  action.sa_flags = static_cast<int>(SA_RESTART | static_cast<int>(SA_RESETHAND));
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

StopOnSignal::~StopOnSignal() {
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
