// Admissions and groups of duplicates as JSON.
#pragma once

#include <string_view>

#include "server/gate/gates.h"
#include "server/json/json.h"

namespace akin::api {

using json::Json;

/// {"id","verdict","reason","nearest","similar","duplicates","group","replaced","stored","gate"}:
/// docs/gate.md.
[[nodiscard]] Json admission_object(std::string_view id, const gate::Admission& outcome);

/// "too_short" …
[[nodiscard]] std::string_view reason_name(gate::Reason reason) noexcept;

/// {"id","documents"}, with those documents that are stored. Errors: as Snapshot::find.
[[nodiscard]] Result<Json> group_object(const gate::Group& group, const Snapshot& snapshot);

}  // namespace akin::api
