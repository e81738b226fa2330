// All pairs of a collection that a search for reuse finds: by X in the first tier, or by passages.
#pragma once

#include <memory>

#include "dict/dictionary.h"
#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// As Snapshot::pairs with `reuse`: first the pairs that satisfy the condition by X in the first tier, then
/// those that satisfy it only by their words in aligned passages. `snapshot`: of a scheme that finds_reuse
/// and of stored texts.
///
/// Reads the lists of both tiers, and aligns every two documents that share a feature of the tier of passages
/// that no more than kCommonDocuments have. Without a condition and a limit, two that share less than
/// Works::kSameWork of the words of either are a pair if a search for reuse by `a`, which is made once, finds
/// `b`: what many works have makes no pair. Remembers words of documents in a quarter of the request's
/// memory, on top of it.
[[nodiscard]] Result<PairsSummary> find_reuse_pairs(const Snapshot& snapshot, const Scheme& scheme,
                                                    const std::shared_ptr<const Dictionary>& dictionary,
                                                    const PairsRequest& request, const PairVisitor& visit);

/// As Snapshot::groups with `reuse`: the groups of those pairs. Documents that are in one group by X alone
/// are not aligned.
[[nodiscard]] Result<GroupsSummary> find_reuse_groups(const Snapshot& snapshot, const Scheme& scheme,
                                                      const std::shared_ptr<const Dictionary>& dictionary,
                                                      const PairsRequest& request, const GroupVisitor& visit);

}  // namespace akin
