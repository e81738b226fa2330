// Links to a report: what a reader does with them, and what an author sees.
#pragma once

#include <string>
#include <string_view>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// What authors stated about a check, as its report has it; empty if nobody did.
[[nodiscard]] std::string statements_list(const Words& words, const json::Json& statements);

/// The links of a check with buttons that revoke them, and the form that makes one; its fields are label,
/// until (a date), statement and sources. `path`: of the case; `last_day`: the date proposed.
[[nodiscard]] std::string links_part(const Words& words, const json::Json& links, std::string_view path,
                                     std::string_view last_day);

/// The page that shows a new link, whose path is shown only here.
[[nodiscard]] std::string new_link_page(const Reader& reader, const json::Json& link, std::string_view back);

/// What the holder of a link sees.
struct LinkedReport {
  const json::Json& check;
  const json::Json& link;
  std::string report;  ///< HTML (desk::report)
  std::string path;    ///< of the page, with the token; forms are sent to it
  std::string once{};  ///< Reader::once
};
/// The form's field is `statement`.
[[nodiscard]] std::string linked_page(const Words& words, const LinkedReport& view);

}  // namespace akin::desk
