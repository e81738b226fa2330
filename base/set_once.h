// A value that is set once and read by many threads.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

namespace akin {

/// A value, once it is known. Thread-safe.
template <class Value>
class SetOnce {
 public:
  /// The first call counts.
  void set(Value value) {
    std::call_once(once_, [&] {
      value_ = std::move(value);
      ready_.store(&value_, std::memory_order_release);
    });
  }
  /// Null before `set`. Lives as long as this.
  [[nodiscard]] const Value* get() const noexcept { return ready_.load(std::memory_order_acquire); }

 private:
  std::once_flag once_;
  Value value_;
  std::atomic<const Value*> ready_ = nullptr;
};

}  // namespace akin
