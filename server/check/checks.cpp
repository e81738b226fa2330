#include "server/check/checks.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

#include "base/files.h"
#include "base/text_codec.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;

constexpr auto kChecks = state::Table::checks;
constexpr auto kTexts = state::Table::check_texts;
constexpr std::string_view kPrefix = "check-";
constexpr std::size_t kTimeDigits = 14, kIdDigits = 20;
/// More than one for each that is added, so that a backlog shrinks.
constexpr int kForgottenAtOnce = 16;
constexpr std::chrono::seconds kPatience(30);

/// The common beginning of the ids of checks made at this time.
std::string id_at(Time time) {
  std::array<char, kIdDigits> digits{};
  std::snprintf(digits.data(), digits.size(), "%0*llx", static_cast<int>(kTimeDigits),
                static_cast<unsigned long long>(time.time_since_epoch().count()));
  return std::string(kPrefix) + digits.data();
}

std::string what(std::string_view id) { return "check " + json::in_quotes(id); }

Error corrupt(std::string_view id, std::string reason) {
  return Error{Errc::corrupt, what(id), std::move(reason), "check the text again"};
}

Result<Json> decode(std::string_view id, const std::optional<std::string>& value) {
  if (!value) return no_check(id);
  auto object = json::parse_json(*value);
  if (object.has_error() || !object->is_object()) return corrupt(id, "its stored record is not an object");
  return object;
}

/// Only possible ids are looked up: LMDB takes no key that is empty or too long.
bool is_check_id(std::string_view id) noexcept {
  return id.starts_with(kPrefix) && id.size() == kPrefix.size() + kIdDigits;
}

/// The length of a text in bytes and its zstd frame.
Result<std::string> pack(std::string_view text) {
  AKIN_TRY(const std::string frame, compress_text(text));
  return std::to_string(text.size()) + ' ' + frame;
}

std::optional<std::string> unpack(std::string_view packed) {
  std::uint64_t bytes = 0;
  const char* end = packed.data() + packed.size();
  const auto [stop, failure] = std::from_chars(packed.data(), end, bytes);
  if (failure != std::errc{} || stop == end || *stop != ' ') return std::nullopt;
  return decompress_text({stop + 1, end}, bytes);
}

}  // namespace

Error no_check(std::string_view id) {
  return Error{Errc::not_found, what(id), "does not exist",
               "GET /v1/checks lists the stored ones; old ones are deleted"};
}

Checks::Checks(std::shared_ptr<state::State> state, unsigned keep_days) noexcept
    : state_(std::move(state)), keep_(keep_days) {}

Result<Json> Checks::add(const Json& check, std::string_view text, Time now) {
  AKIN_CHECK(forget_old(now));
  Json object;
  object["id"] = id_at(now) + random_token().substr(0, kIdDigits - kTimeDigits);
  object["created"] = format_time(now);
  object.update(check);
  object["admitted"] = nullptr;
  AKIN_TRY(const std::string packed, pack(text));
  const std::string id = object["id"].get<std::string>();
  const std::string value = object.dump();
  auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(kChecks, id, value));
    return writer.put(kTexts, id, packed);
  });
  if (written.has_error()) return std::move(written).error();
  return object;
}

Result<Json> Checks::get(std::string_view id) const {
  if (!is_check_id(id)) return no_check(id);
  AKIN_TRY(const auto value, state_->get(kChecks, id));
  return decode(id, value);
}

Result<std::string> Checks::text(std::string_view id) const {
  if (!is_check_id(id)) return no_check(id);
  AKIN_TRY(const auto packed, state_->get(kTexts, id));
  if (!packed) return no_check(id);
  auto text = unpack(*packed);
  if (!text) return corrupt(id, "its text cannot be decompressed");
  return *std::move(text);
}

Result<std::vector<Json>> Checks::list(std::string_view after, std::size_t limit) const {
  AKIN_TRY(const auto entries,
           state_->list(kChecks, "", after.substr(0, kPrefix.size() + kIdDigits + 1), limit));
  std::vector<Json> checks;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Json object, decode(entry.key, entry.value));
    checks.push_back(std::move(object));
  }
  return checks;
}

Result<std::uint64_t> Checks::count() const { return state_->count(kChecks); }

Result<Json> Checks::set_admitted(std::string_view id, const Json& admitted) {
  if (!is_check_id(id)) return no_check(id);
  Json object;
  AKIN_CHECK(state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto value, writer.get(kChecks, id));
    AKIN_TRY(object, decode(id, value));
    object["admitted"] = admitted;
    return writer.put(kChecks, id, object.dump());
  }));
  return object;
}

Result<Checks::Admission> Checks::lock_admission(std::string_view id) {
  Admission admission{std::unique_lock(admission_), nullptr};
  AKIN_TRY(admission.servers,
           state_->lease("admission/" + std::string(id), kPatience, "the same admission by another akin"));
  return admission;
}

Result<void> Checks::erase(std::string_view id) {
  if (!is_check_id(id)) return no_check(id);
  return state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const bool there, writer.erase(kChecks, id));
    AKIN_CHECK(writer.erase(kTexts, id));
    if (!there) return no_check(id);
    return {};
  });
}

Result<void> Checks::forget_old(Time now) {
  if (keep_.count() == 0) return {};
  const std::string first_kept = id_at(now - keep_);
  for (int round = 0; round < kForgottenAtOnce; ++round) {
    AKIN_TRY(const auto oldest, state_->list(kChecks, kPrefix, "", 1));
    if (oldest.empty() || oldest.front().key >= first_kept) break;
    const auto forgotten = erase(oldest.front().key);
    // Another request may have deleted it meanwhile.
    if (forgotten.has_error() && forgotten.error().code != Errc::not_found) return forgotten.error();
  }
  return {};
}

}  // namespace akin::check
