#include "lab/evaluate/rank_correlation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace akin::evaluate {

namespace {

using Items = std::vector<std::pair<double, double>>;

/// Sums over the groups of equal values that correct for ties.
struct Ties {
  std::uint64_t pairs = 0;  ///< Σ t(t−1)/2
  double triples = 0.0;     ///< Σ t(t−1)(t−2)
  double spread = 0.0;      ///< Σ t(t−1)(2t+5)

  void add(std::uint64_t size) {
    const auto t = static_cast<double>(size);
    pairs += size * (size - 1) / 2;
    triples += t * (t - 1) * (t - 2);
    spread += t * (t - 1) * (2 * t + 5);
  }
};

/// The groups of adjacent items that are `equal`.
template <class Equal>
Ties ties(const Items& items, const Equal& equal) {
  Ties sums;
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin + 1;
    while (end < items.size() && equal(items[begin], items[end])) ++end;
    sums.add(end - begin);
    begin = end;
  }
  return sums;
}

/// Merges two sorted halves by their second values; returns how many pairs were in the wrong order.
std::uint64_t merge_halves(Items& items, Items& room, std::size_t begin, std::size_t middle,
                           std::size_t end) {
  std::uint64_t inversions = 0;
  std::size_t left = begin;
  std::size_t right = middle;
  for (std::size_t at = begin; at < end; ++at) {
    if (right == end || (left < middle && items[left].second <= items[right].second)) {
      room[at] = items[left++];
    } else {
      inversions += middle - left;
      room[at] = items[right++];
    }
  }
  std::copy(room.begin() + static_cast<std::ptrdiff_t>(begin),
            room.begin() + static_cast<std::ptrdiff_t>(end),
            items.begin() + static_cast<std::ptrdiff_t>(begin));
  return inversions;
}

/// Sorts by the second values; returns how many pairs were in the wrong order.
std::uint64_t sort_by_second(Items& items) {
  Items room(items.size());
  std::uint64_t inversions = 0;
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    for (std::size_t begin = 0; begin + width < items.size(); begin += 2 * width) {
      inversions +=
          merge_halves(items, room, begin, begin + width, std::min(begin + 2 * width, items.size()));
    }
  }
  return inversions;
}

/// Variance of the score under independence (Kendall 1970, section 4.2).
double variance_of_score(std::uint64_t items, const Ties& first, const Ties& second) {
  if (items < 2) return 0.0;
  const auto n = static_cast<double>(items);
  const double m = n * (n - 1);
  double variance = (m * (2 * n + 5) - first.spread - second.spread) / 18;
  variance += 2 * static_cast<double>(first.pairs) * static_cast<double>(second.pairs) / m;
  if (items > 2) variance += first.triples * second.triples / (9 * m * (n - 2));
  return variance;
}

/// Ranks from 1; equal values have the mean of theirs.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranked(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t at = begin; at < end; ++at) ranked[order[at]] = static_cast<double>(begin + 1 + end) / 2;
    begin = end;
  }
  return ranked;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double KendallTau::score() const noexcept {
  return static_cast<double>(concordant) - static_cast<double>(discordant);
}

std::optional<double> KendallTau::tau_a() const noexcept {
  if (pairs() == 0) return std::nullopt;
  return score() / static_cast<double>(pairs());
}

std::optional<double> KendallTau::tau_b() const noexcept {
  const auto untied_first = static_cast<double>(pairs() - tied_first);
  const auto untied_second = static_cast<double>(pairs() - tied_second);
  if (untied_first == 0 || untied_second == 0) return std::nullopt;
  // Two roots instead of the root of the product, so that equal orders give exactly 1.
  return std::clamp(score() / std::sqrt(untied_first) / std::sqrt(untied_second), -1.0, 1.0);
}

std::optional<double> KendallTau::z() const noexcept {
  if (pairs() == tied_first || pairs() == tied_second || variance <= 0) return std::nullopt;
  return score() / std::sqrt(variance);
}

std::optional<double> KendallTau::z_without_ties() const noexcept {
  if (pairs() == 0) return std::nullopt;
  const auto n = static_cast<double>(items);
  return 3 * score() / std::sqrt(n * (n - 1) * (2 * n + 5) / 2);
}

std::optional<double> KendallTau::p() const noexcept {
  const auto deviation = z();
  if (!deviation) return std::nullopt;
  return std::erfc(std::abs(*deviation) / std::sqrt(2.0));
}

KendallTau kendall_tau(std::span<const double> first, std::span<const double> second) {
  assert(first.size() == second.size());
  Items items(first.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {first[i], second[i]};
  std::sort(items.begin(), items.end());
  const Ties in_first = ties(items, [](const auto& a, const auto& b) { return a.first == b.first; });
  const Ties in_both = ties(items, [](const auto& a, const auto& b) { return a == b; });

  KendallTau tau;
  tau.items = items.size();
  tau.discordant = sort_by_second(items);
  const Ties in_second = ties(items, [](const auto& a, const auto& b) { return a.second == b.second; });
  tau.tied_first = in_first.pairs;
  tau.tied_second = in_second.pairs;
  tau.concordant = tau.pairs() + in_both.pairs - in_first.pairs - in_second.pairs - tau.discordant;
  tau.variance = variance_of_score(tau.items, in_first, in_second);
  return tau;
}

std::optional<double> pearson(std::span<const double> first, std::span<const double> second) {
  assert(first.size() == second.size());
  if (first.size() < 2) return std::nullopt;
  const double first_mean = mean(first);
  const double second_mean = mean(second);
  double products = 0.0;
  double first_squares = 0.0;
  double second_squares = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double a = first[i] - first_mean;
    const double b = second[i] - second_mean;
    products += a * b;
    first_squares += a * a;
    second_squares += b * b;
  }
  if (first_squares == 0 || second_squares == 0) return std::nullopt;
  return std::clamp(products / std::sqrt(first_squares) / std::sqrt(second_squares), -1.0, 1.0);
}

std::optional<double> spearman(std::span<const double> first, std::span<const double> second) {
  return pearson(ranks(first), ranks(second));
}

std::vector<double> precision_at(std::span<const double> scores, const std::vector<bool>& relevant,
                                 std::span<const std::size_t> cuts) {
  assert(scores.size() == relevant.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<double> precisions;
  precisions.reserve(cuts.size());
  for (const std::size_t cut : cuts) {
    assert(cut >= 1 && cut <= scores.size());
    // The group of equal scores that the cut goes through.
    const double at_cut = scores[order[cut - 1]];
    std::size_t above = 0;
    std::size_t in_group = 0;
    double relevant_above = 0;
    double relevant_in_group = 0;
    for (const std::size_t item : order) {
      if (scores[item] < at_cut) break;
      const bool tied = scores[item] == at_cut;
      ++(tied ? in_group : above);
      if (relevant[item]) ++(tied ? relevant_in_group : relevant_above);
    }
    const auto taken = static_cast<double>(cut - above) / static_cast<double>(in_group);
    precisions.push_back((relevant_above + relevant_in_group * taken) / static_cast<double>(cut));
  }
  return precisions;
}

}  // namespace akin::evaluate
