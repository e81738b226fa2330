// Fragments: stretches of two texts that agree word by word. The first step of alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/align_options.h"
#include "morph/align/class_filter.h"
#include "morph/align/gram_table.h"
#include "morph/align/word_sequence.h"

namespace akin {

/// Words [a, a + length) of A and [b, b + length) of B: grams of A and B that are equal, side by side, and
/// the equal words on either side of them. Each word in such a stretch of A has a word of the same class in
/// the one of B, in the same place, or, where grams have no order, at most k - 1 words from it.
struct Fragment {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t length = 0;
  [[nodiscard]] std::uint32_t a_end() const noexcept { return a + length; }
  [[nodiscard]] std::uint32_t b_end() const noexcept { return b + length; }
  friend bool operator==(const Fragment&, const Fragment&) = default;
};

/// A text with the table of its grams.
struct IndexedWords {
  std::span<const std::uint64_t> words;
  const GramTable& grams;
};

/// All fragments, by a, then by b. Those of one diagonal (a - b) neither overlap nor touch.
///
/// A gram that occurs in B at most `options.places` times begins fragments at all its places. One that occurs
/// more often is *common*: it begins none, but fragments extend over it. A run of `options.run` words all of
/// whose grams are common is a fragment at the first of its places in B. So each run of that many words of A
/// that occurs in B lies within a fragment.
///
/// At most `places` fragments begin at a word of A by themselves, plus one by a run. Time and memory: linear
/// in the words of both, with `places` as factor, plus the sorting of the fragments; of B only the grams
/// that A has take memory.
[[nodiscard]] std::vector<Fragment> find_fragments(const IndexedWords& a, std::span<const std::uint64_t> b,
                                                   const AlignOptions& options);

/// The same, where words of other classes than A's cost little. `a_classes`: those of A.
[[nodiscard]] std::vector<Fragment> find_fragments(const IndexedWords& a, const ClassFilter& a_classes,
                                                   const NumberedWords& b, const AlignOptions& options);

}  // namespace akin
