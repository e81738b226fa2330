// How many duplicates does a method find over a threshold, and what does it get wrong? The tables 2 and 3 of
// Zagorulko et al. 2013.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/overlap.h"
#include "morph/scheme.h"
#include "server/evaluate/labelled_set.h"

namespace akin::evaluate {

/// A measure of a pair by its name: resemblance, sorensen, containment (the larger of the two directions).
[[nodiscard]] Result<double (*)(const Overlap&)> pair_measure(std::string_view name);

/// What a method finds over one threshold, in pairs of texts that somebody has judged.
struct ThresholdCell {
  double threshold = 0.0;
  std::uint64_t found = 0;     ///< measure >= threshold
  std::uint64_t wrong = 0;     ///< of them, no duplicates: errors of the first kind
  std::uint64_t missed = 0;    ///< duplicates that are not found: errors of the second kind
  std::uint64_t unjudged = 0;  ///< found besides, but nobody has judged them

  /// wrong / found; 0 where nothing is found.
  [[nodiscard]] double first_kind() const noexcept;
  /// missed / duplicates; 0 where there are no duplicates.
  [[nodiscard]] double second_kind() const noexcept;
};

struct ThresholdMethod {
  std::string scheme = {}, measure = {};
  std::uint64_t features = 0;  ///< of all texts together
  std::vector<ThresholdCell> cells = {};
  std::vector<double> measures = {};  ///< of the judged pairs that share anything, descending
};

struct ThresholdRequest {
  std::vector<std::shared_ptr<const Scheme>> schemes;
  std::vector<std::string> measures;
  std::vector<double> thresholds;
  /// Called on the caller's thread, after each scheme's analysis and after its pairs: work done, of all.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

struct ThresholdReport {
  std::uint64_t texts = 0;
  std::uint64_t duplicates = 0;  ///< pairs
  std::uint64_t different = 0;
  /// Schemes × measures, but no containment of a scheme that tells none (Scheme::has_containment).
  std::vector<ThresholdMethod> methods;
};

/// Analyses every text by every scheme, on all cores, and finds all pairs that share anything: exactly, as
/// `akin pairs` does. Errors: those of extract_features and find_pairs, invalid_argument (an unknown
/// measure).
[[nodiscard]] Result<ThresholdReport> threshold_report(const LabelledSet& set, const Dictionary& dictionary,
                                                       const ThresholdRequest& request);

}  // namespace akin::evaluate
