// A document's metadata: what a client gives in addition to the title and the text.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/message.h"

namespace akin::api {

/// Less than a collection accepts, because a page of a list contains up to 1000 of them.
inline constexpr std::size_t kMaxMetadata = std::size_t{64} << 10U;

/// The field `metadata` as compact JSON, "" if it is absent. It may contain any fields; of those that
/// akin knows by name, `author`, `source`, `owner`, `url` and `group` must be strings, `date` a calendar date
/// or a date-time (parse_rfc3339), or a number that is a year, and `restricted` true or false. Errors:
/// invalid_argument (names the field), too_large.
[[nodiscard]] Result<std::string> read_metadata(const Fields& fields);

/// The metadata of a file itself, which is left out if it is larger than kMaxMetadata, with what the client
/// gives in addition: both as JSON, "" for none. Errors: as read_metadata and parse_json.
[[nodiscard]] Result<std::string> joined_metadata(std::string_view own, std::string_view given);

}  // namespace akin::api
