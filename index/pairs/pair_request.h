// What is asked of all pairs, and what is told of one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/overlap.h"

namespace akin {

/// Which pairs are wanted: all conditions hold at once. A pair without a common feature is never wanted.
struct PairCondition {
  std::uint64_t bound = 0;       ///< X > bound
  double min_containment = 0.0;  ///< the larger of X/|A| and X/|B| is at least this
  double min_resemblance = 0.0;  ///< X/(|A|+|B|-X) is at least this

  /// Judges the very numbers that are reported, so that a containment or resemblance read from an answer and
  /// given as a condition finds the same pair. Grows with `x`: once true, it stays true for a larger one.
  [[nodiscard]] bool holds(const Overlap& overlap) const noexcept;

  /// Error: invalid_argument (a share outside of [0,1]).
  [[nodiscard]] Result<void> check() const;
};

inline constexpr std::uint64_t kDefaultPairsMemory = std::uint64_t{1} << 30;

struct PairsProgress {
  double share = 0.0;       ///< of the work, 0..1; never falls
  std::uint64_t pairs = 0;  ///< told so far
};

struct PairsRequest {
  PairCondition condition;
  /// Only features of this tier count, in X and in the sizes. A snapshot of a scheme with tiers takes the
  /// first if there is none; elsewhere there must be none.
  std::optional<std::size_t> tier;
  /// Bytes of working memory. Pages of the index that the system maps come on top and can be given back.
  std::uint64_t memory = kDefaultPairsMemory;
  unsigned threads = 0;  ///< 0 = as many as the machine runs at once
  /// Only pairs whose first document has this number or a later one: what `reached` told.
  std::uint32_t first = 0;
  /// Called on the caller's thread, in order, when all pairs of documents before that number have been told;
  /// an error ends the work and is returned. The number means something to the same snapshot, or one of the
  /// same documents in the same store, only: given as `first` it finds the rest, in the same order, whatever
  /// the memory and the number of threads. May be empty.
  std::function<Result<void>(std::uint32_t)> reached;
  std::stop_token stop;                                ///< ends the work early
  std::function<void(const PairsProgress&)> progress;  ///< may be empty; on the caller's thread
};

struct PairsSummary {
  std::uint64_t pairs = 0;     ///< told to the visitor
  bool complete = true;        ///< false: stopped before the end
  std::uint64_t nominees = 0;  ///< pairs that were judged, where the collection's scheme only nominates
};

/// A pair of documents as clients see it: a's id comes before b's in the order of their bytes.
struct DocumentPair {
  std::string_view a, b;  ///< ids; views live through the visit
  Overlap overlap;
};

/// Called once a pair, on the caller's thread; an error ends the work and is returned.
using PairVisitor = std::function<Result<void>(const DocumentPair&)>;

struct GroupsSummary {
  std::uint64_t groups = 0;
  std::uint64_t documents = 0;  ///< in groups
  std::uint64_t pairs = 0;      ///< that join them
  bool complete = true;         ///< false: stopped before the end, and no group was told
  std::uint64_t nominees = 0;   ///< as PairsSummary::nominees
};

/// Called once a group with its documents' ids in the order of their bytes, at least two.
using GroupVisitor = std::function<Result<void>(const std::vector<std::string>&)>;

}  // namespace akin
