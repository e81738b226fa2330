#include "server/check/announcements.h"

#include <algorithm>
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
constexpr std::string_view kEventPrefix = "c/e/", kFailedPrefix = "c/f/";

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
  return Json{{"id", one.id},
              {"body", one.body},
              {"attempts", one.attempts},
              {"due", microseconds_of(one.due)},
              {"last_error", one.last_error}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::vector<Announcement>> read_all(const state::State& state, std::string_view prefix,
                                           std::size_t limit) {
  AKIN_TRY(const auto entries, state.list(Table::events, prefix, "", limit));
  std::vector<Announcement> all;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(const Json object, json::parse_json(entry.value, json::kAnyJsonValues));
    all.push_back({entry.key, object.value("id", ""), object.value("body", ""),
                   object.value("attempts", std::uint64_t{0}),
                   Time(Time::duration(object.value("due", std::int64_t{0}))), object.value("last_error", ""),
                   prefix == kFailedPrefix});
  }
  return all;
}

/// The key among the others, which begin with `prefix`.
std::string moved(const std::string& key, std::string_view prefix) {
  return std::string(prefix) + key.substr(kEventPrefix.size());
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
  return read_all(state, kEventPrefix, limit);
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

Result<void> give_up(state::State& state, const Announcement& one) {
  AKIN_TRY(const auto failed, state.list(Table::events, kFailedPrefix, "", kMostFailed));
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const bool there, writer.erase(Table::events, one.key));
    if (!there) return {};
    if (failed.size() == kMostFailed) AKIN_CHECK(writer.erase(Table::events, failed.front().key));
    return writer.put(Table::events, moved(one.key, kFailedPrefix), encode(one));
  });
}

Result<std::vector<Announcement>> failed_announcements(const state::State& state) {
  return read_all(state, kFailedPrefix, kMostFailed);
}

Result<Announcement> retry_announcement(state::State& state, std::string_view id) {
  AKIN_TRY(std::vector<Announcement> failed, failed_announcements(state));
  auto found = std::ranges::find(failed, id, &Announcement::id);
  const Error missing{Errc::not_found, "event '" + std::string(id) + "'", "it has not failed",
                      "GET /v1/check-events lists those that have"};
  if (found == failed.end()) return missing;
  Announcement again = std::move(*found);
  const std::string key = std::exchange(again.key, moved(again.key, kEventPrefix));
  again.attempts = 0;
  again.due = time_now();
  again.has_failed = false;
  bool was_there = false;
  const auto written = state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(was_there, writer.erase(Table::events, key));
    return was_there ? writer.put(Table::events, again.key, encode(again)) : Result<void>();
  });
  AKIN_CHECK(written);
  if (!was_there) return missing;
  return again;
}

}  // namespace akin::check
