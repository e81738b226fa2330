// What the errors of a cluster mean to akin.
#pragma once

#include <string>

#include "index/opensearch/client/client.h"

namespace akin::opensearch {

/// Whether the same request may succeed in a moment: the cluster is overloaded, or looks for a new master.
[[nodiscard]] bool is_passing(const Answer& answer);

/// Requires a status that is not 2xx. The errors are those of Client::ask.
[[nodiscard]] Error error_of(const Answer& answer);

/// No node answers.
[[nodiscard]] Error no_answer(std::string reason);

}  // namespace akin::opensearch
