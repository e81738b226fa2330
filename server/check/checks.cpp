#include "server/check/checks.h"

#include <array>
#include <cstdio>
#include <utility>

#include "base/files.h"
#include "base/waiting.h"
#include "server/audit/audit_log.h"
#include "server/check/announcements.h"
#include "server/check/check_record.h"
#include "server/check/decision.h"
#include "server/check/standing.h"
#include "server/json/strict_json.h"
#include "server/state/clock_keys.h"
#include "server/state/lease_key.h"

namespace akin::check {

namespace {

using json::Json;

constexpr auto kChecks = state::Table::checks;
constexpr auto kTexts = state::Table::check_texts;
constexpr auto kExpiries = state::Table::expiries;
constexpr std::size_t kTimeDigits = 14, kExpiryDigits = 16;
constexpr std::chrono::seconds kPatience(30);

/// So many hex digits, which ascend with time.
std::string digits_of(Time time, std::size_t count) {
  std::array<char, kCheckIdDigits> digits{};
  std::snprintf(digits.data(), digits.size(), "%0*llx", static_cast<int>(count),
                static_cast<unsigned long long>(time.time_since_epoch().count()));
  return digits.data();
}

/// The common beginning of the ids of checks made at this time.
std::string id_at(Time time) { return std::string(kCheckPrefix) + digits_of(time, kTimeDigits); }

/// A key of kExpiries: those of earlier times come first. Before the id.
std::string expiry_key(Time time, std::string_view id) { return digits_of(time, kExpiryDigits).append(id); }

Result<std::vector<Json>> decode_all(const std::vector<state::Entry>& entries) {
  std::vector<Json> checks;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Json object, decode_check(entry.key, entry.value));
    checks.push_back(std::move(object));
  }
  return checks;
}

/// What nobody has is not kept: it has no digest.
Result<KeptBytes> pack_if_any(std::string_view bytes) {
  return bytes.empty() ? Result<KeptBytes>(KeptBytes()) : pack_to_keep(bytes);
}

}  // namespace

Checks::Checks(std::shared_ptr<state::State> state, unsigned keep_days, std::uint64_t space) noexcept
    : state_(std::move(state)), keep_(keep_days), space_(space) {}

std::string Checks::new_id(Time now) {
  return id_at(now) + random_token().substr(0, kCheckIdDigits - kTimeDigits);
}

Result<void> Checks::check_space(std::uint64_t bytes) const {
  if (space_ == 0) return {};
  AKIN_TRY(const KeptSpace taken, space());
  if (taken.stored_bytes + bytes <= space_) return {};
  return Error{Errc::disk_full, "files of checks",
               "they take " + std::to_string(taken.stored_bytes) + " of " + std::to_string(space_) + " bytes",
               "delete checks, or allow more with akin serve --check-files"};
}

/// Packs the file, unless it is not to be kept.
Result<std::optional<KeptBytes>> Checks::pack_file(const NewCheck& made) const {
  const auto policy = made.check.find("policy");
  const bool stores = policy != made.check.end() && policy->value("store_files", true);
  if (!made.file || !stores) return std::optional<KeptBytes>();
  AKIN_TRY(KeptBytes packed, pack_to_keep(made.file->bytes));
  if (check_space(packed.packed.size()).has_error()) return std::optional<KeptBytes>();
  return std::optional(std::move(packed));
}

