// Chains: fragments that lie near one another in both texts. The second step of alignment.
#pragma once

#include <cstdint>
#include <vector>

#include "morph/align/align_options.h"
#include "morph/align/fragments.h"
#include "morph/align/word_sequence.h"

namespace akin {

/// Fragments of one passage, by a, then by b.
struct Chain {
  std::vector<Fragment> fragments;
  WordRange a, b;               ///< from the first to the last of them
  std::uint32_t a_matched = 0;  ///< words of the range that lie in fragments, each counted once
  std::uint32_t b_matched = 0;
};

/// The chains of `fragments` (by a, then by b), by a, then by b.
///
/// - Two fragments are neighbours if at most `options.gap` words lie between them, in A and in B. Neighbours
///   and their neighbours are a group. Order does not matter: moved words and sentences are in it.
/// - Of a group, longest first, a fragment is left out if longer ones already have at least half of
///   its words, in A or in B: what a text repeats nearby is matched once. One of `run` words or more is left
///   out only if longer ones have all its words of A.
/// - What is left is cut where matched words are few: into its dense segments (dense_segments.h) in A, each
///   of these into its dense segments in B, and so on in turns, until nothing is cut.
/// - Chains of fewer than `run` matched words in A or in B are left out.
///
/// So each word of A in a fragment of `run` words or more is in a chain. Time: linear in the fragments, but
/// for sorting; each is compared with those before it of at most `gap` words' distance in A.
[[nodiscard]] std::vector<Chain> find_chains(const std::vector<Fragment>& fragments,
                                             const AlignOptions& options);

/// What is still being cut after so many turns falls apart into its fragments, so that time is bounded.
inline constexpr unsigned kMaxCuts = 16;

}  // namespace akin
