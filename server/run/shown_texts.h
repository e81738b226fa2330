// Which texts of stored documents an answer may show. Every answer, page, event and report that has such a
// text asks here.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "index/collection/catalog.h"
#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::api {

/// Whether the text of this document must not be shown (access/restrictions.h). `state` may be null.
[[nodiscard]] Result<bool> hides_text(const state::State* state, std::string_view collection,
                                      const DocumentRecord& document);

/// The error of what would show it.
[[nodiscard]] Error restricted_text(std::string_view collection, std::string_view id);

/// Whether the text is hidden of {"collection", "id"}, such as the source of a check, as it is stored now. A
/// collection or document that cannot be read hides its text.
[[nodiscard]] bool hides_text_of(Catalog& catalog, const state::State* state, const json::Json& source);

}  // namespace akin::api
