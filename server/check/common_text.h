// Sources for text that very many documents have: as many as it takes to cover it.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "index/store/store.h"

namespace akin::check {

/// Numbers of documents in one snapshot.
using DocumentNumbers = std::unordered_set<std::uint64_t>;

/// What a check does with the documents that cover_common finds.
struct CommonCover {
  /// Whether passages of sources cover a range of the text.
  std::function<bool(TextRange)> is_covered;
  /// Aligns a document, which becomes a source if it shares passages.
  std::function<Result<void>(Hit)> take;
};

/// Those features of a sequence that are common, with their ranges. `common`: ascending.
[[nodiscard]] FeatureSequence common_part(const FeatureSequence& all, const std::vector<Feature>& common);

/// Takes documents that have most of the seeds `open` which are not covered yet, eight at a time, until each
/// seed is covered, or documents that have it were taken and did not cover it. `request`: says where and for
/// what is searched; its query, limit and evidence are ignored. `known`: documents that are not taken again;
/// read before each search. Errors: as Snapshot::search and CommonCover::take.
[[nodiscard]] Result<void> cover_common(const Snapshot& snapshot, SearchRequest request, FeatureSequence open,
                                        const DocumentNumbers& known, const CommonCover& cover);

}  // namespace akin::check
