#include "base/held_memory.h"

namespace akin {
namespace {

thread_local MemoryAccount* account_of_thread = nullptr;

}  // namespace

WorkAccount::WorkAccount(MemoryAccount& account) noexcept
    : before_(std::exchange(account_of_thread, &account)) {}

WorkAccount::~WorkAccount() { account_of_thread = before_; }

Result<HeldMemory> HeldMemory::take(std::size_t bytes) {
  MemoryAccount* const account = account_of_thread;
  if (account != nullptr) AKIN_CHECK(account->take(bytes));
  return HeldMemory(account, bytes);
}

}  // namespace akin
