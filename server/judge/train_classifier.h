// Trains classifiers on labelled examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/error.h"
#include "server/judge/classifier.h"

namespace akin::judge {

/// A compared and labelled pair. Training fills in Criterion::authority.
struct Example {
  CriteriaValues values{};
  Origin a, b;
  bool label = false;     ///< A is what the model must find: a duplicate of B, the same event …
  std::size_t group = 0;  ///< pairs of one group are never on both sides of a split (group_pairs)
};

struct TrainingOptions {
  std::vector<Criterion> criteria = all_criteria();
  std::size_t folds = 5;   ///< 2 or more
  double precision = 0.9;  ///< required of classifications on held-out examples; see choose_margins
  std::uint64_t seed = 1;
  std::function<void(double share)> progress;  ///< called with the share that is done; may be empty
};

/// Chooses C from 2^-9, 2^-7 … 2^7 by the log loss of cross-validation over
/// whole groups, calibrates and sets the margins by the same held-out decisions, then trains on all examples.
/// The authority of a source is learnt as the share of its documents that are not labelled copies (A of a
/// pair with the label); an example's own label never counts for its own authority. Criteria that no example
/// has, or that are equal in all, are left out. Deterministic. Errors: invalid_argument if a fold lacks one
/// of the classes or no criterion is left.
[[nodiscard]] Result<Classifier> train_classifier(std::span<const Example> examples,
                                                  const TrainingOptions& options);

}  // namespace akin::judge
