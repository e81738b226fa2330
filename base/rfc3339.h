// Times as text (RFC 3339, RFC 5322), in microseconds since the Unix epoch; without leap seconds, as POSIX
// counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

/// "2024-05-17T08:30:00.000250Z". Requires a time before the year 10000.
[[nodiscard]] std::string format_rfc3339(std::uint64_t microseconds);

/// The beginning of a calendar date ("2024-05-17", in UTC), month ("2024-05") or year ("2024"), or the moment
/// of a date-time with its offset ("2024-05-17T10:30:00.25+02:00"); digits below the microsecond are cut off,
/// and a leap second is the first moment of the next minute. Nothing if the text is none of these, or not a
/// day of the calendar. Negative before 1970.
[[nodiscard]] std::optional<std::int64_t> parse_rfc3339(std::string_view text);
/// A time as mail and feeds write it (RFC 5322, "Fri, 17 May 2024 08:30:00 +0200") in the form of RFC 3339;
/// empty if the text is none.
[[nodiscard]] std::string rfc3339_of_mail(std::string_view text);
/// The offset of a zone from UTC in the form of RFC 3339, of a name of RFC 5322 ("EST"), or of an offset with
/// or without a colon; other texts as they are. None is UTC.
[[nodiscard]] std::string rfc3339_offset(std::string_view zone);
/// The remedy where parse_rfc3339 reads nothing.
inline constexpr const char* kGiveADate =
    "give a date such as 2024-05-17 or 2024, or a date-time such as 2024-05-17T08:30:00Z";

}  // namespace akin
