// What an answer says about the file that was handed in: docs/api.md, "Files".
#pragma once

#include <optional>
#include <string>

#include "base/text_range.h"
#include "extract/document.h"
#include "server/api/objects.h"

namespace akin::api {

/// Where a range of a file's text is.
struct Place {
  std::uint32_t first_page = 0, last_page = 0;  ///< from 1; 0 if the format has no pages
  std::string part;                             ///< of the range's beginning; empty if there is none
};
[[nodiscard]] Place place_of(const extract::Document& file, TextRange range);

/// Whether there is more to say than a text: a map, or alerts.
[[nodiscard]] bool is_described(const extract::Document& file) noexcept;

/// {"type", "pages", "title", "authors", "language", "date", "identifiers", "alerts"}, without what is
/// unknown; an alert is {"kind", "characters", "share", "sample", "page"}.
[[nodiscard]] Json file_object(const extract::Document& file);

/// Adds the "file" to an answer, and to each of the passages in its `results` ("results" or "sources") the
/// "a_pages" [first, last] and the "a_part". Nothing for a file that is not described.
void add_file(Json& answer, std::string_view results, const extract::Document& file);

}  // namespace akin::api
