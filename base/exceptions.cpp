#include "base/exceptions.h"

#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <thread>

namespace akin {

namespace {

Error described() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return exhausted_memory();
  } catch (const std::system_error& failure) {
    if (failure.code() == std::errc::resource_unavailable_try_again) {
      return Error{Errc::busy, "server", "the system refused another thread",
                   "try again later, or raise the limit on processes and threads"};
    }
    return Error{Errc::internal, "server", std::string("unexpected failure: ") + failure.what(), "report it"};
  } catch (const std::exception& failure) {
    return Error{Errc::internal, "server", std::string("unexpected failure: ") + failure.what(), "report it"};
  } catch (...) {
    return Error{Errc::internal, "server", "unexpected failure", "report it"};
  }
}

}  // namespace

Error error_of_exception() noexcept {
  try {
    return described();
  } catch (...) {
    return exhausted_memory();
  }
}

void wait_for_memory() noexcept { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

}  // namespace akin
