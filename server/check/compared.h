// The features of one scheme that a check compares, and which of them sources have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/overlap/passages.h"
#include "index/search/text_aligner.h"
#include "server/check/letters.h"

namespace akin::check {

struct Compared {
  FeatureSequence features;
  std::vector<bool> found;       ///< for each feature, whether a source has it
  std::uint64_t seed_shape = 0;  ///< Scheme::seed_shape
};

/// The compared seeds, if one scheme makes all of them.
[[nodiscard]] TextSeeds seeds_of(const std::vector<Compared>& compared) noexcept;

/// The stretches of a text that passages found: an aligned one without its gaps.
struct FoundStretches {
  std::vector<TextRange> ranges;
  std::vector<std::size_t> positions;  ///< of the features in passages of features, in the compared ones
};

/// `searched`: the features by which the passages were found, which are some of the compared ones.
[[nodiscard]] FoundStretches stretches_of(const std::vector<Passage>& passages,
                                          const FeatureSequence& searched, const FeatureSequence& compared);

/// How many features were found: those that a source has, whose ranges are added to `ranges`, and those of
/// whose letters in `rest` fewer than half are in `outside`.
[[nodiscard]] std::uint64_t count_found(const Compared& compared, const Letters& rest, const Letters& outside,
                                        std::vector<TextRange>& ranges);

}  // namespace akin::check
