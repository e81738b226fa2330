// Robust winnowing: which of a text's k-grams stand for it (Schleimer, Wilkerson, Aiken, "Winnowing: local
// algorithms for document fingerprinting", SIGMOD 2003, definition 4).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "morph/schemes/gram_lanes.h"

namespace akin {

/// Most grams of a window.
inline constexpr unsigned kMaxWindowGrams = 256;

/// The grams of a text, side by side. Those before a place are before it in memory.
struct Grams {
  const std::uint64_t* values = nullptr;
  const std::uint8_t* ranks = nullptr;  ///< count before the values; equal values have equal ranks
};

/// Takes the grams of a text in order and selects the least (by rank, then by value) of every window of
/// `window` successive grams. Where several are least, the gram selected for the window before is kept if it
/// is among them, else the last of them is selected; so a text of one repeated word has one selected gram a
/// window, not one a word. The values selected for a window depend on the window alone: two texts that share
/// a window share the value.
///
/// Expected density on random values: 2 / (window + 1) selected grams a gram. With AVX-512, the windows of
/// up to kMostGramsAtOnce grams are compared together, unless two least grams of one may be equal. Else it
/// costs one comparison a gram, and, when the selected one leaves the window, one more for each in it; that
/// the selected gram changes is then all that the processor cannot predict.
class Winnowing {
 public:
  /// Requires 1 <= window <= kMaxWindowGrams, and ranks of at most most_rank.
  explicit Winnowing(unsigned window, unsigned most_rank) noexcept
      : window_(window),
        rank_bits_(static_cast<unsigned>(std::bit_width(most_rank))),
        missing_(window - 1),
        in_lanes_(has_gram_lanes() && window <= kMostLaneWindow) {}

  /// Takes the next grams; passes the places of those that are newly selected, counted from grams, to
  /// take(std::ptrdiff_t). The window - 1 grams before them precede them in memory, in room for
  /// kMostLaneWindow; after them there is room for kGramLanes. No window is complete before `window` grams
  /// were taken.
  template <class Take>
  void push_all(Grams grams, std::size_t count, Take take) {
    const std::size_t incomplete = std::min<std::size_t>(count, missing_);
    missing_ -= static_cast<unsigned>(incomplete);
    for (std::size_t begin = incomplete; begin < count;) {
      const std::size_t some = std::min(count - begin, kMostGramsAtOnce);
      const Grams next{grams.values + begin, grams.ranks + begin};
      const auto place = static_cast<std::ptrdiff_t>(begin);
      select(next, some, [&](std::ptrdiff_t at) { take(place + at); });
      begin += some;
    }
  }

 private:
  __extension__ using Key = unsigned __int128;  // rank, value

  static Key key_of(Grams grams, std::ptrdiff_t at) noexcept {
    return Key{grams.ranks[at]} << 64U | grams.values[at];
  }

  template <class Take>
  void select(Grams grams, std::size_t count, Take take) {
#if defined(__x86_64__)
    if (in_lanes_) {
      select_in_lanes(grams, count, take);
      return;
    }
#endif
    select_one_by_one(grams, count, take);
  }

#if defined(__x86_64__)
  template <class Take>
  void select_in_lanes(Grams grams, std::size_t count, Take take) {
    const LaneMinima minima(grams.values, grams.ranks, count, {window_, rank_bits_});
    for (std::size_t begin = 0; begin < count;) {
      std::int64_t last = static_cast<std::int64_t>(begin + lasts_) - window_;
      const std::size_t end = minima.select(begin, last, [&](const auto& newly, std::size_t some) {
        for (std::size_t i = 0; i < some; ++i) take(newly[i]);
      });
      if (end > begin) {
        selected_ = key_of(grams, last);
        lasts_ = static_cast<unsigned>(last - static_cast<std::int64_t>(end)) + window_;
      }
      const auto place = static_cast<std::ptrdiff_t>(end);
      const std::size_t doubtful = std::min(count - end, kGramLanes);
      select_one_by_one({grams.values + end, grams.ranks + end}, doubtful,
                        [&](std::ptrdiff_t at) { take(place + at); });
      begin = end + doubtful;
    }
  }
#endif

  template <class Take>
  void select_one_by_one(Grams grams, std::size_t count, Take take) {
    Key selected = selected_;
    unsigned lasts = lasts_;
    for (std::ptrdiff_t at = 0; at != static_cast<std::ptrdiff_t>(count); ++at) {
      const Key key = key_of(grams, at);
      if ((key >= selected) & (lasts > 0)) {
        --lasts;
        continue;
      }
      const std::ptrdiff_t least = lasts == 0 ? least_before(grams, at) : at;
      selected = key_of(grams, least);
      lasts = window_ - 1 - static_cast<unsigned>(at - least);
      take(least);
    }
    selected_ = selected;
    lasts_ = lasts;
  }

  /// The last of the least grams of the window that ends with this one.
  [[nodiscard]] std::ptrdiff_t least_before(Grams grams, std::ptrdiff_t last) const noexcept {
    std::ptrdiff_t least = last;
    Key key = key_of(grams, last);
    for (std::ptrdiff_t at = last; at-- != last - (static_cast<std::ptrdiff_t>(window_) - 1);) {
      const Key other = key_of(grams, at);
      const bool is_less = other < key;
      key = is_less ? other : key;
      least = is_less ? at : least;
    }
    return least;
  }

  const unsigned window_;
  const unsigned rank_bits_;
  unsigned missing_;  ///< grams until the first window is complete but for one
  const bool in_lanes_;
  unsigned lasts_ = 0;  ///< for so many more grams, the selected one is in the window
  Key selected_ = 0;
};

}  // namespace akin
