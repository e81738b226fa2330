// Which words of a text another one may have too.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/word_sequence.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {

/// Which classes a text may have: all that it has, and one in 32 of the others at most (Bloom, "Space/time
/// trade-offs in hash coding with allowable errors", 1970, with one hash: classes are hashes).
class ClassFilter {
 public:
  explicit ClassFilter(std::span<const std::uint64_t> classes);
  /// Without a branch.
  [[nodiscard]] bool may_have(std::uint64_t word_class) const noexcept {
    return (bits_[place_of(word_class)] & bit_of(word_class)) != 0;
  }

  /// Calls take(first word, RollingHash::value()) for the grams of `length` words of B whose classes the text
  /// may have, in order, until it returns false.
  template <class Take>
  void for_each_gram(const NumberedWords& b, unsigned length, bool ordered, const Take& take) const {
    const std::vector<std::uint8_t> had = had_classes(b);
    RollingHash hash(length, ordered);
    std::size_t hashed = 0;  // the words before this one were
    std::uint64_t before = 0;
    for (std::size_t first = 0; first < b.size(); first += 64) {
      const std::uint64_t words = had_words(had, b.numbers(), first);
      std::uint64_t ends = words;  // of grams of such words
      for (unsigned back = 1; back < length; ++back) ends &= words << back | before >> (64 - back);
      before = words;
      for (; ends != 0; ends &= ends - 1) {
        const std::size_t last = first + static_cast<std::size_t>(std::countr_zero(ends));
        const std::size_t begin = last + 1 - length;
        for (std::size_t word = std::max(begin, hashed); word <= last; ++word) hash.push(b[word]);
        hashed = last + 1;
        if (!take(static_cast<std::uint32_t>(begin), hash.value())) return;
      }
    }
  }

 private:
  static constexpr std::size_t kLeastWords = 1024;  ///< 8 KiB, which stay in the processor's cache

  [[nodiscard]] std::size_t place_of(std::uint64_t word_class) const noexcept {
    return static_cast<std::size_t>(word_class >> 6U) & (bits_.size() - 1);
  }
  [[nodiscard]] static std::uint64_t bit_of(std::uint64_t word_class) noexcept {
    return std::uint64_t{1} << (word_class & 63U);
  }
  /// For each class of B, by number, whether the text may have it.
  [[nodiscard]] std::vector<std::uint8_t> had_classes(const NumberedWords& b) const;
  /// Which of 64 words from `first` on, or of those that are left, have such classes: bit by bit.
  [[nodiscard]] static std::uint64_t had_words(const std::vector<std::uint8_t>& had,
                                               std::span<const std::uint32_t> words,
                                               std::size_t first) noexcept;

  std::vector<std::uint64_t> bits_;
};

}  // namespace akin