Result<Json> Checks::add(NewCheck made, Time now,
                         const std::function<Result<bool>(state::Writer& writer)>& first) {
  AKIN_TRY(const std::optional<KeptBytes> file, pack_file(made));
  Json check = std::move(made.check);
  const std::optional<Time> expires = expiry_of(check, now);
  Json object;
  object["id"] = made.id.empty() ? new_id(now) : made.id;
  object["created"] = format_time(now);
  object["expires"] = json::time_or_null(expires);
  json::move_fields(object, std::move(check));
  object["original"] = nullptr;
  if (file)
    object["original"] = {{"name", made.file->name},
                          {"media_type", made.file->media_type},
                          {"sent_as", made.file->sent_as},
                          {"bytes", file->bytes},
                          {"sha256", file->digest}};
  object["admitted"] = nullptr;
  object["decision"] = open_decision(object);
  AKIN_TRY(const KeptBytes text, pack_to_keep(made.text));
  AKIN_TRY(const KeptBytes excerpts, pack_if_any(made.excerpts.empty() ? "" : made.excerpts.dump()));
  AKIN_TRY(const KeptBytes places, pack_if_any(file ? made.places : ""));
  AKIN_TRY(const KeptBytes map, pack_if_any(made.map));
  const std::string id = object["id"].get<std::string>();
  AKIN_TRY(const std::string value, encode_check(object));
  bool wanted = true;
  auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    if (first) {
      AKIN_TRY(wanted, first(writer));
    }
    if (!wanted) return {};
    if (file) AKIN_CHECK(keep(writer, *file, id));
    for (const KeptBytes* part : {&text, &excerpts, &places, &map}) AKIN_CHECK(keep(writer, *part, id));
    AKIN_CHECK(writer.put(kChecks, id, value));
    if (expires) AKIN_CHECK(writer.put(kExpiries, expiry_key(*expires, id), ""));
    AKIN_CHECK(let_stand(writer, object, now));
    AKIN_CHECK(announce(writer, "check.done", object));
    return writer.put(
        kTexts, id,
        encode_kept({text.digest, file ? file->digest : "", excerpts.digest, "", places.digest, map.digest}));
  });
  if (written.has_error()) return std::move(written).error();
  return wanted ? object : Json(nullptr);
}

std::optional<Time> Checks::expiry_of(const Json& check, Time now) const {
  const auto policy = check.find("policy");
  const Json own = policy == check.end() ? Json() : policy->value("keep_days", Json());
  const std::chrono::days keep = own.is_number_unsigned() ? std::chrono::days(own.get<unsigned>()) : keep_;
  return keep.count() == 0 ? std::nullopt : std::optional(now + keep);
}

Result<Json> Checks::get(std::string_view id) const {
  if (!is_check_id(id)) return no_check(id);
  AKIN_TRY(const auto value, state_->get(kChecks, id));
  return decode_check(id, value);
}

Result<std::string> Checks::text(std::string_view id) const {
  if (!is_check_id(id)) return no_check(id);
  return read_text(*state_, id);
}

Result<StoredFile> Checks::original(const Json& check) const {
  const Json& kept = check.at("original");
  if (kept.is_null()) {
    return Error{Errc::not_found, "file of " + check_named(check.at("id").get_ref<const std::string&>()),
                 "none is kept", "a check keeps its file if its policy has 'store_files'"};
  }
  AKIN_TRY(std::string bytes, read_kept(*state_, kept.at("sha256").get_ref<const std::string&>()));
  return StoredFile{kept.at("name").get<std::string>(), kept.at("media_type").get<std::string>(),
                    std::move(bytes)};
}

Result<KeptParts> Checks::kept_parts(std::string_view id) const {
  if (!is_check_id(id)) return no_check(id);
  AKIN_TRY(const auto value, state_->get(kTexts, id));
  return decode_kept(value.value_or("")).value_or(KeptParts());
}

Result<std::string> Checks::places(std::string_view id) const {
  AKIN_TRY(const KeptParts kept, kept_parts(id));
  return kept.places.empty() ? std::string() : read_kept(*state_, kept.places);
}

Result<std::string> Checks::map(std::string_view id) const {
  AKIN_TRY(const KeptParts kept, kept_parts(id));
  return kept.map.empty() ? std::string() : read_kept(*state_, kept.map);
}

Result<Json> Checks::excerpts(std::string_view id) const {
  AKIN_TRY(const KeptParts kept, kept_parts(id));
  if (kept.excerpts.empty()) return Json::array();
  AKIN_TRY(const std::string excerpts, read_kept(*state_, kept.excerpts));
  return json::parse_json(excerpts, json::kAnyJsonValues);
}

