// The boundary at which an exception becomes an Error: nothing may leave a thread's function, nor a step that
// other threads wait for.
#pragma once

#include <type_traits>
#include <utility>

#include "base/error.h"

namespace akin {

/// The exception being handled, as an error: busy when memory or threads have run out, else internal. Never
/// throws; call it in a handler.
[[nodiscard]] Error error_of_exception() noexcept;

/// What `work` returns, a Result, or the error of the exception that left it.
template <class Work>
[[nodiscard]] auto without_exceptions(Work&& work) noexcept -> std::invoke_result_t<Work> {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    return error_of_exception();
  }
}

/// The error that `make` returns, or that of an exception from it.
template <class Make>
[[nodiscard]] Failure failure_of(const Make& make) noexcept {
  return without_exceptions([&]() -> Result<void> { return make(); }).failure();
}

/// A millisecond.
void wait_for_memory() noexcept;

/// Runs `work` until it has ended without an exception, with a short pause before each repetition: for steps
/// that need a little memory and must not be left out, since something waits for them.
template <class Work>
void until_done(Work&& work) noexcept {
  for (;;) {
    try {
      work();
      return;
    } catch (...) {
      wait_for_memory();
    }
  }
}

}  // namespace akin
