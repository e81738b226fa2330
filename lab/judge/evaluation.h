// Measures judging by the size of the training set and by the criteria, and how many duplicates candidate
// generation misses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "server/judge/training_set.h"
#include "server/judge/window.h"

namespace akin::judge {

struct CriteriaSet {
  std::string name;
  std::vector<Criterion> criteria;
};

/// words, title, sentences, words and title, text (words, title, sentences, paragraphs), text and numbers,
/// event, all.
[[nodiscard]] std::vector<CriteriaSet> standard_criteria_sets();

struct CurveOptions {
  std::vector<CriteriaSet> sets = standard_criteria_sets();
  std::vector<std::size_t> sizes;  ///< of training sets, in pairs
  std::size_t repeats = 10;        ///< splits
  double test_share = 1.0 / 3;     ///< of the pairs, held out in each split
  std::size_t folds = 5;           ///< of the cross-validation within training
  std::uint64_t seed = 1;
  double precision = TrainingOptions{}.precision;  ///< required of classifications; see choose_margins
  bool both_ways = false;
  std::function<void(double share)> progress;  ///< may be empty
};

/// Means over the splits.
struct CurvePoint {
  std::size_t pairs = 0;  ///< in the training set
  std::size_t repeats =
      0;  ///< splits in which that many could be trained on; if 0, the other members have no meaning
  double precision = 0, recall = 0, f_measure = 0;
  double deviation = 0;          ///< standard deviation of the F-measure over the splits
  ClassificationCounts decided;  ///< with margins, summed over the splits
};

struct Curve {
  std::string set;
  std::vector<CurvePoint> points;
};

/// For each set of criteria precision, recall and F-measure (2PR / (P + R)) on held-out pairs. Each of the
/// `repeats` splits deals whole groups of pairs (groups_of) into a test part and a pool; training sets are
/// prefixes of the pool in a random order, so that larger ones contain the smaller ones. No document of the
/// test part is in the training set, nor counted in the statistics that weigh words. The classification is
/// yes from a probability of 0.5 on, which is the rule of a stream without margins. Deterministic. Errors: as
/// train_classifier and scan_text.
[[nodiscard]] Result<std::vector<Curve>> learning_curves(std::span<const LabelledPair> pairs,
                                                         std::span<const Document> background,
                                                         const Dictionary& dictionary,
                                                         const CurveOptions& options);

/// What one way of generating candidates finds and costs, over all documents of the pairs and of the
/// background in their order.
struct CandidateRuleRow {
  CandidateRule candidate_rule = CandidateRule::both;
  std::size_t documents = 0;
  std::size_t positives = 0, positives_found = 0;  ///< pairs with the label, and those found as candidates
  std::size_t negatives = 0, negatives_found = 0;
  std::uint64_t generated = 0;  ///< candidate pairs in total
};

[[nodiscard]] Result<std::vector<CandidateRuleRow>> measure_candidate_rules(
    std::span<const LabelledPair> pairs, std::span<const Document> background, const Dictionary& dictionary);

}  // namespace akin::judge
