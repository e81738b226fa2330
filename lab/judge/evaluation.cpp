#include "lab/judge/evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

#include "server/judge/folds.h"

namespace akin::judge {

namespace {

/// Pairs by number.
struct TestSplit {
  std::vector<std::size_t> test;
  std::vector<std::size_t> pool;  ///< in the order in which training sets use them
};

/// Deals whole groups in a random order into the test part until it has its share.
TestSplit deal(std::span<const std::size_t> groups, double test_share, std::uint64_t seed) {
  std::vector<std::size_t> order(groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  SeededNumbers numbers(seed);
  numbers.shuffle(order);
  std::vector<std::vector<std::size_t>> members(order.size());
  for (std::size_t i = 0; i < groups.size(); ++i) members[groups[i]].push_back(i);
  TestSplit split;
  const double wanted = test_share * static_cast<double>(groups.size());
  for (const std::size_t group : order) {
    auto& part = static_cast<double>(split.test.size()) < wanted ? split.test : split.pool;
    part.insert(part.end(), members[group].begin(), members[group].end());
  }
  numbers.shuffle(split.pool);
  return split;
}

/// Examples of some pairs; the numbers of pairs in `which` may be in any order.
std::vector<Example> choose(std::span<const Example> examples, std::span<const std::size_t> which,
                            std::size_t per_pair) {
  std::vector<Example> chosen;
  for (const std::size_t pair : which) {
    for (std::size_t i = 0; i < per_pair; ++i) chosen.push_back(examples[pair * per_pair + i]);
  }
  return chosen;
}

/// Counts without margins, and with those of the classifier.
struct Tested {
  ClassificationCounts plain, decided;
};

Tested test(const Classifier& classifier, std::span<const Example> examples) {
  Tested counts;
  for (const Example& example : examples) {
    CriteriaValues values = example.values;
    values[index_of(Criterion::authority)] = authority_criterion(example.a, example.b, classifier.sources);
    const Judgement judgement = classifier.judge(values);
    counts.plain.add(Margins{}.classify(judgement.probability), example.label);
    counts.decided.add(judgement.classification, example.label);
  }
  return counts;
}

/// Sums over splits, for one point.
struct Sums {
  double count = 0, precision = 0, recall = 0, f = 0, f_squares = 0;

  ClassificationCounts decided;

  void add(const Tested& tested) {
    const ClassificationCounts& counts = tested.plain;
    decided += tested.decided;
    count += 1;
    precision += counts.precision();
    recall += counts.recall();
    f += counts.f_measure();
    f_squares += counts.f_measure() * counts.f_measure();
  }

  [[nodiscard]] CurvePoint point(std::size_t pairs) const {
    CurvePoint point;
    point.pairs = pairs;
    point.repeats = static_cast<std::size_t>(count);
    point.decided = decided;
    if (count == 0) return point;
    point.precision = precision / count;
    point.recall = recall / count;
    point.f_measure = f / count;
    if (count > 1) {
      point.deviation = std::sqrt(std::max(0.0, (f_squares - f * f / count) / (count - 1)));
    }
    return point;
  }
};

/// The sums of one curve over the splits.
class CurveSums {
 public:
  CurveSums(const CurveOptions& options, std::size_t splits) : options_(options), steps_(splits) {
    sums_.resize(options.sets.size(), std::vector<Sums>(options.sizes.size()));
  }

  void add_split(std::span<const Example> examples, const TestSplit& split) {
    const std::size_t per_pair = options_.both_ways ? 2 : 1;
    const auto tests = choose(examples, split.test, per_pair);
    for (std::size_t s = 0; s < options_.sizes.size(); ++s) {
      report_progress();
      const std::size_t size = options_.sizes[s];
      if (size > split.pool.size()) continue;
      const auto training = choose(examples, std::span(split.pool).first(size), per_pair);
      for (std::size_t set = 0; set < options_.sets.size(); ++set) {
        TrainingOptions options;
        options.criteria = options_.sets[set].criteria;
        options.folds = options_.folds;
        options.precision = options_.precision;
        options.seed = options_.seed;
        const auto classifier = train_classifier(training, options);
        // If there are too few of one label among them, or nothing distinguishes them, the split gives no
        // point.
        if (!classifier.has_error()) sums_[set][s].add(test(*classifier, tests));
      }
    }
  }

  [[nodiscard]] std::vector<Curve> curves() const {
    std::vector<Curve> all;
    for (std::size_t set = 0; set < options_.sets.size(); ++set) {
      Curve& curve = all.emplace_back();
      curve.set = options_.sets[set].name;
      for (std::size_t s = 0; s < options_.sizes.size(); ++s) {
        curve.points.push_back(sums_[set][s].point(options_.sizes[s]));
      }
    }
    return all;
  }

 private:
  void report_progress() {
    if (!options_.progress) return;
    options_.progress(static_cast<double>(done_++) / static_cast<double>(steps_ * options_.sizes.size()));
  }

  const CurveOptions& options_;
  std::size_t steps_;
  std::size_t done_ = 0;
  std::vector<std::vector<Sums>> sums_;  ///< by set, then by size
};

}  // namespace

std::vector<CriteriaSet> standard_criteria_sets() {
  using enum Criterion;
  const std::vector<Criterion> text{words, title, sentences, sentences_back, paragraphs, paragraphs_back};
  std::vector<Criterion> numbered = text;
  numbered.insert(numbered.end(), {numbers, numbers_back, number_order, dates, quantities});
  return {{"words", {words}},
          {"title", {title}},
          {"sentences", {sentences, sentences_back}},
          {"words and title", {words, title}},
          {"text", text},
          {"text and numbers", numbered},
          {"event", {event}},
          {"all", all_criteria()}};
}

Result<std::vector<Curve>> learning_curves(std::span<const LabelledPair> pairs,
                                           std::span<const Document> background, const Dictionary& dictionary,
                                           const CurveOptions& options) {
  const std::vector<std::size_t> groups = groups_of(pairs);
  CurveSums sums(options, options.repeats);
  for (std::size_t round = 0; round < options.repeats; ++round) {
    const TestSplit split = deal(groups, options.test_share, options.seed + round);
    std::vector<LabelledPair> pool;
    for (const std::size_t i : split.pool) pool.push_back(pairs[i]);
    AKIN_TRY(const CollectionStatistics statistics, count_collection(pool, background, dictionary));
    AKIN_TRY(const auto examples,
             compare_pairs(pairs, groups, {&dictionary, &statistics, options.both_ways}));
    sums.add_split(examples, split);
  }
  return sums.curves();
}

Result<std::vector<CandidateRuleRow>> measure_candidate_rules(std::span<const LabelledPair> pairs,
                                                              std::span<const Document> background,
                                                              const Dictionary& dictionary) {
  AKIN_TRY(const CollectionStatistics statistics, count_collection(pairs, background, dictionary));
  const NumberWords numbers(dictionary);
  Preparer preparer(dictionary, numbers, statistics);
  std::unordered_map<std::string, std::size_t> number_of;  // of a document, by its text
  std::vector<JudgedDocument> documents;
  const auto add = [&](const Document& document) -> Result<std::size_t> {
    const auto [found, fresh] = number_of.emplace(document_keys(document).front(), documents.size());
    if (fresh) {
      AKIN_TRY(JudgedDocument prepared, preparer.prepare(document));
      documents.push_back(std::move(prepared));
    }
    return found->second;
  };
  for (const Document& document : background) AKIN_CHECK(add(document));
  struct Numbered {
    std::size_t a = 0, b = 0;
    bool label = false;
  };
  std::vector<Numbered> numbered;
  for (const LabelledPair& pair : pairs) {
    AKIN_TRY(const std::size_t a, add(pair.a));
    AKIN_TRY(const std::size_t b, add(pair.b));
    numbered.push_back({a, b, pair.label});
  }

  std::vector<CandidateRuleRow> rows;
  for (const CandidateRule candidate_rule :
       {CandidateRule::two_heaviest, CandidateRule::sentence_pairs, CandidateRule::sentences,
        CandidateRule::heavy_words, CandidateRule::both}) {
    WindowOptions options;
    options.candidate_rule = candidate_rule;
    options.candidates = documents.size();
    Window window(options);
    std::set<std::pair<std::uint64_t, std::uint64_t>> generated;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      for (const std::uint64_t candidate : window.candidates(documents[i]).best)
        generated.emplace(candidate, i);
      window.insert({std::to_string(i), 0, nullptr, documents[i]});
    }
    CandidateRuleRow row{candidate_rule, documents.size()};
    row.generated = generated.size();
    for (const Numbered& pair : numbered) {
      if (pair.a == pair.b) continue;
      const bool found = generated.contains(std::minmax<std::uint64_t>(pair.a, pair.b));
      ++(pair.label ? row.positives : row.negatives);
      if (found) ++(pair.label ? row.positives_found : row.negatives_found);
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace akin::judge
