#include "lab/judge/untrained.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "server/judge/rule.h"
#include "server/judge/training_set.h"

namespace akin::judge {

namespace {

using GramCounts = boost::unordered_flat_map<std::uint64_t, double>;

constexpr std::size_t kGramLength = 4;

/// Counts the character 4-grams of folded words, with one space between words.
class GramSink final : public SentenceSink {
 public:
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      letters_ += U' ';
      letters_ += word.letters;
    }
  }

  [[nodiscard]] GramCounts take() {
    letters_ += U' ';
    GramCounts counts;
    for (std::size_t at = 0; at + kGramLength <= letters_.size(); ++at) {
      counts[spelling_key(std::u32string_view(letters_).substr(at, kGramLength))] += 1;
    }
    letters_.clear();
    return counts;
  }

 private:
  std::u32string letters_;
};

Result<GramCounts> grams_of(const Document& document, const Dictionary& dictionary) {
  GramSink sink;
  AKIN_CHECK(scan_text(document.title, dictionary, sink));
  AKIN_CHECK(scan_text(document.text, dictionary, sink));
  return sink.take();
}

/// The baseline: TF-IDF of character 4-grams.
class GramBaseline {
 public:
  explicit GramBaseline(const Dictionary& dictionary) : dictionary_(dictionary) {}

  Result<void> count(const Document& document) {
    AKIN_TRY(const GramCounts counts, grams_of(document, dictionary_));
    for (const auto& [gram, times] : counts) documents_with_[gram] += 1;
    documents_ += 1;
    return {};
  }

  [[nodiscard]] Result<double> score(const LabelledPair& pair) const {
    AKIN_TRY(GramCounts a, grams_of(pair.a, dictionary_));
    AKIN_TRY(GramCounts b, grams_of(pair.b, dictionary_));
    const double squares = weigh(a) * weigh(b);
    double product = 0;
    for (const auto& [gram, weight] : a) {
      if (const auto found = b.find(gram); found != b.end()) product += weight * found->second;
    }
    return squares > 0 ? product / std::sqrt(squares) : 0.0;
  }

 private:
  /// Multiplies counts by their idf; returns the sum of squares.
  double weigh(GramCounts& counts) const {
    double squares = 0;
    for (auto& [gram, weight] : counts) {
      const auto found = documents_with_.find(gram);
      const double with = found == documents_with_.end() ? 0 : found->second;
      weight *= std::log((1 + documents_) / (1 + with)) + 1;
      squares += weight * weight;
    }
    return squares;
  }

  const Dictionary& dictionary_;
  GramCounts documents_with_;
  double documents_ = 0;
};

/// Standard error of an area under the curve: Hanley and McNeil, "The meaning and use of the area under a
/// receiver operating characteristic curve" (1982), for so many positives and negatives.
double area_error(double area, double positives, double negatives) {
  if (positives == 0 || negatives == 0) return 0;
  const double two_positives = area / (2 - area);
  const double two_negatives = 2 * area * area / (1 + area);
  const double variance = area * (1 - area) + (positives - 1) * (two_positives - area * area) +
                          (negatives - 1) * (two_negatives - area * area);
  return std::sqrt(std::max(0.0, variance) / (positives * negatives));
}

/// Numbers of scores, descending by score.
std::vector<std::size_t> descending(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return scores[i] > scores[j]; });
  return order;
}

UntrainedRow row_of(std::string name, std::span<const double> scores, const std::vector<bool>& labels) {
  UntrainedRow row;
  row.name = std::move(name);
  row.auc = area_under_curve(scores, labels);
  const auto positives = static_cast<double>(std::count(labels.begin(), labels.end(), true));
  row.error = area_error(row.auc, positives, static_cast<double>(labels.size()) - positives);
  row.best_f = best_f_measure(scores, labels);
  return row;
}

UntrainedRow rule_row(std::string name, std::span<const double> scores, const std::vector<bool>& labels) {
  UntrainedRow row = row_of(std::move(name), scores, labels);
  ClassificationCounts counts;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool yes = scores[i] >= kRuleThreshold;
    counts.add(yes ? Classification::yes : Classification::no, labels[i]);
  }
  row.has_threshold = true;
  row.precision = counts.precision();
  row.recall = counts.recall();
  row.f = counts.f_measure();
  return row;
}

Result<std::vector<CriteriaValues>> values_of(std::span<const LabelledPair> pairs,
                                              const CollectionStatistics& statistics,
                                              const Dictionary& dictionary) {
  const std::vector<std::size_t> groups(pairs.size());
  AKIN_TRY(const auto examples, compare_pairs(pairs, groups, {&dictionary, &statistics, false}));
  std::vector<CriteriaValues> values;
  for (const Example& example : examples) values.push_back(example.values);
  return values;
}

std::vector<double> rule_scores(std::span<const CriteriaValues> values) {
  std::vector<double> scores;
  for (const CriteriaValues& one : values) scores.push_back(rule_score(Rule::event, one));
  return scores;
}

}  // namespace

double area_under_curve(std::span<const double> scores, const std::vector<bool>& labels) {
  const std::vector<std::size_t> order = descending(scores);
  double above = 0;  // pairs with the label so far
  double ordered = 0;
  for (std::size_t i = 0; i < order.size();) {
    double with = 0;
    double without = 0;
    const double score = scores[order[i]];
    for (; i < order.size() && scores[order[i]] == score; ++i) ++(labels[order[i]] ? with : without);
    ordered += without * (above + with / 2);
    above += with;
  }
  const double others = static_cast<double>(labels.size()) - above;
  return above > 0 && others > 0 ? ordered / (above * others) : 0.5;
}

double best_f_measure(std::span<const double> scores, const std::vector<bool>& labels) {
  const std::vector<std::size_t> order = descending(scores);
  const auto all = static_cast<double>(std::count(labels.begin(), labels.end(), true));
  double best = 0;
  double found = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    found += labels[order[i]] ? 1 : 0;
    if (i + 1 < order.size() && scores[order[i + 1]] == scores[order[i]]) continue;
    best = std::max(best, 2 * found / (static_cast<double>(i + 1) + all));
  }
  return best;
}

Result<std::vector<UntrainedRow>> measure_untrained(std::span<const LabelledPair> pairs,
                                                    std::span<const Document> background,
                                                    const Dictionary& dictionary) {
  std::vector<bool> labels;
  for (const LabelledPair& pair : pairs) labels.push_back(pair.label);
  GramBaseline baseline(dictionary);
  for (const Document& document : background) AKIN_CHECK(baseline.count(document));
  std::vector<double> scores;
  for (const LabelledPair& pair : pairs) {
    AKIN_TRY(const double score, baseline.score(pair));
    scores.push_back(score);
  }
  std::vector<UntrainedRow> rows{row_of("TF-IDF of character 4-grams", scores, labels)};

  AKIN_TRY(const CollectionStatistics statistics, count_collection(background, dictionary));
  AKIN_TRY(const auto weighed, values_of(pairs, statistics, dictionary));
  for (const Criterion criterion : kEventCriteria) {
    scores.clear();
    for (const CriteriaValues& values : weighed) {
      const double value = values[index_of(criterion)];
      scores.push_back(std::isnan(value) ? 0.0 : value);
    }
    rows.push_back(row_of(std::string(criterion_name(criterion)), scores, labels));
  }
  rows.push_back(rule_row("rule event", rule_scores(weighed), labels));
  AKIN_TRY(const auto plain, values_of(pairs, {}, dictionary));
  rows.push_back(rule_row("rule event, no background", rule_scores(plain), labels));
  return rows;
}

}  // namespace akin::judge
