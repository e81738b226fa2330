// The grams (k words in a row) of a text and where each of them occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/hash_filter.h"

namespace akin {

/// Immutable. Const members may be called from any number of threads at once. Memory: about 36 bytes a word.
class GramTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// Of each `length` words in a row; `ordered`: grams of the same words in another order differ. Two grams
  /// count as equal if their hashes of 64 bits are (morph/schemes/rolling_hash.h). Requires 1 <= length <=
  /// kMaxWindowUnits and fewer than kNone words.
  GramTable(std::span<const std::uint64_t> words, unsigned length, bool ordered);

  /// The number of a gram, from 0 to size() - 1; kNone if the text does not have it.
  [[nodiscard]] std::uint32_t find(std::uint64_t hash) const noexcept {
    return filter_.may_have(hash) ? slots_[slot_of(hash)].gram : kNone;
  }

  /// Has the hash of every gram.
  [[nodiscard]] const HashFilter& filter() const noexcept { return filter_; }
  /// Hints that this hash will be looked for soon.
  void expect(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

  /// Different grams.
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size() - 1; }

  /// Where a gram begins, ascending.
  [[nodiscard]] std::span<const std::uint32_t> places(std::uint32_t gram) const noexcept {
    return std::span(places_).subspan(begins_[gram], begins_[gram + 1] - begins_[gram]);
  }

  /// The number of the gram that begins at each word.
  [[nodiscard]] std::span<const std::uint32_t> grams() const noexcept { return grams_; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t gram = kNone;
  };
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const noexcept;

  HashFilter filter_;        ///< most grams of another text are not among these
  std::vector<Slot> slots_;  ///< open addressing, a power of two in size, at most half full
  std::vector<std::uint32_t> grams_;
  std::vector<std::uint32_t> begins_;  ///< of each gram's places, and the end
  std::vector<std::uint32_t> places_;
};

/// Calls take(at, hash) for each gram of `words` in order: `at` is its first word. Nothing if there are fewer
/// words than `hash` takes, which must have taken none.
template <class Hash, class Take>
void for_each_gram(std::span<const std::uint64_t> words, unsigned length, Hash hash, Take&& take) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    hash.push(words[i]);
    if (i + 1 >= length) take(static_cast<std::uint32_t>(i + 1 - length), hash.value());
  }
}

}  // namespace akin
