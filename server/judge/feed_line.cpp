#include "server/judge/feed_line.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "server/json/quoted.h"

namespace akin::judge {

namespace {

using json::Json;

constexpr std::array<std::string_view, 3> kTimes = {"published", "date_published", "date"};
constexpr std::array<std::string_view, 3> kOthers = {"hostname", "link", "content_text"};
constexpr std::array<const char*, 6> kTexts = {"id", "title", "text", "source", "url", "time"};
constexpr std::array<const char*, 5> kValues = {"paragraphs", "authority", "links", "images", "metadata"};
constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

/// The offset from UTC in the form of RFC 3339: a name of RFC 5322, or with or without a colon. None is UTC.
std::string offset_of(std::string zone) {
  constexpr std::array<std::pair<std::string_view, const char*>, 12> kZones = {{{"", "Z"},
                                                                                {"GMT", "Z"},
                                                                                {"UT", "Z"},
                                                                                {"UTC", "Z"},
                                                                                {"EST", "-05:00"},
                                                                                {"EDT", "-04:00"},
                                                                                {"CST", "-06:00"},
                                                                                {"CDT", "-05:00"},
                                                                                {"MST", "-07:00"},
                                                                                {"MDT", "-06:00"},
                                                                                {"PST", "-08:00"},
                                                                                {"PDT", "-07:00"}}};
  for (const auto& [name, offset] : kZones)
    if (zone == name) return offset;
  constexpr std::size_t kWithoutColon = 5;
  if (zone.size() == kWithoutColon) zone.insert(3, ":");
  return zone;
}

/// "2024-05-17 08:30:00 +0300" and "20240517T083000Z" as RFC 3339 writes them; any text if it is not such a
/// time.
std::string time_of_numbers(std::string_view text) {
  constexpr std::size_t kDate = 10, kShortDate = 8, kShortClock = 6;
  const auto digits = [](std::string_view part) {
    return std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  const bool is_short = text.size() > kShortDate && digits(text.substr(0, kShortDate));
  std::string date(text.substr(0, is_short ? kShortDate : kDate));
  if (is_short) date.insert(6, "-").insert(4, "-");
  text.remove_prefix(std::min(text.size(), is_short ? kShortDate : kDate));
  if (!text.starts_with('T') && !text.starts_with(' ')) return "";
  text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of(" Z+-"), text.size());
  std::string clock(text.substr(0, end));
  if (clock.size() >= kShortClock && digits(clock.substr(0, kShortClock)))
    clock.insert(4, ":").insert(2, ":");
  text.remove_prefix(end);
  if (text.starts_with(' ')) text.remove_prefix(1);
  return date + "T" + clock + offset_of(std::string(text));
}

/// "Fri, 17 May 2024 08:30:00 +0200" as RFC 3339 writes it; any text if it is not such a time.
std::string time_of_mail(std::string_view text) {
  if (const auto comma = text.find(','); comma != text.npos) text.remove_prefix(comma + 1);
  std::istringstream words{std::string(text)};
  std::string day, month, year, clock, zone;
  words >> day >> month >> year >> clock >> zone;
  const auto at = kMonths.find(month);
  if (month.size() != 3 || at == kMonths.npos || at % 3 != 0) return "";
  const std::string number = std::to_string(at / 3 + 1);
  if (zone.empty()) return "";
  constexpr std::size_t kWithoutSeconds = 5;
  if (clock.size() == kWithoutSeconds) clock += ":00";
  return year + "-" + (number.size() < 2 ? "0" : "") + number + "-" + (day.size() < 2 ? "0" : "") + day +
         "T" + clock + offset_of(zone);
}

Result<std::string> time_of(std::string_view field, const std::string& text) {
  for (const std::string& form : {text, time_of_numbers(text), time_of_mail(text)})
    if (parse_rfc3339(form)) return form;
  return Error{Errc::invalid_argument, "field " + json::in_quotes(field),
               json::in_quotes(text) + " is not a time",
               "give a time such as 2024-05-17T08:30:00Z or Fri, 17 May 2024 08:30:00 +0200"};
}

/// The string in a field that is there and not empty.
const std::string* string_in(const Json& object, std::string_view field) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_string()) return nullptr;
  const auto& text = found->get_ref<const std::string&>();
  return text.empty() ? nullptr : &text;
}

/// Feeds give links as objects, and null for what they do not know.
bool has_form(std::string_view field, const Json& value) {
  if (field == "links") return value.is_array() && std::ranges::all_of(value, &Json::is_string);
  return !value.is_null();
}

bool is_of_feed(const Json& value) {
  const auto has = [&](std::string_view field) { return value.contains(field); };
  return value.is_object() && (std::ranges::any_of(kTimes, has) || std::ranges::any_of(kOthers, has));
}

}  // namespace

Result<Json> document_of_feed(Json value) {
  if (!is_of_feed(value)) return value;
  Json document = Json::object();
  for (const char* field : kTexts)
    if (const std::string* text = string_in(value, field)) document[field] = *text;
  for (const char* field : kValues)
    if (value.contains(field) && has_form(field, value[field])) document[field] = value[field];
  const auto take = [&](const char* field, std::string_view from) {
    const std::string* text = string_in(value, from);
    if (!document.contains(field) && text != nullptr) document[field] = *text;
  };
  for (const std::string_view field : kTimes) {
    const std::string* text = string_in(value, field);
    if (text == nullptr || document.contains("time")) continue;
    AKIN_TRY(document["time"], time_of(field, *text));
  }
  take("url", "link");
  if (const std::string* source = string_in(value, "source");
      source != nullptr && source->find("://") != source->npos) {
    take("url", "source");
    document.erase("source");
  }
  take("source", "hostname");
  take("text", "content_text");
  if (!document.contains("id") && document.contains("url")) document["id"] = document["url"];
  return document;
}

}  // namespace akin::judge
