// How far several experts agree about the same pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/tables/labels.h"

namespace akin::evaluate {

/// The labels of one expert.
struct Expert {
  std::string name;
  tables::Labels labels;
};

/// The label of each expert for one pair, in their order; nothing where an expert gave none.
struct PooledPair {
  std::string a, b;
  std::vector<std::optional<std::string>> labels;

  /// How many call it a duplicate, and how many do not.
  [[nodiscard]] std::size_t yes() const;
  [[nodiscard]] std::size_t no() const;
};

/// All pairs that any expert labelled, by their ids.
[[nodiscard]] std::vector<PooledPair> pooled(std::span<const Expert> experts);

/// Two experts over the pairs that both labelled. A statistic without a value is nothing: no such pair, or
/// all labels of both are equal.
struct TwoExperts {
  std::size_t first = 0, second = 0;
  std::uint64_t pairs = 0, agreed = 0;  ///< duplicate or not
  std::optional<double> kappa;          ///< Cohen 1960: duplicate or not
  std::optional<double> tau_b;          ///< Kendall: of the grades, which may be numbers
};

struct Agreement {
  std::vector<TwoExperts> two;  ///< each two of them
  std::uint64_t of_all = 0;     ///< pairs that all experts labelled
  std::optional<double> kappa;  ///< Fleiss 1971, over these
};

[[nodiscard]] Agreement agreement_of(std::span<const Expert> experts, std::span<const PooledPair> pairs);

}  // namespace akin::evaluate
