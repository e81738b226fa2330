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
/// Expected density on random values: 2 / (window + 1) selected grams a gram. Cost: three comparisons a gram,
/// whatever the values, none of which the processor has to predict; no allocation. A window reaches over at
/// most two blocks of `window` grams: its least is that of the end of one and the beginning of the other
/// (van Herk, "A fast algorithm for local minimum and maximum filters", Pattern Recognition Letters 13,
/// 1992).
class Winnowing {
 public:
  struct Gram {
    std::uint64_t value = 0;
    TextRange range;
    std::uint32_t rank = 0;  ///< counts before the value; equal values have equal ranks
  };

  /// Requires 1 <= window <= kMaxWindowGrams.
  explicit Winnowing(unsigned window) noexcept : window_(window) {}

  /// Takes the next gram; the one that is newly selected, if any. No window is complete before `window` grams
  /// were taken.
  std::optional<Gram> push(const Gram& gram) noexcept {
    const Key key = Key{gram.rank} << 64U | gram.value;
    const unsigned at = in_block_;
    block_[at] = key;
    ranges_[taken_ % kMaxWindowGrams] = gram.range;
    const bool is_least = at == 0 || key <= begin_least_;
    begin_least_ = is_least ? key : begin_least_;
    begin_at_ = is_least ? at : begin_at_;
    ++taken_;
    in_block_ = at + 1;
    if (in_block_ == window_) {
      end_block();
      return select(begin_least_, taken_ - window_ + begin_at_);
    }
    if (taken_ < window_) return std::nullopt;
    const Key end_least = ends_least_[in_block_];
    const bool in_this = begin_least_ <= end_least;
    const std::uint64_t block = taken_ - in_block_;
    return select(in_this ? begin_least_ : end_least,
                  in_this ? block + begin_at_ : block - window_ + ends_at_[in_block_]);
  }

 private:
  __extension__ using Key = unsigned __int128;  // rank, value

  void end_block() noexcept {
    Key least = block_[window_ - 1];
    unsigned least_at = window_ - 1;
    for (unsigned at = window_; at-- > 0;) {
      const bool is_least = block_[at] < least;
      least = is_least ? block_[at] : least;
      least_at = is_least ? at : least_at;
      ends_least_[at] = least;
      ends_at_[at] = static_cast<std::uint8_t>(least_at);
    }
    in_block_ = 0;
  }

  std::optional<Gram> select(Key least, std::uint64_t number) noexcept {
    if (selected_until_ >= taken_ && selected_key_ == least) return std::nullopt;
    selected_until_ = number + window_;
    selected_key_ = least;
    return Gram{static_cast<std::uint64_t>(least), ranges_[number % kMaxWindowGrams],
                static_cast<std::uint32_t>(least >> 64U)};
  }

  const unsigned window_;
  unsigned in_block_ = 0;  ///< grams of the block that were taken
  unsigned begin_at_ = 0;  ///< the least of those, in its block
  Key begin_least_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t selected_until_ =
      0;  ///< grams taken when the selected one leaves the window; 0: there is none
  Key selected_key_ = 0;
  std::array<Key, kMaxWindowGrams> block_;
  std::array<Key, kMaxWindowGrams> ends_least_;  ///< of the block before: the least from each gram to its end
  std::array<std::uint8_t, kMaxWindowGrams> ends_at_;  ///< where it is in that block
  std::array<TextRange, kMaxWindowGrams> ranges_;      ///< of the last grams: a ring
};

}  // namespace akin