Result<std::vector<Json>> Checks::list(std::string_view after, std::size_t limit) const {
  AKIN_TRY(const auto entries,
           state_->list(kChecks, "", after.substr(0, kCheckPrefix.size() + kCheckIdDigits + 1), limit));
  return decode_all(entries);
}

Result<void> Checks::for_each(const std::function<Result<void>(const Json&)>& visit) const {
  constexpr std::size_t kReadAtOnce = 16;  // whole checks in memory
  for (std::string last;;) {
    AKIN_TRY(const auto some, list(last, kReadAtOnce));
    for (const Json& check : some) {
      last = check.at("id").get<std::string>();
      AKIN_CHECK(visit(check));
    }
    if (some.size() < kReadAtOnce) return {};
  }
}

Result<std::vector<state::Entry>> Checks::back_from(std::string_view before, std::size_t limit) const {
  return state_->list_back(kChecks, before.substr(0, kCheckPrefix.size() + kCheckIdDigits + 1), limit);
}

Result<std::vector<Json>> Checks::newest(std::string_view before, std::size_t limit) const {
  AKIN_TRY(const auto entries, back_from(before, limit));
  return decode_all(entries);
}

Result<Checks::Summaries> Checks::newest_summaries(
    std::string_view before, std::size_t limit,
    const std::function<bool(std::string_view summary)>& is_wanted) const {
  AKIN_TRY(const auto entries, back_from(before, limit));
  Summaries summaries{.wanted = {}, .last = std::string(before), .is_end = entries.size() < limit};
  for (const state::Entry& entry : entries) {
    summaries.last = entry.key;
    if (!is_wanted(std::string_view(entry.value).substr(0, entry.value.find('\n')))) continue;
    AKIN_TRY(Json summary, decode_summary(entry.key, entry.value));
    summaries.wanted.push_back(std::move(summary));
  }
  return summaries;
}

Result<std::uint64_t> Checks::count() const { return state_->count(kChecks); }

Result<Json> Checks::set_admitted(std::string_view id, const Json& admitted) {
  if (!is_check_id(id)) return no_check(id);
  Json object;
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto value, writer.get(kChecks, id));
    AKIN_TRY(object, decode_check(id, value));
    object["admitted"] = admitted;
    AKIN_TRY(const std::string changed, encode_check(object));
    AKIN_CHECK(announce(writer, "check.updated", object));
    return writer.put(kChecks, id, changed);
  });
  AKIN_CHECK(written);
  return object;
}

Result<Checks::AdmissionLock> Checks::lock_admission(std::string_view id) {
  AdmissionLock admission{std::unique_lock(admission_, std::defer_lock), nullptr};
  if (wait_for(kPatience, [&] { return admission.threads.try_lock(); }) != Waited::done)
    return state::held_by_another("the admission of another check");
  AKIN_TRY(admission.servers,
           state_->lease("admission/" + std::string(id), kPatience, "the same admission by another akin"));
  return admission;
}

Result<void> Checks::erase(std::string_view id, const state::Actor& by) {
  if (!is_check_id(id)) return no_check(id);
  return state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const bool there, erase_check(writer, id));
    if (!there) return no_check(id);
    return audit::append(writer, {by, "check.deleted", std::string(id)});
  });
}

Result<std::size_t> Checks::forget_expired(Time now, std::size_t most) {
  AKIN_TRY(auto expiries, state_->list(kExpiries, "", "", most));
  std::erase_if(expiries, [first_kept = expiry_key(now, "")](const state::Entry& expiry) {
    return expiry.key >= first_kept;
  });
  std::size_t forgotten = 0;
  if (expiries.empty()) return forgotten;
  const Result<void> written = state_->write([&](state::Writer& writer) -> Result<void> {
    forgotten = 0;
    for (const state::Entry& expiry : expiries) {
      const std::string id = expiry.key.substr(kExpiryDigits);
      AKIN_TRY(const bool there, erase_check(writer, id));  // unless a client has deleted it
      AKIN_CHECK(writer.erase(kExpiries, expiry.key));
      forgotten += there ? 1 : 0;
    }
    return {};
  });
  if (written.has_error()) return written.error();
  return forgotten;
}

}  // namespace akin::check
