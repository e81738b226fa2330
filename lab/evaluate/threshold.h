// Counts how many duplicates a method finds over a threshold, and its errors: tables 2 and 3 of Zagorulko et
// al. 2013.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "index/overlap/overlap.h"
#include "index/pairs/list_stream.h"
#include "lab/evaluate/labelled_set.h"
#include "lab/evaluate/pair_counts.h"
#include "morph/schemes/scheme.h"

namespace akin::evaluate {

/// A measure of a pair by its name: resemblance, sorensen, containment (the larger of the two directions).
[[nodiscard]] Result<double (*)(const Overlap&)> pair_measure(std::string_view name);

/// The results of a method over one threshold, in judged pairs of texts.
struct ThresholdCell : PairCounts {
  double threshold = 0.0;  ///< found: measure >= threshold
};

struct ThresholdMethod {
  std::string scheme = {}, measure = {};
  std::uint64_t features = 0;  ///< of all texts together, as an index would store them
  std::uint64_t candidates =
      0;  ///< candidate pairs that were verified, if the scheme only generates candidates
  std::vector<ThresholdCell> cells = {};
  std::vector<double> measures = {};  ///< of the judged pairs that share anything, descending
};

struct ThresholdRequest {
  std::vector<std::shared_ptr<const Scheme>> schemes;
  std::vector<std::string> measures;
  std::vector<double> thresholds;
  /// Called on the caller's thread, after each scheme's analysis and after its pairs: work done, and the
  /// total.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

struct ThresholdReport {
  std::uint64_t texts = 0;
  std::uint64_t duplicates = 0;  ///< pairs
  std::uint64_t different = 0;
  /// Schemes × measures, without the containment of schemes that have none (Scheme::has_containment).
  std::vector<ThresholdMethod> methods;
};

/// Analyses every text under every scheme, on all cores, and finds all pairs that share anything: exactly, as
/// `akin pairs` does. If a scheme only generates candidates, finds the pairs with common signatures, verified
/// under the scheme that the signatures are made from. Errors: those of extract_features and find_pairs,
/// invalid_argument (an unknown measure).
[[nodiscard]] Result<ThresholdReport> threshold_report(const LabelledSet& set, const Dictionary& dictionary,
                                                       const ThresholdRequest& request);

/// Document i is the i-th of the sequences given.
class FeatureLists final : public ListSource {
 public:
  explicit FeatureLists(const std::vector<std::vector<Feature>>& documents);

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return documents_; }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  std::uint64_t documents_;
  std::vector<std::pair<Feature, DocNumber>> occurrences_;  ///< ascending
};

}  // namespace akin::evaluate
