// Robust winnowing: which of a text's k-grams stand for it (Schleimer, Wilkerson, Aiken, "Winnowing: local
// algorithms for document fingerprinting", SIGMOD 2003, definition 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

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
/// Expected density on random values: 2 / (window + 1) selected grams a gram. Cost: at most two comparisons a
/// gram, amortised, whatever the values; no allocation.
class Winnowing {
 public:
  struct Gram {
    std::uint64_t value = 0;
    TextRange range;
    std::uint32_t rank = 0;  ///< counts before the value; equal values have equal ranks
    [[nodiscard]] bool precedes(const Gram& other) const noexcept {
      return rank != other.rank ? rank < other.rank : value < other.value;
    }
  };

  /// Requires 1 <= window <= kMaxWindowGrams.
  explicit Winnowing(unsigned window) noexcept : window_(window) {}

  /// Takes the next gram; the one that is newly selected, if any. No window is complete before `window` grams
  /// were taken.
  std::optional<Gram> push(const Gram& gram) noexcept {
    if (first_ != end_ && place(first_).number + window_ <= taken_) ++first_;
    while (first_ != end_ && !place(end_ - 1).gram.precedes(gram)) --end_;
    place(end_++) = {gram, taken_};
    if (++taken_ < window_) return std::nullopt;
    const Place& least = place(first_);
    const bool keeps =
        selected_ && selected_->number + window_ >= taken_ && selected_->gram.value == least.gram.value;
    if (keeps) return std::nullopt;
    selected_ = least;
    return least.gram;
  }

 private:
  struct Place {
    Gram gram;
    std::uint64_t number = 0;  ///< among the grams of the text
  };

  Place& place(std::size_t at) noexcept { return places_[at % kMaxWindowGrams]; }

  const unsigned window_;
  /// The grams of the window that precede all later ones, ascending: a ring.
  std::array<Place, kMaxWindowGrams> places_;
  std::size_t first_ = 0, end_ = 0;
  std::uint64_t taken_ = 0;
  std::optional<Place> selected_;
};

}  // namespace akin
