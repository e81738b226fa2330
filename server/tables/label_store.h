// The labels of collections in the server's state.
#pragma once

#include <string>

#include "base/error.h"
#include "server/state/state.h"
#include "server/tables/labels.h"

namespace akin::tables {

/// The labels of a collection; empty if none are stored. Errors: as stored_labels, State::get.
[[nodiscard]] Result<Labels> kept_labels(state::State& state, const std::string& collection);

/// Merges the given labels into those stored (merge_labels). Processes that do so at once wait for one
/// another.
[[nodiscard]] Result<LabelChanges> keep_labels(state::State& state, const std::string& collection,
                                               const Labels& given);

/// Removes the labels of a collection, and returns how many there were.
[[nodiscard]] Result<std::uint64_t> drop_labels(state::State& state, const std::string& collection);

}  // namespace akin::tables
