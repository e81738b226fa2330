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

/// "Fri, 17 May 2024 08:30:00 +0200" as RFC 3339 writes it; any text if it is not such a time.
std::string time_of_mail(std::string_view text) {
  if (const auto comma = text.find(','); comma != text.npos) text.remove_prefix(comma + 1);
  std::istringstream words{std::string(text)};
  std::string day, month, year, clock, zone;
  words >> day >> month >> year >> clock >> zone;
  const auto at = kMonths.find(month);
  if (month.size() != 3 || at == kMonths.npos || at % 3 != 0) return "";
  const std::string number = std::to_string(at / 3 + 1);
  if (zone == "GMT" || zone == "UT" || zone == "UTC") zone = "Z";
  if (zone.size() == 5) zone.insert(3, ":");
  constexpr std::size_t kWithoutSeconds = 5;
  if (clock.size() == kWithoutSeconds) clock += ":00";
  return year + "-" + (number.size() < 2 ? "0" : "") + number + "-" + (day.size() < 2 ? "0" : "") + day +
         "T" + clock + zone;
}

Result<std::string> time_of(std::string_view field, const std::string& text) {
  for (const std::string& form : {text, text + "Z", time_of_mail(text)})
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
