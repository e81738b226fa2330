// Measures how well measures rank pairs of texts: each against an expert's labels, and against one another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "lab/evaluate/rank_correlation.h"
#include "server/tables/delimited.h"

namespace akin::evaluate {

struct RankRequest {
  std::vector<std::string> measures = {};  ///< columns; empty: the existing ones of kPairMeasures
  std::vector<std::size_t> cuts =
      {};  ///< the values of k for precision at k; those over the number of pairs are left out
  bool without_equal = false;  ///< leave out pairs for which any measure except x is exactly 1
};

/// The measures of a table of pairs (docs/pairs.md).
inline constexpr std::array<std::string_view, 5> kPairMeasures = {"x", "containment", "contained",
                                                                  "resemblance", "sorensen"};

struct MeasureRank {
  std::string measure;
  KendallTau tau;                  ///< first: the measure; second: the labels
  std::vector<double> precisions;  ///< one for each of RankReport::cuts
};

struct MeasureCorrelation {
  std::string first, second;
  KendallTau tau;
  std::optional<double> pearson, spearman;
};

struct RankReport {
  std::uint64_t pairs = 0;     ///< judged: with a label, and not left out
  std::uint64_t relevant = 0;  ///< of them, those with a label over 0
  std::uint64_t unlabelled = 0;
  std::uint64_t equal = 0;  ///< left out as equal
  std::vector<std::size_t> cuts;
  std::vector<MeasureRank> measures;
  std::vector<MeasureCorrelation> correlations;  ///< every two measures, in the order of `measures`
};

/// Errors: invalid_argument (no column `label`, a measure's column is missing, there are none, a label that
/// has no grade, a value that is not a number, no row with a label).
[[nodiscard]] Result<RankReport> rank_report(const tables::DelimitedTable& table, const RankRequest& request);

/// The results of Bykov and Krizhanovsky 2023: 92 pairs of Karelian texts by common bigrams of words, 34 of
/// them duplicates; τ by their formula (3), which is tau_a, and z by theirs, which ignores ties.
struct PaperRank {
  std::string_view measure;
  double tau, z;
};
inline constexpr std::array<PaperRank, 3> kPaperRanks = {
    {{"containment", 0.427, 6.02}, {"contained", 0.423, 5.97}, {"resemblance", 0.438, 6.18}}};

}  // namespace akin::evaluate
