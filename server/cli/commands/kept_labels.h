// The labels of the collection that a command works on, in the server's state.
#pragma once

#include <string>

#include "base/error.h"
#include "server/cli/frame/workspace.h"
#include "server/lab/evaluate/labels.h"

namespace akin::cli {

/// What they are called in messages.
[[nodiscard]] std::string labels_name(const CommonOptions& options);

/// Empty if none are stored. Errors: as evaluate::stored_labels, State::get.
[[nodiscard]] Result<evaluate::Labels> kept_labels(const CommonOptions& options);

/// Merges the given labels into those stored. Processes that do so at once wait for one another.
[[nodiscard]] Result<evaluate::LabelChanges> keep_labels(const CommonOptions& options,
                                                         const evaluate::Labels& given);

}  // namespace akin::cli
