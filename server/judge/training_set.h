// Converts labelled documents to examples for training a classifier.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "server/judge/labelled_pair.h"
#include "server/judge/train_classifier.h"

namespace akin::judge {

/// The keys that identify a document for splits that keep documents together: its text, and its id if it has
/// one.
[[nodiscard]] std::vector<std::string> document_keys(const Document& document);

/// Groups of pairs that share documents: by id, and by text.
[[nodiscard]] std::vector<std::size_t> groups_of(std::span<const LabelledPair> pairs);

/// Term statistics of the documents of pairs and of a background, each distinct text counted once. Errors: as
/// scan_text, with the document's id.
[[nodiscard]] Result<CollectionStatistics> count_collection(std::span<const LabelledPair> pairs,
                                                            std::span<const Document> background,
                                                            const Dictionary& dictionary);

/// How to convert pairs to examples.
struct ComparisonOptions {
  const Dictionary* dictionary = nullptr;
  const CollectionStatistics* statistics = nullptr;
  bool both_ways = false;  ///< each pair gives a second example, with A and B swapped and the same label
};

/// An example for each pair, followed by its second one if `both_ways`; groups from `groups`, one for each
/// pair.
[[nodiscard]] Result<std::vector<Example>> compare_pairs(std::span<const LabelledPair> pairs,
                                                         std::span<const std::size_t> groups,
                                                         const ComparisonOptions& options);

/// Labelled pairs, and those of them that a stream would compare: whose earlier document is a candidate for
/// the later one. Pairs that are never compared teach a model nothing about its task.
struct ComparedPairs {
  std::size_t positives = 0, compared_positives = 0;
  std::size_t negatives = 0, compared_negatives = 0;
};

/// Generates candidates by CandidateRule::both, each pair in a window of its own. Errors: as scan_text.
[[nodiscard]] Result<ComparedPairs> count_compared(std::span<const LabelledPair> pairs,
                                                   const CollectionStatistics& statistics,
                                                   const Dictionary& dictionary);

}  // namespace akin::judge
