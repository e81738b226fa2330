// Measures the rule that needs no training, and each of its criteria, beside a common baseline.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "server/judge/labelled_pair.h"

namespace akin::judge {

/// How well a score separates pairs with the label from the others.
struct UntrainedRow {
  std::string name;
  /// The chance that a pair with the label scores higher than one without; equal scores count half. 0.5 if
  /// one kind is missing.
  double auc = 0;
  double error = 0;   ///< standard error of auc (Hanley and McNeil 1982)
  double best_f = 0;  ///< the F-measure at the threshold that is best for these very pairs
  /// Precision, recall and F-measure at the threshold of the rule; only for `has_threshold`.
  bool has_threshold = false;
  double precision = 0, recall = 0, f = 0;
};

/// Area under the receiver operating characteristic, by ranks (Mann and Whitney 1947). Requires a label for
/// each score.
[[nodiscard]] double area_under_curve(std::span<const double> scores, const std::vector<bool>& labels);

/// The largest F-measure over all thresholds. Requires a label for each score.
[[nodiscard]] double best_f_measure(std::span<const double> scores, const std::vector<bool>& labels);

/// Rows: the cosine of TF-IDF vectors of character 4-grams of title and text (the baseline: tf * (ln((1 + N)
/// / (1 + df)) + 1)); each criterion of the rule `event`; the rule; the rule without statistics. The weights
/// are from `background` alone, never from the pairs. An undefined criterion scores 0. Errors: as scan_text.
[[nodiscard]] Result<std::vector<UntrainedRow>> measure_untrained(std::span<const LabelledPair> pairs,
                                                                  std::span<const Document> background,
                                                                  const Dictionary& dictionary);

}  // namespace akin::judge
