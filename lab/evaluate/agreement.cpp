#include "lab/evaluate/agreement.h"

#include <algorithm>
#include <map>

#include "lab/evaluate/rank_correlation.h"

namespace akin::evaluate {

namespace {

bool is_yes(const std::string& label) { return tables::label_grade(label).value_or(0) > 0; }

TwoExperts compared(std::size_t first, std::size_t second, std::span<const PooledPair> pairs) {
  TwoExperts two;
  two.first = first;
  two.second = second;
  std::vector<double> one, other;
  double first_yes = 0, second_yes = 0;
  for (const PooledPair& pair : pairs) {
    const auto& a = pair.labels[first];
    const auto& b = pair.labels[second];
    if (!a || !b) continue;
    ++two.pairs;
    if (is_yes(*a) == is_yes(*b)) ++two.agreed;
    first_yes += is_yes(*a) ? 1 : 0;
    second_yes += is_yes(*b) ? 1 : 0;
    one.push_back(tables::label_grade(*a).value_or(0));
    other.push_back(tables::label_grade(*b).value_or(0));
  }
  if (two.pairs == 0) return two;
  const auto n = static_cast<double>(two.pairs);
  const double by_chance = (first_yes * second_yes + (n - first_yes) * (n - second_yes)) / (n * n);
  if (by_chance < 1) two.kappa = (static_cast<double>(two.agreed) / n - by_chance) / (1 - by_chance);
  two.tau_b = kendall_tau(one, other).tau_b();
  return two;
}

/// Over pairs that `experts` experts labelled each.
std::optional<double> fleiss(std::span<const PooledPair> pairs, std::size_t experts, std::uint64_t& of_all) {
  double agreed = 0, yes = 0;
  for (const PooledPair& pair : pairs) {
    if (pair.yes() + pair.no() != experts) continue;
    ++of_all;
    const auto y = static_cast<double>(pair.yes()), n = static_cast<double>(pair.no());
    yes += y;
    agreed += (y * (y - 1) + n * (n - 1)) / ((y + n) * (y + n - 1));
  }
  if (of_all == 0 || experts < 2) return std::nullopt;
  const auto all = static_cast<double>(of_all);
  const double share = yes / (all * static_cast<double>(experts));
  const double by_chance = share * share + (1 - share) * (1 - share);
  if (by_chance == 1) return std::nullopt;
  return (agreed / all - by_chance) / (1 - by_chance);
}

}  // namespace

std::size_t PooledPair::yes() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(labels, [](const auto& label) { return label && is_yes(*label); }));
}

std::size_t PooledPair::no() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(labels, [](const auto& label) { return label && !is_yes(*label); }));
}

std::vector<PooledPair> pooled(std::span<const Expert> experts) {
  std::map<std::pair<std::string, std::string>, PooledPair> pairs;
  for (std::size_t expert = 0; expert < experts.size(); ++expert) {
    for (const auto& [ids, label] : experts[expert].labels) {
      if (!tables::label_grade(label)) continue;
      PooledPair& pair = pairs[ids];
      pair.a = ids.first;
      pair.b = ids.second;
      pair.labels.resize(experts.size());
      pair.labels[expert] = label;
    }
  }
  std::vector<PooledPair> all;
  for (auto& [ids, pair] : pairs) all.push_back(std::move(pair));
  return all;
}

Agreement agreement_of(std::span<const Expert> experts, std::span<const PooledPair> pairs) {
  Agreement agreement;
  for (std::size_t first = 0; first < experts.size(); ++first) {
    for (std::size_t second = first + 1; second < experts.size(); ++second)
      agreement.two.push_back(compared(first, second, pairs));
  }
  agreement.kappa = fleiss(pairs, experts.size(), agreement.of_all);
  return agreement;
}

}  // namespace akin::evaluate
