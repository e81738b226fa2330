// Robust winnowing: which of a text's k-grams stand for it (Schleimer, Wilkerson, Aiken, "Winnowing: local
// algorithms for document fingerprinting", SIGMOD 2003, definition 4).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/text_range.h"

namespace akin {

/// Most grams of a window.
inline constexpr unsigned kMaxWindowGrams = 256;

/// Takes the grams of a text in order and selects the least (by rank, then by value) of every window of
/// `window` successive grams. Where several are least, the gram selected for the window before is kept if it
/// is among them, else the last of them is selected; so a text of one repeated word has one selected gram a
/// window, not one a word. The values selected for a window depend on the window alone: two texts that share
/// a window share the value.
///
/// Expected density on random values: 2 / (window + 1) selected grams a gram. Cost: one comparison a gram,
/// and, when the selected one leaves the window, one more for each in it. That the selected gram changes is
/// all that the processor cannot predict.
class Winnowing {
 public:
  struct Gram {
    std::uint64_t value = 0;
    TextRange range;
    std::uint32_t rank = 0;  ///< counts before the value; equal values have equal ranks
  };

  /// Requires 1 <= window <= kMaxWindowGrams.
  explicit Winnowing(unsigned window) noexcept : window_(window), missing_(window - 1) {}

  /// Takes the next grams; passes those that are newly selected to take(const Gram&). The window - 1 grams
  /// before grams[0] precede it in memory. No window is complete before `window` grams were taken.
  template <class Take>
  void push_all(const Gram* grams, std::size_t count, Take take) {
    const std::size_t incomplete = std::min<std::size_t>(count, missing_);
    missing_ -= static_cast<unsigned>(incomplete);
    Key selected = selected_;
    unsigned lasts = lasts_;
    for (const Gram* gram = grams + incomplete; gram != grams + count; ++gram) {
      const Key key = key_of(*gram);
      if ((key >= selected) & (lasts > 0)) {
        --lasts;
        continue;
      }
      const Gram* least = gram;
      if (lasts == 0) least = least_before(gram);
      selected = key_of(*least);
      lasts = window_ - 1 - static_cast<unsigned>(gram - least);
      take(*least);
    }
    selected_ = selected;
    lasts_ = lasts;
  }

 private:
  __extension__ using Key = unsigned __int128;  // rank, value

  static Key key_of(const Gram& gram) noexcept { return Key{gram.rank} << 64U | gram.value; }

  /// The last of the least grams of the window that ends with this one.
  [[nodiscard]] const Gram* least_before(const Gram* last) const noexcept {
    const Gram* least = last;
    Key key = key_of(*last);
    for (const Gram* gram = last; gram-- != last - (window_ - 1);) {
      const Key other = key_of(*gram);
      const bool is_less = other < key;
      key = is_less ? other : key;
      least = is_less ? gram : least;
    }
    return least;
  }

  const unsigned window_;
  unsigned missing_;    ///< grams until the first window is complete but for one
  unsigned lasts_ = 0;  ///< for so many more grams, the selected one is in the window
  Key selected_ = 0;
};

}  // namespace akin
