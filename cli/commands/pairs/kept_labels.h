// The labels of the collection that a command works on, in the server's state.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/frame/workspace.h"
#include "server/tables/labels.h"

namespace akin::cli {

/// What they are called in messages.
[[nodiscard]] std::string labels_name(const CommonOptions& options);

/// Empty if none are stored. Errors: as tables::stored_labels, State::get.
[[nodiscard]] Result<tables::Labels> kept_labels(const CommonOptions& options);

/// Merges the given labels into those stored. Processes that do so at once wait for one another.
[[nodiscard]] Result<tables::LabelChanges> keep_labels(const CommonOptions& options,
                                                       const tables::Labels& given);

}  // namespace akin::cli
