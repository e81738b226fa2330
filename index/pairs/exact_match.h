// I-Match: documents whose words of middle frequency are the same (Chowdhury, Frieder, Grossman, McCabe,
// "Collection statistics for fast duplicate document detection", 2002).
#pragma once

#include <cstdint>
#include <functional>

#include "dict/dictionary.h"
#include "index/store/store.h"

namespace akin {

/// Which words count. The normalised IDF of a word class that d of n documents contain is ln(n/d) / ln n: 1
/// if one document contains it, 0 if all do.
struct ExactMatchRequest {
  double low = 0.2;   ///< least normalised IDF, 0..1
  double high = 0.8;  ///< greatest
  /// Called with the number of documents read so far and the total (each is read twice); may be empty.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
};

struct ExactMatchSummary {
  std::uint64_t groups = 0;
  std::uint64_t documents = 0;          ///< in groups
  std::uint64_t words = 0;              ///< classes with a middle IDF
  std::uint64_t all_words = 0;          ///< classes in the collection
  std::uint64_t without_signature = 0;  ///< documents without a word of middle IDF, which are in no group
};

/// Reports the groups of at least two documents with the same set of words of middle IDF: the largest first,
/// then by the bytes of their first id. Two different sets collide with a probability of 2^-64.
///
/// Reads every text twice; memory: 16 bytes per word class and per document. Errors: invalid_argument (low
/// and high are not 0 <= low <= high <= 1), unsupported (the collection keeps no texts), those of `visit`.
[[nodiscard]] Result<ExactMatchSummary> exact_match_groups(const Snapshot& snapshot,
                                                           const Dictionary& dictionary,
                                                           const ExactMatchRequest& request,
                                                           const GroupVisitor& visit);

}  // namespace akin
