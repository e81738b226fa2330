#include "server/http/work_memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace akin::http {

namespace {

/// Less is left to the allocator.
constexpr std::size_t kReturned = std::size_t{32} << 20U;

std::string in_mebibytes(std::size_t bytes) { return std::to_string((bytes >> 20U) + 1) + " MiB"; }

}  // namespace

std::size_t default_work_memory() { return available_memory() / 2; }

void bound_arenas([[maybe_unused]] unsigned workers) noexcept {
#ifdef __GLIBC__
  constexpr unsigned kLeast = 4;
  ::mallopt(M_ARENA_MAX, static_cast<int>(std::max(workers, kLeast)));
#endif
}

WorkMemory::WorkMemory(Shared& shared, const std::string& client, boost::asio::any_io_executor executor)
    : shared_(shared),
      part_(shared.work, client, {.executor = std::move(executor), .cut = [] {}}),
      account_(*this) {}

WorkMemory::~WorkMemory() {
#ifdef __GLIBC__
  if (most_ >= kReturned) ::malloc_trim(0);
#endif
}

Result<void> WorkMemory::take(std::size_t bytes) {
  const std::size_t all = shared_.work.total();
  if (bytes > all) {
    shared_.metrics->rejected("work_memory");
    return Error{Errc::too_large, "text of the request",
                 "the work on it may take " + in_mebibytes(bytes) + " of memory, of " + in_mebibytes(all) +
                     " for all requests",
                 "send it in parts, or have the server's --work-memory raised"};
  }
  if (part_.take(bytes)) {
    most_ = std::max(most_.load(), part_.held());
    return {};
  }
  shared_.metrics->rejected("work_memory");
  return Error{Errc::busy, "server", "the requests under way fill the memory reserved for work",
               "try again in a moment"};
}

}  // namespace akin::http
