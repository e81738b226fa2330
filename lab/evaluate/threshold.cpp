#include "lab/evaluate/threshold.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "index/pairs/pairs.h"
#include "server/json/quoted.h"

namespace akin::evaluate {

namespace {

constexpr std::string_view kContainment = "containment";

/// A pair that shares something.
struct FoundPair {
  Overlap overlap;
  Judgement judgement = Judgement::unknown;
};

struct Analysis {
  std::uint64_t features = 0;
  std::uint64_t candidates = 0;
  std::vector<FoundPair> pairs;
};

/// The features of each text: those for finding pairs and, if these only generate candidates, those for
/// verifying.
struct TextFeatures {
  std::vector<std::vector<Feature>> indexed, verified;
};

Result<TextFeatures> features_of(const std::vector<std::string>& texts, const Dictionary& dictionary,
                                 const Scheme& scheme) {
  TextFeatures features{std::vector<std::vector<Feature>>(texts.size()), {}};
  if (scheme.generates_candidates()) features.verified.resize(texts.size());
  std::vector<std::optional<Error>> errors(texts.size());
  for_each_index(texts.size(), [&](std::size_t i) {
    auto sequence = extract_features(texts[i], dictionary, scheme.verifying_scheme());
    if (sequence.has_error()) {
      errors[i] = std::move(sequence).error();
    } else if (scheme.generates_candidates()) {
      features.indexed[i] = scheme.signature(*sequence).hashes;
      features.verified[i] = std::move(sequence->hashes);
    } else {
      features.indexed[i] = std::move(sequence->hashes);
    }
  });
  for (auto& error : errors) {
    if (error) return std::move(*error);
  }
  return features;
}

Result<Analysis> analyse(const LabelledSet& set, const Dictionary& dictionary, const Scheme& scheme,
                         const std::function<void()>& tick) {
  AKIN_TRY(const TextFeatures features, features_of(set.texts, dictionary, scheme));
  tick();
  Analysis analysis;
  for (const auto& one : features.indexed) analysis.features += one.size();
  const FeatureLists lists(features.indexed);
  const auto visit = [&](DocNumber first, DocNumber second, const Overlap& shared) -> Result<void> {
    const auto a = static_cast<std::uint32_t>(first);
    const auto b = static_cast<std::uint32_t>(second);
    const Overlap verified =
        scheme.generates_candidates() ? overlap(features.verified[a], features.verified[b]) : shared;
    analysis.candidates += scheme.generates_candidates() ? 1 : 0;
    analysis.pairs.push_back({verified, set.judgement(a, b)});
    return {};
  };
  AKIN_CHECK(find_pairs(lists, PairsRequest(), visit));
  tick();
  return analysis;
}

ThresholdCell cell_of(const std::vector<FoundPair>& pairs, double (*measure)(const Overlap&),
                      double threshold, std::uint64_t duplicates) {
  ThresholdCell cell;
  cell.threshold = threshold;
  for (const FoundPair& pair : pairs) {
    if (measure(pair.overlap) >= threshold) cell.add(pair.judgement);
  }
  cell.finish(duplicates);
  return cell;
}

using Occurrence = std::pair<Feature, DocNumber>;

class Stream final : public ListStream {
 public:
  explicit Stream(std::span<const Occurrence> occurrences) : left_(occurrences) {}

  Result<bool> next() override {
    documents_.clear();
    counts_.clear();
    if (left_.empty()) return false;
    feature_ = left_.front().first;
    std::size_t at = 0;
    for (; at < left_.size() && left_[at].first == feature_; ++at) {
      if (documents_.empty() || documents_.back() != left_[at].second) {
        documents_.push_back(left_[at].second);
        counts_.push_back(0);
      }
      ++counts_.back();
    }
    left_ = left_.subspan(at);
    return true;
  }

  [[nodiscard]] Feature feature() const noexcept override { return feature_; }
  [[nodiscard]] std::span<const DocNumber> documents() const noexcept override { return documents_; }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  std::span<const Occurrence> left_;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

Result<double (*)(const Overlap&)> pair_measure(std::string_view name) {
  using Measure = double (*)(const Overlap&);
  if (name == "resemblance") return Measure([](const Overlap& overlap) { return overlap.resemblance(); });
  if (name == "sorensen") return Measure([](const Overlap& overlap) { return overlap.sorensen(); });
  if (name == kContainment) {
    return Measure(
        [](const Overlap& overlap) { return std::max(overlap.containment(), overlap.contained()); });
  }
  return Error{Errc::invalid_argument, "measure " + json::in_quotes(name), "does not exist",
               "choose resemblance, sorensen or containment"};
}

Result<ThresholdReport> threshold_report(const LabelledSet& set, const Dictionary& dictionary,
                                         const ThresholdRequest& request) {
  ThresholdReport report;
  report.texts = set.texts.size();
  report.duplicates = set.count(Judgement::duplicate);
  report.different = set.count(Judgement::different);
  std::size_t done = 0;
  const auto tick = [&] {
    if (request.progress) request.progress(++done, 2 * request.schemes.size());
  };
  for (const auto& scheme : request.schemes) {
    AKIN_TRY(const Analysis analysis, analyse(set, dictionary, *scheme, tick));
    for (const std::string& name : request.measures) {
      AKIN_TRY(const auto measure, pair_measure(name));
      if (name == kContainment && !scheme->has_containment()) continue;
      ThresholdMethod method{.scheme = scheme->name(),
                             .measure = name,
                             .features = analysis.features,
                             .candidates = analysis.candidates};
      for (const double threshold : request.thresholds) {
        method.cells.push_back(cell_of(analysis.pairs, measure, threshold, report.duplicates));
      }
      for (const FoundPair& pair : analysis.pairs) {
        if (pair.judgement != Judgement::unknown) method.measures.push_back(measure(pair.overlap));
      }
      std::sort(method.measures.begin(), method.measures.end(), std::greater<>());
      report.methods.push_back(std::move(method));
    }
  }
  return report;
}

FeatureLists::FeatureLists(const std::vector<std::vector<Feature>>& documents)
    : documents_(documents.size()) {
  std::size_t size = 0;
  for (const auto& features : documents) size += features.size();
  occurrences_.reserve(size);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const Feature feature : documents[i]) {
      occurrences_.emplace_back(feature, DocNumber(static_cast<std::uint32_t>(i)));
    }
  }
  std::sort(occurrences_.begin(), occurrences_.end());
}

Result<std::unique_ptr<ListStream>> FeatureLists::lists() const {
  return std::unique_ptr<ListStream>(std::make_unique<Stream>(occurrences_));
}

}  // namespace akin::evaluate
