// A trained judge over criteria: scaling, separating hyperplane, calibration, margins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/judge/classification.h"
#include "server/judge/criteria.h"
#include "server/judge/svm.h"

namespace akin::judge {

/// Scales criteria to mean 0 and deviation 1 over the examples; an undefined value becomes 0, the mean.
struct Scaling {
  std::vector<Criterion> criteria;  ///< the columns, in order
  std::vector<double> means;
  std::vector<double> spreads;      ///< above 0
  std::vector<double> least, most;  ///< values that the examples had

  /// Replaces `row` with a row of columns.
  void apply(const CriteriaValues& values, std::vector<double>& row) const;
  /// The columns whose value lies outside of what the examples had, by more than kBeyond.
  [[nodiscard]] std::vector<Criterion> beyond(const CriteriaValues& values) const;
  static constexpr double kBeyond = 0.05;
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
  Hyperplane plane;
  Sigmoid sigmoid;
  Margins margins;
  SourceAuthorities sources;  ///< learnt from the examples; to be passed to `compare`
  TrainingRecord record;

  [[nodiscard]] double decision(const CriteriaValues& values) const;
  [[nodiscard]] Judgement judge(const CriteriaValues& values) const;
};

}  // namespace akin::judge
