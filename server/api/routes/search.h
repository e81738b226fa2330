// A search for all requests that need one: by text or by stored document, in one collection or several.
#pragma once

#include <memory>
#include <vector>

#include "index/collection/collection.h"
#include "server/api/message.h"
#include "server/search/question.h"
#include "server/search/search_plan.h"

namespace akin::api {

using Collections = std::vector<std::shared_ptr<Collection>>;

/// The answer to a question in one collection: search_head, and as "results" a hit_object of each hit with
/// what the question includes. Errors: not_found (the document); as Snapshot::search; unsupported (texts of
/// passages from a collection that does not store texts).
[[nodiscard]] Result<Json> search_in(const Collection& collection, const Question& question);

/// The same answer of what has been found. Errors: as search_in.
[[nodiscard]] Result<Json> answer_object(const Collection& collection, const Question& question,
                                         const Found& searched);

/// The same over several collections with the same scheme: every result has its "collection"; "total" counts
/// the results from all of them, and "collections" has the total of each. Equal results are ordered by
/// collection, then by id; a search in tiers orders first by the tier that found a result. Errors also:
/// mismatch (different schemes, whose features cannot be compared).
[[nodiscard]] Result<Json> search_across(const Collections& collections, const Question& question);

}  // namespace akin::api
