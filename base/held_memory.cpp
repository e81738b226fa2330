#include "base/held_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace akin {
namespace {

thread_local MemoryAccount* account_of_thread = nullptr;

}  // namespace

std::size_t available_memory() {
  std::uint64_t most = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  for (const char* limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(limit) >> bytes) most = std::min(most, bytes);  // not where it is "max"
  }
  return static_cast<std::size_t>(most);
}

WorkAccount::WorkAccount(MemoryAccount& account) noexcept
    : before_(std::exchange(account_of_thread, &account)) {}

WorkAccount::~WorkAccount() { account_of_thread = before_; }

Result<HeldMemory> HeldMemory::take(std::size_t bytes) {
  MemoryAccount* const account = account_of_thread;
  if (account != nullptr) AKIN_CHECK(account->take(bytes));
  return HeldMemory(account, bytes);
}

}  // namespace akin
