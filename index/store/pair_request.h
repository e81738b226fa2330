// Requests for all pairs, and the report of one pair.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/codec/posting.h"
#include "index/overlap/overlap.h"
#include "index/overlap/passages.h"

namespace akin {

/// The pairs to report: all conditions must hold. A pair without a common feature is never reported.
struct PairCondition {
  std::uint64_t bound = 0;       ///< X > bound
  double min_containment = 0.0;  ///< the larger of X/|A| and X/|B| is at least this
  double min_resemblance = 0.0;  ///< X/(|A|+|B|-X) is at least this

  /// Compares exactly the numbers that are reported, so that a containment or resemblance copied from an
  /// answer into a condition finds the same pair. Monotonic in `x`: if true, it is true for every larger one.
  [[nodiscard]] bool holds(const Overlap& overlap) const noexcept;

  /// Error: invalid_argument (a share outside of [0,1]).
  [[nodiscard]] Result<void> check() const;
};

inline constexpr std::uint64_t kDefaultPairsMemory = std::uint64_t{1} << 30;

struct PairsProgress {
  double share = 0.0;       ///< of the work, 0..1; never falls
  std::uint64_t pairs = 0;  ///< reported so far
};

struct PairsRequest {
  PairCondition condition;
  /// Pairs as a search for reuse finds them, by X in the first tier or by words in aligned passages,
  /// whichever satisfies the condition; requires that the condition has no bound, and neither `tier` nor
  /// `common_limit`.
  bool reuse = false;
  /// Only features of this tier count, in X and in the sizes. A snapshot of a scheme with tiers uses the
  /// first by default; other snapshots require that it is empty.
  std::optional<std::size_t> tier;
  /// Set: features that more documents than this have are left out, of X and of the sizes. At least 1.
  std::optional<std::uint64_t> common_limit;
  /// Called once for each feature that common_limit leaves out, with the documents that have it, by
  /// Snapshot::number_in_pairs, before any pair is visited. On the caller's thread; may be empty.
  std::function<void(std::span<const DocNumber>)> left_out;
  /// By Snapshot::number_in_pairs, the documents that are compared; null: all. What those of a number over
  /// its size have is left out, too; common_limit still counts all documents. Outlives the work.
  const std::vector<bool>* only = nullptr;
  /// Bytes of working memory. Mapped pages of the index come on top of it, and the system can reclaim them.
  std::uint64_t memory = kDefaultPairsMemory;
  unsigned threads = 0;  ///< 0 = as many as the machine runs at once
  /// Only pairs whose first document has at least this number, which comes from `reached`.
  std::uint32_t first = 0;
  /// Called on the caller's thread, in order, when all pairs of documents before that number have been
  /// reported; an error ends the work and is returned. The number is valid only for the same snapshot, or one
  /// of the same documents in the same store: passed as `first` it finds the rest, in the same order,
  /// whatever the memory and the number of threads. May be empty.
  std::function<Result<void>(std::uint32_t)> reached;
  std::stop_token stop;                                ///< ends the work early
  std::function<void(const PairsProgress&)> progress;  ///< may be empty; on the caller's thread
};

struct PairsSummary {
  std::uint64_t pairs = 0;       ///< passed to the visitor
  bool complete = true;          ///< false: stopped before the end
  std::uint64_t candidates = 0;  ///< verified pairs, if the scheme's features only generate candidates
  std::uint64_t common = 0;      ///< distinct features that PairsRequest::common_limit left out
};

/// A pair of documents as clients see it: a's id precedes b's in byte order.
struct DocumentPair {
  std::string_view a, b;  ///< ids; views live through the visit
  Overlap overlap;
  std::optional<MatchedWords> words = {};  ///< with PairsRequest::reuse
};

/// Called once per pair, on the caller's thread; an error ends the work and is returned.
using PairVisitor = std::function<Result<void>(const DocumentPair&)>;

struct GroupsSummary {
  std::uint64_t groups = 0;
  std::uint64_t documents = 0;   ///< in groups
  bool complete = true;          ///< false: stopped before the end, and no group was reported
  std::uint64_t candidates = 0;  ///< as PairsSummary::candidates
  std::uint64_t common = 0;      ///< as PairsSummary::common
};

/// Called once per group with the ids of its documents in byte order, at least two.
using GroupVisitor = std::function<Result<void>(const std::vector<std::string>&)>;

}  // namespace akin
