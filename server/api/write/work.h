// What a search or a check had to do: how much of the text is common, and what the log of slow requests says.
#pragma once

#include <optional>
#include <string>

#include "index/store/store.h"
#include "server/json/json.h"

namespace akin::api {

using json::Json;

/// If there is common text, sets "common_text" to {"limit","words","documents","listed"}.
void add_common_text(Json& object, const std::optional<CommonText>& common);

/// The tiers of the answer to a search, its candidates and how many of them were aligned; empty without
/// tiers.
[[nodiscard]] std::string work_of(const Json& search_answer);
/// Of a check, the collections, and the candidates and aligned documents of all of them.
[[nodiscard]] std::string work_of_check(const Json& check);

}  // namespace akin::api
