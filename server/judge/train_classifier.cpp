#include "server/judge/train_classifier.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "server/judge/calibration.h"
#include "server/judge/folds.h"
#include "server/judge/svm.h"

namespace akin::judge {

namespace {

constexpr double kLeastSpread = 1e-9;

/// Examples by number, split in two.
struct Split {
  std::vector<std::size_t> train, test;
};

SourceAuthorities learn_sources(std::span<const Example> examples, std::span<const std::size_t> chosen) {
  SourceAuthorities sources;
  for (const std::size_t i : chosen) {
    sources.add(examples[i].a.source, !examples[i].label);
    sources.add(examples[i].b.source, true);
  }
  return sources;
}

CriteriaValues with_authority(const Example& example, const SourceAuthorities& sources) {
  CriteriaValues values = example.values;
  values[index_of(Criterion::authority)] = authority_criterion(example.a, example.b, sources);
  return values;
}

/// The criteria of an example with the authorities learnt from all others.
CriteriaValues with_others_authority(const Example& example, SourceAuthorities& sources) {
  sources.remove(example.a.source, !example.label);
  sources.remove(example.b.source, true);
  const CriteriaValues values = with_authority(example, sources);
  sources.add(example.a.source, !example.label);
  sources.add(example.b.source, true);
  return values;
}

Scaling fit_scaling(std::span<const CriteriaValues> rows, std::span<const Criterion> criteria) {
  Scaling scaling;
  for (const Criterion criterion : criteria) {
    double count = 0;
    double sum = 0;
    double squares = 0;
    std::pair<double, double> seen(1e300, -1e300);
    for (const CriteriaValues& row : rows) {
      const double value = row[index_of(criterion)];
      if (std::isnan(value)) continue;
      count += 1;
      sum += value;
      squares += value * value;
      seen = {std::min(seen.first, value), std::max(seen.second, value)};
    }
    if (count == 0) continue;
    const double mean = sum / count;
    const double spread = std::sqrt(std::max(0.0, squares / count - mean * mean));
    if (spread < kLeastSpread) continue;
    scaling.criteria.push_back(criterion);
    scaling.means.push_back(mean);
    scaling.spreads.push_back(spread);
    scaling.least.push_back(seen.first);
    scaling.most.push_back(seen.second);
  }
  return scaling;
}

/// Training and test rows of a split, scaled by the training rows.
struct Scaled {
  Scaling scaling;
  SourceAuthorities sources;
  Matrix train, test;
  std::vector<bool> labels;  ///< of the training rows
};

Scaled scale(std::span<const Example> examples, const Split& split, std::span<const Criterion> criteria) {
  Scaled scaled;
  scaled.sources = learn_sources(examples, split.train);
  std::vector<CriteriaValues> values;
  for (const std::size_t i : split.train) {
    values.push_back(with_others_authority(examples[i], scaled.sources));
    scaled.labels.push_back(examples[i].label);
  }
  scaled.scaling = fit_scaling(values, criteria);
  scaled.train.columns = scaled.test.columns = scaled.scaling.criteria.size();
  std::vector<double> row;
  for (const CriteriaValues& one : values) {
    scaled.scaling.apply(one, row);
    scaled.train.add(row);
  }
  for (const std::size_t i : split.test) {
    scaled.scaling.apply(with_authority(examples[i], scaled.sources), row);
    scaled.test.add(row);
  }
  return scaled;
}

std::vector<Split> splits_of(std::span<const Example> examples, const TrainingOptions& options) {
  std::vector<std::size_t> groups;
  std::vector<bool> labels;
  for (const Example& example : examples) {
    groups.push_back(example.group);
    labels.push_back(example.label);
  }
  const auto folds = deal_folds(groups, labels, options.folds, options.seed);
  std::vector<Split> splits(options.folds);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (std::size_t fold = 0; fold < options.folds; ++fold) {
      (fold == folds[i] ? splits[fold].test : splits[fold].train).push_back(i);
    }
  }
  return splits;
}

double log_loss(std::span<const double> decisions, const std::vector<bool>& labels, const Sigmoid& sigmoid) {
  double sum = 0;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const double p = sigmoid.probability(decisions[i]);
    sum -= std::log(std::max(1e-15, labels[i] ? p : 1 - p));
  }
  return sum / static_cast<double>(decisions.size());
}

