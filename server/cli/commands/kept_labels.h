// The labels of the collection that a command works on: in a file of the data folder, or in the database.
#pragma once

#include <string>

#include "base/error.h"
#include "server/cli/frame/workspace.h"
#include "server/lab/evaluate/labels.h"

namespace akin::cli {

/// Where they are, for messages.
[[nodiscard]] std::string labels_place(const CommonOptions& options);

/// Empty if none are stored. Errors: as evaluate::read_labels, State::get.
[[nodiscard]] Result<evaluate::Labels> kept_labels(const CommonOptions& options);

/// As evaluate::store_labels.
[[nodiscard]] Result<evaluate::LabelChanges> keep_labels(const CommonOptions& options,
                                                         const evaluate::Labels& given);

}  // namespace akin::cli
