// Documents as feeds and extractors of pages write them: other names for the fields of a document.
#pragma once

#include "base/error.h"
#include "server/json/json.h"

namespace akin::judge {

/// The object that document_of reads, of one that has at least one of the fields `published`,
/// `date_published`, `date`, `hostname`, `link` and `content_text`, which no document has. All other values
/// are returned as they are. What is absent or null is taken from another field: `time` from `published`,
/// `date_published` or `date`; `url` from `link`, or from a `source` that is an address; `source` from
/// `hostname`; `text` from `content_text`; `id` from `url`. Fields without a meaning here are left out.
/// Error: invalid_argument for a time that is neither one of RFC 3339, whose offset may be missing (then it
/// is UTC), nor one of RFC 5322
/// (`Fri, 17 May 2024 08:30:00 +0200`).
[[nodiscard]] Result<json::Json> document_of_feed(json::Json value);

}  // namespace akin::judge
