// What an HTML page says about itself → metadata. docs/formats.md has the table of where each field comes
// from.
#pragma once

#include <string>
#include <string_view>

#include "extract/document.h"
#include "extract/html/page_facts.h"

namespace akin::ingest {

/// Sets `authors`, `date`, `site`, `address`, `links` and `images`; each takes the first place that has a
/// usable value. Dates are in RFC 3339 (Open Graph's, schema.org's and Dublin Core's usual writings are
/// understood; a time without an offset is in UTC).
void describe_page(extract::FileMetadata& metadata, const extract::PageFacts& facts);

/// Whether the page said anything that `describe_page` sets.
[[nodiscard]] bool describes_page(const extract::FileMetadata& metadata);

/// "2024-05-17" or "2024-05-17T08:30:00+03:00" of "2024/5/17" or "2024-05-17 08:30 +0300"; empty if it is not
/// a date.
[[nodiscard]] std::string rfc3339_of_page(std::string_view written);

}  // namespace akin::ingest
