// How the program allocates: small blocks wait for memory, large ones fail at once.
//
// When memory runs out, the large blocks of requests are what can be refused (they get 503), and what gives
// memory back. The small ones are in code that must not fail: libraries allocate in destructors
// (nlohmann::json) and in functions that cannot throw (std::filesystem), where an exception ends the process.
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <thread>

#include "base/exceptions.h"

// The sanitizers have allocators of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr std::size_t kSmallBytes = std::size_t{256} << 10U;
constexpr auto kPatience = std::chrono::seconds(30);

[[gnu::noinline, gnu::cold]] void* wait_for_block(std::size_t bytes) {
  if (bytes > kSmallBytes) throw std::bad_alloc();
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    akin::wait_for_memory();
    if (void* block = std::malloc(bytes)) return block;
  }
  throw std::bad_alloc();
}

}  // namespace

// The standard's other forms for blocks of usual alignment call these.

void* operator new(std::size_t bytes) {
  if (bytes == 0) bytes = 1;
  void* block = std::malloc(bytes);
  return block != nullptr ? block : wait_for_block(bytes);
}

void operator delete(void* block) noexcept { std::free(block); }

void operator delete(void* block, std::size_t) noexcept { std::free(block); }

#endif
