// I-Match: documents whose words of middle frequency are the same (Chowdhury, Frieder, Grossman, McCabe,
// "Collection statistics for fast duplicate document detection", 2002).
#pragma once

#include <cstdint>
#include <functional>

#include "dict/dictionary.h"
#include "index/store.h"

namespace akin {

/// Which words count. The normalised IDF of a word class that d of n documents have is ln(n/d) / ln n: 1
/// where one document has it, 0 where all have it.
struct ExactMatchRequest {
  double low = 0.2;   ///< least normalised IDF, 0..1
  double high = 0.8;  ///< greatest
  /// Called with the documents read so far and those to be read (each is read twice); may be empty.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
};

struct ExactMatchSummary {
  std::uint64_t groups = 0;
  std::uint64_t documents = 0;          ///< in groups
  std::uint64_t words = 0;              ///< classes of middle IDF
  std::uint64_t all_words = 0;          ///< classes in the collection
  std::uint64_t without_signature = 0;  ///< documents that have no word of middle IDF, and so are in no group
};

/// Tells the groups of at least two documents with one set of words of middle IDF: the largest first, then by
/// their first id's bytes. Two different sets meet with the probability 2^-64.
///
/// Reads every text twice; memory: 16 bytes a word class and a document. Errors: invalid_argument (low and
/// high are not 0 <= low <= high <= 1), unsupported (the collection keeps no texts), those of `visit`.
[[nodiscard]] Result<ExactMatchSummary> exact_match_groups(const Snapshot& snapshot,
                                                           const Dictionary& dictionary,
                                                           const ExactMatchRequest& request,
                                                           const GroupVisitor& visit);

}  // namespace akin
