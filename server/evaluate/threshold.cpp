#include "server/evaluate/threshold.h"

#include <algorithm>
#include <optional>

#include "index/pairs.h"
#include "index/parallel.h"
#include "server/evaluate/feature_lists.h"
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
  std::vector<FoundPair> pairs;
};

Result<std::vector<std::vector<Feature>>> features_of(const std::vector<std::string>& texts,
                                                      const Dictionary& dictionary, const Scheme& scheme) {
  std::vector<std::vector<Feature>> features(texts.size());
  std::vector<std::optional<Error>> errors(texts.size());
  for_each_index(texts.size(), [&](std::size_t i) {
    auto sequence = extract_features(texts[i], dictionary, scheme);
    if (sequence.has_error()) {
      errors[i] = std::move(sequence).error();
    } else {
      features[i] = std::move(sequence->hashes);
    }
  });
  for (auto& error : errors) {
    if (error) return std::move(*error);
  }
  return features;
}

Judgement judgement_of(const LabelledSet& set, std::uint32_t a, std::uint32_t b) {
  const auto before = [](const JudgedPair& one, const JudgedPair& other) {
    return std::pair(one.a, one.b) < std::pair(other.a, other.b);
  };
  const JudgedPair wanted{a, b, Judgement::unknown};
  const auto found = std::lower_bound(set.pairs.begin(), set.pairs.end(), wanted, before);
  if (found != set.pairs.end() && !before(wanted, *found)) return found->judgement;
  return set.unlisted == Unlisted::different ? Judgement::different : Judgement::unknown;
}

Result<Analysis> analyse(const LabelledSet& set, const Dictionary& dictionary, const Scheme& scheme,
                         const std::function<void()>& tick) {
  AKIN_TRY(const auto features, features_of(set.texts, dictionary, scheme));
  tick();
  Analysis analysis;
  for (const auto& one : features) analysis.features += one.size();
  const FeatureLists lists(features);
  const auto visit = [&](DocNumber a, DocNumber b, const Overlap& overlap) -> Result<void> {
    analysis.pairs.push_back(
        {overlap, judgement_of(set, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b))});
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
    if (measure(pair.overlap) < threshold) continue;
    ++(pair.judgement == Judgement::unknown ? cell.unjudged : cell.found);
    if (pair.judgement == Judgement::different) ++cell.wrong;
  }
  cell.missed = duplicates - (cell.found - cell.wrong);
  return cell;
}

}  // namespace

Result<double (*)(const Overlap&)> pair_measure(std::string_view name) {
  using Measure = double (*)(const Overlap&);
  if (name == "resemblance") return Measure([](const Overlap& overlap) { return overlap.resemblance(); });
  if (name == "sorensen") return Measure([](const Overlap& overlap) { return overlap.sorensen(); });
  if (name == kContainment) {
    return Measure(
        [](const Overlap& overlap) { return std::max(overlap.containment(), overlap.contained()); });
  }
  return Error{Errc::invalid_argument, "measure " + json::in_quotes(name), "there is no such measure",
               "choose resemblance, sorensen or containment"};
}

double ThresholdCell::first_kind() const noexcept {
  return found == 0 ? 0.0 : static_cast<double>(wrong) / static_cast<double>(found);
}

double ThresholdCell::second_kind() const noexcept {
  const std::uint64_t duplicates = missed + (found - wrong);
  return duplicates == 0 ? 0.0 : static_cast<double>(missed) / static_cast<double>(duplicates);
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
      ThresholdMethod method{.scheme = scheme->name(), .measure = name, .features = analysis.features};
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

}  // namespace akin::evaluate
