// A trained judge over criteria: scaling, support vectors, calibration, margins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/error.h"
#include "server/lab/judge/calibration.h"
#include "server/lab/judge/criteria.h"
#include "server/lab/judge/svm.h"

namespace akin::judge {

/// Scales criteria to mean 0 and deviation 1 over the examples; an undefined value becomes 0, the mean.
struct Scaling {
  std::vector<Criterion> criteria;  ///< the columns, in order
  std::vector<double> means;
  std::vector<double> spreads;  ///< above 0

  /// Replaces `row` with a row of columns.
  void apply(const CriteriaValues& values, std::vector<double>& row) const;
};

/// The quality of a classifier on examples that were held out of its training.
struct HeldOut {
  ClassificationCounts plain;            ///< yes from a probability of 0.5 on, never undecided
  ClassificationCounts classifications;  ///< with margins
  double log_loss = 0;                   ///< mean -log of the probability of the correct label
};

/// What was trained, and how.
struct TrainingRecord {
  std::size_t pairs = 0, positives = 0, groups = 0, folds = 0;
  std::uint64_t seed = 0;
  double precision = 0;  ///< required of each classification
  HeldOut held_out;
};

struct Judgement {
  double probability = 0;
  Classification classification = Classification::undecided;
};

/// Immutable once trained; any number of threads.
struct Classifier {
  Scaling scaling;
  SupportVectors svm;
  Sigmoid sigmoid;
  Margins margins;
  SourceAuthorities sources;  ///< learnt from the examples; to be passed to `compare`
  TrainingRecord record;

  [[nodiscard]] double decision(const CriteriaValues& values) const;
  [[nodiscard]] Judgement judge(const CriteriaValues& values) const;
};

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

/// Chooses C from 2^-3, 2^-1 … 2^9 and gamma from 2^-9, 2^-7 … 2^-1 by the log loss of cross-validation over
/// whole groups, calibrates and sets the margins by the same held-out decisions, then trains on all examples.
/// The authority of a source is learnt as the share of its documents that are not labelled copies (A of a
/// pair with the label); an example's own label never counts for its own authority. Criteria that no example
/// has, or that are equal in all, are left out. Deterministic. Errors: invalid_argument if a fold lacks one
/// of the classes or no criterion is left.
[[nodiscard]] Result<Classifier> train_classifier(std::span<const Example> examples,
                                                  const TrainingOptions& options);

}  // namespace akin::judge
