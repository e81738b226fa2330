// All pairs of a collection, reported with the ids of their documents.
#pragma once

#include <functional>

#include "index/pairs/list_stream.h"
#include "index/store/document.h"
#include "index/store/pair_request.h"

namespace akin {

/// The record of a document that a posting names. Error: corrupt (it has none).
using RecordOf = std::function<Result<DocumentRecord>(DocNumber number)>;

/// As Snapshot::pairs, over a snapshot's lists. Memory for ids is part of the request's.
[[nodiscard]] Result<PairsSummary> find_named_pairs(const ListSource& lists, const PairsRequest& request,
                                                    const RecordOf& record_of, const PairVisitor& visit);

}  // namespace akin
