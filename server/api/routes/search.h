// A search for all requests that need one: by text or by stored document, in one collection or several.
#pragma once

#include <memory>
#include <vector>

#include "index/collection/collection.h"
#include "server/api/message.h"
#include "server/search/question.h"

namespace akin::api {

using Collections = std::vector<std::shared_ptr<Collection>>;

/// The similar_object of a search in one collection. Errors: not_found (the document); as Snapshot::search;
/// unsupported (texts of passages from a collection that does not store texts).
[[nodiscard]] Result<Json> search_in(const Collection& collection, const Question& question);

/// The same over several collections with the same scheme: every result has its "collection"; "total" counts
/// the results from all of them, and "collections" has the total of each. Equal results are ordered by
/// collection, then by id; a search in tiers orders first by the tier that found a result. Errors also:
/// mismatch (different schemes, whose features cannot be compared).
[[nodiscard]] Result<Json> search_across(const Collections& collections, const Question& question);

}  // namespace akin::api
