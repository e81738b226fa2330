#include "dict/ask/look_ups.h"

#include <atomic>
#include <cstddef>

namespace akin {

namespace {

constexpr std::size_t kCacheLine = 64;

/// All scanning threads write these, so they share no cache line with anything that those threads read.
struct alignas(kCacheLine) Counts {
  std::atomic<std::uint64_t> words = 0, missed = 0, not_in_table = 0, resolved = 0;
};

Counts counts;

void add(std::atomic<std::uint64_t>& count, std::uint64_t more) noexcept {
  if (more > 0) count.fetch_add(more, std::memory_order_relaxed);
}

}  // namespace

void count_look_ups(const LookUps& more) noexcept {
  add(counts.words, more.words);
  add(counts.missed, more.missed);
  add(counts.not_in_table, more.not_in_table);
  add(counts.resolved, more.resolved);
}

LookUps look_ups() noexcept {
  return {.words = counts.words,
          .missed = counts.missed,
          .not_in_table = counts.not_in_table,
          .resolved = counts.resolved};
}

}  // namespace akin
