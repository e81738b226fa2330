#include "server/judge/feed_line.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
  return date + "T" + clock + rfc3339_offset(text);
}

Result<std::string> time_of(std::string_view field, const std::string& text) {
  for (const std::string& form : {text, time_of_numbers(text), rfc3339_of_mail(text)})
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
