// Asserts that what was begun was ended.
#pragma once

#include <cassert>
#include <exception>
#include <utility>

namespace akin {

/// A member of what must be finished or abandoned before it is destroyed (asserted, unless an exception is on
/// its way). Moving takes the duty along.
class MustEnd {
 public:
  MustEnd() = default;
  MustEnd(MustEnd&& other) noexcept : begun_(std::exchange(other.begun_, false)) {}
  MustEnd& operator=(MustEnd&&) = delete;
  ~MustEnd() { assert(!begun_ || std::uncaught_exceptions() > 0); }

  void begin() noexcept { begun_ = true; }
  void end() noexcept { begun_ = false; }

 private:
  bool begun_ = false;
};

}  // namespace akin
