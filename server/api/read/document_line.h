// A document as one line of JSON, as `POST …/bulk` and `akin import` read it and `akin export` writes it.
#pragma once

#include <string_view>

#include "base/error.h"
#include "index/collection/bulk.h"

namespace akin::api {

/// Reads {"id","text","title","metadata","stored","places"} or {"id","delete":true}. `stored`, the time at
/// which an exported document was stored, must be a valid time, but is otherwise ignored. Errors:
/// invalid_json, invalid_argument and too_large, each of which names the field.
[[nodiscard]] Result<OwnedDocument> read_document_line(std::string_view line);

}  // namespace akin::api
