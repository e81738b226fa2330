// Restricted texts: documents that are matched and counted, and whose text only administrators may read. A
// collection is marked in the state, a document by "restricted": true in its metadata.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::access {

/// Marks all texts of a collection as restricted, or takes the mark away; a change is an entry of the audit
/// log.
[[nodiscard]] Result<void> restrict_collection(state::State& state, const std::string& collection,
                                               bool restricted, const state::Actor& by);

/// Whether the collection is marked. Without a state none is.
[[nodiscard]] Result<bool> is_restricted(const state::State* state, std::string_view collection);

/// Whether a document's own metadata, JSON, mark it.
[[nodiscard]] bool says_restricted(std::string_view metadata);

}  // namespace akin::access
