// Which words of a text another one may have too.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "morph/align/hash_filter.h"
#include "morph/align/word_sequence.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {

/// Which classes a text may have: all that it has, and few of the others (HashFilter; classes are hashes).
class ClassFilter {
 public:
  explicit ClassFilter(std::span<const std::uint64_t> classes);
  [[nodiscard]] bool may_have(std::uint64_t word_class) const noexcept {
    return filter_.may_have(word_class);
  }

  /// Calls take(first word, RollingSum::value()) for the grams of a shape (shape_in_a_row) of B whose classes
  /// the text may have and whose hash may be among some, in order, until it returns false.
  template <class Take>
  void for_each_gram(const NumberedWords& b, std::uint64_t shape, bool ordered, const HashFilter& among,
                     const Take& take) const {
    const auto length = static_cast<unsigned>(std::bit_width(shape));
    const bool in_a_row = shape == shape_in_a_row(length);
    const std::vector<std::uint8_t> had = had_classes(b);
    RollingHash hash(length, ordered);
    std::size_t hashed = 0;  // the words before this one were
    std::uint64_t before = 0;
    std::array<std::pair<std::uint32_t, std::uint64_t>, 64> grams;  // NOLINT: as many as are used are set
    for (std::size_t first = 0; first < b.size(); first += 64) {
      const std::uint64_t words = had_words(had, b.numbers(), first);
      std::uint64_t ends = words;  // of grams of such words
      for (unsigned back = 1; back < length; ++back)
        if ((shape >> back & 1U) != 0) ends &= words << back | before >> (64 - back);
      before = words;
      std::size_t count = 0;
      for (; ends != 0; ends &= ends - 1) {
        const std::size_t last = first + static_cast<std::size_t>(std::countr_zero(ends));
        const std::size_t begin = last + 1 - length;
        std::uint64_t value = 0;
        if (in_a_row) {
          for (std::size_t word = std::max(begin, hashed); word <= last; ++word) hash.push(b[word]);
          hashed = last + 1;
          value = hash.value();
        } else {
          value = sum_of_shape(shape, ordered, [&](std::size_t back) { return b[last - back]; });
        }
        // Without a branch: few are among them, and which cannot be predicted.
        grams[count] = {static_cast<std::uint32_t>(begin), value};
        count += among.may_have(value) ? 1 : 0;
      }
      for (std::size_t at = 0; at < count; ++at)
        if (!take(grams[at].first, grams[at].second)) return;
    }
  }

 private:
  /// For each class of B, by number, whether the text may have it.
  [[nodiscard]] std::vector<std::uint8_t> had_classes(const NumberedWords& b) const;
  /// Which of 64 words from `first` on, or of those that are left, have such classes: bit by bit.
  [[nodiscard]] static std::uint64_t had_words(const std::vector<std::uint8_t>& had,
                                               std::span<const std::uint32_t> words,
                                               std::size_t first) noexcept;

  HashFilter filter_;
};

}  // namespace akin
