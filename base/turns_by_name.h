// Work on things that have names, one thread at a time on each.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "base/waiting.h"

namespace akin {

/// Thread-safe.
class TurnsByName {
 public:
  /// No other thread has a turn with this name while it exists. Must not outlive the TurnsByName.
  class Turn {
   public:
    Turn(TurnsByName& turns, std::string_view name) : turns_(turns) {
      std::unique_lock lock(turns_.mutex_);
      if (turns_.taken_.contains(name)) {
        const Waiting waiting;
        turns_.ended_.wait(lock, [&] { return !turns_.taken_.contains(name); });
      }
      place_ = turns_.taken_.emplace(name).first;
    }
    ~Turn() {
      {
        const std::lock_guard lock(turns_.mutex_);
        turns_.taken_.erase(place_);
      }
      turns_.ended_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    TurnsByName& turns_;
    std::set<std::string, std::less<>>::iterator place_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace akin
