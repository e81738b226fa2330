// What was found out about words that the table lacks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace akin {

/// Maps spelling keys to numbers other than 0, each with a flag; 64 bytes a set. A key has a set of four
/// places, of which a later key may take one. Any thread, without locks, as HotWords: an entry belongs to the
/// key that its two words give together, or, if the flag is set, to that key's complement.
template <std::size_t kSets>
class AnswerCacheOf {
 public:
  struct Answer {
    std::uint64_t number = 0;
    bool flag = false;
  };

  /// Hints that `find` will soon be called with this key.
  void expect(std::uint64_t key) const noexcept { __builtin_prefetch(&sets_[key % kSets]); }

  [[nodiscard]] std::optional<Answer> find(std::uint64_t key) const noexcept {
    for (const Entry& entry : sets_[key % kSets]) {
      const std::uint64_t number = entry.number.load(std::memory_order_relaxed);
      const std::uint64_t is = entry.check.load(std::memory_order_relaxed) ^ number;
      if (number != 0 && (is == key || is == ~key)) return Answer{number, is != key};
    }
    return std::nullopt;
  }

  void keep(std::uint64_t key, const Answer& answer) noexcept {
    Set& set = sets_[key % kSets];
    const auto is_free = [](const Entry& entry) { return entry.number.load(std::memory_order_relaxed) == 0; };
    auto* entry = std::ranges::find_if(set, is_free);
    if (entry == set.end()) entry = &set[(key >> 32U) % kWays];
    entry->check.store((answer.flag ? ~key : key) ^ answer.number, std::memory_order_relaxed);
    entry->number.store(answer.number, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kWays = 4;
  struct Entry {
    std::atomic<std::uint64_t> check{0};   ///< key ^ number
    std::atomic<std::uint64_t> number{0};  ///< 0: free
  };
  using Set = std::array<Entry, kWays>;
  alignas(64) std::array<Set, kSets> sets_;
};

using AnswerCache = AnswerCacheOf<std::size_t{1} << 16>;

}  // namespace akin
