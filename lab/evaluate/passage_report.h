// Compares the documents that searches found, with their passages, with those that are known.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "index/overlap/passages.h"
#include "lab/evaluate/passage_cases.h"
#include "lab/evaluate/passage_measures.h"

namespace akin::evaluate {

/// A source that the search for a text found; the passages' A is the text.
struct FoundSource {
  SourcePair pair;
  std::vector<Passage> passages;
};

struct PassageReport {
  /// Over the labelled pairs, those with a case: passages found in other pairs are neither right nor wrong.
  PassageMeasures measures;
  std::size_t pairs = 0;             ///< labelled
  std::size_t pairs_found = 0;       ///< of them
  std::vector<PassageCase> missed;   ///< cases that no passage meets, in their order
  std::vector<SourcePair> known;     ///< other pairs found that are known overlaps
  std::vector<SourcePair> unlisted;  ///< and those that are not; both in the order of `found`
};

/// `found` has each pair once.
[[nodiscard]] PassageReport report_passages(const std::vector<PassageCase>& cases,
                                            const std::set<SourcePair>& known_overlaps,
                                            const std::vector<FoundSource>& found);

}  // namespace akin::evaluate