/// Decisions on every example by classifiers trained without its fold.
Result<std::vector<double>> held_out_decisions(std::span<const Split> splits, std::span<const Scaled> scaled,
                                               double c, std::size_t examples) {
  std::vector<double> decisions(examples);
  for (std::size_t fold = 0; fold < splits.size(); ++fold) {
    if (scaled[fold].train.columns == 0) {
      return Error{Errc::invalid_argument, "training", "no criterion distinguishes the examples",
                   "give documents that differ, or more criteria"};
    }
    AKIN_TRY(const Hyperplane svm, train_svm(scaled[fold].train, scaled[fold].labels, c));
    for (std::size_t i = 0; i < splits[fold].test.size(); ++i) {
      decisions[splits[fold].test[i]] = svm.decision(scaled[fold].test.row(i));
    }
  }
  return decisions;
}

struct Chosen {
  double c = 1;
  std::vector<double> decisions;  ///< held out
  Sigmoid sigmoid;
  double loss = 1e300;
};

Result<Chosen> choose_cost(std::span<const Example> examples, const std::vector<bool>& labels,
                           const TrainingOptions& options) {
  const std::vector<Split> splits = splits_of(examples, options);
  std::vector<Scaled> scaled;
  scaled.reserve(splits.size());
  for (const Split& split : splits) scaled.push_back(scale(examples, split, options.criteria));
  Chosen best;
  constexpr int kLeast = -9, kMost = 7, kStep = 2;
  for (int power = kLeast; power <= kMost; power += kStep) {
    const double c = std::exp2(power);
    AKIN_TRY(auto decisions, held_out_decisions(splits, scaled, c, examples.size()));
    const Sigmoid sigmoid = fit_sigmoid(decisions, labels);
    const double loss = log_loss(decisions, labels, sigmoid);
    if (loss < best.loss) best = {c, std::move(decisions), sigmoid, loss};
    if (options.progress)
      options.progress((power - kLeast + kStep) / static_cast<double>(kMost - kLeast + kStep));
  }
  return best;
}

Result<void> check(std::span<const Example> examples, const TrainingOptions& options) {
  std::vector<std::size_t> groups_of[2];
  for (const Example& example : examples) groups_of[example.label ? 1 : 0].push_back(example.group);
  for (auto& groups : groups_of) {
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    if (groups.size() >= options.folds) continue;
    return Error{Errc::invalid_argument, "training",
                 "the pairs of one label are in " + std::to_string(groups.size()) +
                     " groups that share no document, too few for " + std::to_string(options.folds) +
                     " folds",
                 "give more labelled pairs of both kinds"};
  }
  return {};
}

}  // namespace

Result<Classifier> train_classifier(std::span<const Example> examples, const TrainingOptions& options) {
  AKIN_CHECK(check(examples, options));
  std::vector<bool> labels;
  Split all;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    labels.push_back(examples[i].label);
    all.train.push_back(i);
  }
  AKIN_TRY(const Chosen chosen, choose_cost(examples, labels, options));
  Classifier classifier;
  Scaled scaled = scale(examples, all, options.criteria);
  AKIN_TRY(classifier.plane, train_svm(scaled.train, labels, chosen.c));
  classifier.scaling = std::move(scaled.scaling);
  classifier.sources = std::move(scaled.sources);
  classifier.sigmoid = chosen.sigmoid;
  std::vector<double> probabilities;
  for (const double decision : chosen.decisions) {
    probabilities.push_back(chosen.sigmoid.probability(decision));
  }
  classifier.margins = choose_margins(probabilities, labels, options.precision);

  TrainingRecord& record = classifier.record;
  for (const Example& example : examples) record.groups = std::max(record.groups, example.group + 1);
  record.pairs = examples.size();
  record.positives = static_cast<std::size_t>(std::count(labels.begin(), labels.end(), true));
  record.folds = options.folds;
  record.seed = options.seed;
  record.precision = options.precision;
  record.held_out.log_loss = chosen.loss;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    record.held_out.plain.add(Margins{}.classify(probabilities[i]), labels[i]);
    record.held_out.classifications.add(classifier.margins.classify(probabilities[i]), labels[i]);
  }
  return classifier;
}

}  // namespace akin::judge
