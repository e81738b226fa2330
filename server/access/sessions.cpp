#include "server/access/sessions.h"

#include "base/sha256.h"
#include "server/access/secrets.h"
#include "server/json/strict_json.h"

namespace akin::access {

namespace {

using json::Json;

constexpr auto kSessions = state::Table::sessions;
constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kMostEnded = 1000;
/// A later request within this time is not stored.
constexpr std::chrono::minutes kSeenStep{5};

struct StoredSession {
  std::string key;
  Time begun, seen;
  bool is_invitation = false;  ///< it only begins a session

  [[nodiscard]] std::string text() const {
    Json object{{"key", key}, {"begun", format_time(begun)}, {"seen", format_time(seen)}};
    if (is_invitation) object["invitation"] = true;
    return object.dump();
  }
  [[nodiscard]] bool has_ended(Time now) const {
    if (is_invitation) return now - begun >= Sessions::kInvitation;
    return now - seen >= Sessions::kIdle || now - begun >= Sessions::kLongest;
  }
};

/// A record that cannot be read is that of a session that has ended.
std::optional<StoredSession> read_session(std::string_view text) {
  const auto object = json::parse_json(text);
  if (object.has_error()) return std::nullopt;
  const auto begun = json::read_time(object->value("begun", Json()));
  const auto seen = json::read_time(object->value("seen", Json()));
  if (!begun || !seen) return std::nullopt;
  return StoredSession{object->value("key", ""), *begun, *seen, object->value("invitation", false)};
}

}  // namespace

Result<std::string> Sessions::begin(std::string_view key, Time now) { return add(key, now, false); }

Result<std::string> Sessions::invite(std::string_view key, Time now) { return add(key, now, true); }

Result<std::optional<std::string>> Sessions::take(std::string_view invitation, Time now) {
  const std::string digest = sha256_hex(invitation);
  std::optional<StoredSession> taken;
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    taken.reset();
    AKIN_TRY(const auto text, writer.get(kSessions, digest));
    const auto record = text ? read_session(*text) : std::nullopt;
    if (!record || !record->is_invitation || record->has_ended(now)) return {};
    AKIN_CHECK(writer.erase(kSessions, digest));
    taken = record;
    return {};
  });
  AKIN_CHECK(written);
  if (!taken) return std::optional<std::string>();
  AKIN_TRY(std::string token, begin(taken->key, now));
  return std::optional(std::move(token));
}

Result<std::string> Sessions::add(std::string_view key, Time now, bool is_invitation) {
  AKIN_TRY(const std::string bytes, random_bytes(kTokenBytes));
  std::string token = base64url(bytes);
  AKIN_TRY(const auto known, state_->list(kSessions, "", "", kMostEnded));
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    for (const state::Entry& entry : known) {
      const auto record = read_session(entry.value);
      if (!record || record->has_ended(now)) AKIN_CHECK(writer.erase(kSessions, entry.key));
    }
    return writer.put(kSessions, sha256_hex(token),
                      StoredSession{std::string(key), now, now, is_invitation}.text());
  });
  if (written.has_error()) return written.error();
  return token;
}

Result<std::optional<std::string>> Sessions::key_of(std::string_view token, Time now) {
  const std::string digest = sha256_hex(token);
  AKIN_TRY(const auto text, state_->get(kSessions, digest));
  auto record = text ? read_session(*text) : std::nullopt;
  if (!record || record->is_invitation || record->has_ended(now)) return std::optional<std::string>();
  if (now - record->seen >= kSeenStep) {
    record->seen = now;
    // A standby takes no writes: there the session ends an hour after it was last used elsewhere.
    static_cast<void>(state_->put(kSessions, digest, record->text()));
  }
  return std::optional(std::move(record->key));
}

Result<void> Sessions::end(std::string_view token) {
  AKIN_TRY([[maybe_unused]] const bool there, state_->erase(kSessions, sha256_hex(token)));
  return {};
}

}  // namespace akin::access
