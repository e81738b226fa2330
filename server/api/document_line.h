// A document as one line of JSON: what `documents:bulk` and `akin import` take, and `akin export` writes.
#pragma once

#include <string_view>

#include "base/error.h"
#include "index/bulk.h"

namespace akin::api {

/// Reads {"id","text","title","metadata","stored"} or {"id","delete":true}. `stored`, the time at which an
/// exported document had been stored, is checked and passed over: it is stored now. Errors: invalid_json,
/// invalid_argument and too_large, each naming the field.
[[nodiscard]] Result<OwnedDocument> read_document_line(std::string_view line);

}  // namespace akin::api
