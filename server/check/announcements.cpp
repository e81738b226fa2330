#include "server/check/announcements.h"

#include <utility>

#include "base/files.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;
using state::Table;

/// In Table::events, whose other keys are those of watches (watch/journal.h).
constexpr std::string_view kWebhookKey = "c/webhook";
constexpr std::string_view kEventPrefix = "c/e/";

std::uint64_t microseconds_of(Time time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

Json data_of(const Json& about) {
  Json data;
  for (const char* field : {"id", "created", "title", "owner", "key", "verdict", "share", "later", "error"}) {
    if (const auto found = about.find(field); found != about.end()) data[field] = *found;
  }
  const auto decision = about.find("decision");
  if (decision == about.end()) return data;
  for (const char* field : {"state", "revision", "share"}) data["decision"][field] = decision->at(field);
  data["admitted"] = about.at("admitted");
  return data;
}

std::string encode(const Announcement& one) {
  return Json{
      {"id", one.id}, {"body", one.body}, {"attempts", one.attempts}, {"due", microseconds_of(one.due)}}
      .dump();
}

}  // namespace

Result<void> set_check_webhook(state::State& state, const std::optional<CheckWebhook>& webhook) {
  if (webhook)
    return state.put(Table::events, kWebhookKey,
                     Json{{"url", webhook->url}, {"secret", webhook->secret}}.dump());
  AKIN_CHECK(state.erase(Table::events, kWebhookKey));
  return {};
}

Result<std::optional<CheckWebhook>> check_webhook(const state::State& state) {
  AKIN_TRY(const auto stored, state.get(Table::events, kWebhookKey));
  if (!stored) return std::optional<CheckWebhook>();
  AKIN_TRY(const Json object, json::parse_json(*stored, json::kAnyJsonValues));
  return std::optional(CheckWebhook{object.value("url", ""), object.value("secret", "")});
}

Result<void> announce(state::Writer& writer, std::string_view type, const Json& about) {
  AKIN_TRY(const auto webhook, writer.get(Table::events, kWebhookKey));
  if (!webhook) return {};
  const Time now = time_now();
  const std::string token = random_token();
  Json body;
  body["type"] = type;
  body["timestamp"] = format_time(now);
  body["data"] = data_of(about);
  const Announcement one{.key = std::string(kEventPrefix) + hex16(microseconds_of(now)) + token,
                         .id = "evt_" + sha256_hex(token + body.dump()).substr(0, 32),
                         .body = body.dump(),
                         .due = now};
  return writer.put(Table::events, one.key, encode(one));
}

Result<std::vector<Announcement>> announcements(const state::State& state, std::size_t limit) {
  AKIN_TRY(const auto entries, state.list(Table::events, kEventPrefix, "", limit));
  std::vector<Announcement> waiting;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(const Json object, json::parse_json(entry.value, json::kAnyJsonValues));
    waiting.push_back({entry.key, object.value("id", ""), object.value("body", ""),
                       object.value("attempts", std::uint64_t{0}),
                       Time(Time::duration(object.value("due", std::int64_t{0})))});
  }
  return waiting;
}

Result<void> postpone(state::State& state, const Announcement& one) {
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto there, writer.get(Table::events, one.key));
    return there ? writer.put(Table::events, one.key, encode(one)) : Result<void>();
  });
}

Result<void> settle(state::State& state, const Announcement& one) {
  AKIN_CHECK(state.erase(Table::events, one.key));
  return {};
}

}  // namespace akin::check
