#include "server/check/standing.h"

#include <utility>

#include "server/check/announcements.h"
#include "server/check/check_record.h"
#include "server/check/kept_bytes.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;
using state::Table;

std::string encode_standing(const StandingCheck& check) {
  return Json{
      {"until", format_time(check.until)}, {"looked", format_time(check.looked)}, {"seen", check.seen}}
      .dump();
}

Result<StandingCheck> decode_standing(const state::Entry& entry) {
  AKIN_TRY(const Json object, json::parse_json(entry.value, json::kAnyJsonValues));
  const auto until = json::read_time(object.value("until", Json()));
  const auto looked = json::read_time(object.value("looked", Json()));
  if (!until || !looked) return corrupt_check(entry.key, "its standing record cannot be read");
  return StandingCheck{entry.key, *until, *looked,
                       object.at("seen").get<std::map<std::string, std::uint64_t>>()};
}

/// What becomes of the later outcome of a check; nothing: it is removed.
Result<void> set_later(state::Writer& writer, std::string_view id, const std::optional<KeptBytes>& packed,
                       const Json& summary) {
  AKIN_TRY(const auto record, writer.get(Table::checks, id));
  AKIN_TRY(const auto value, writer.get(Table::check_texts, id));
  auto kept = decode_kept(value.value_or(""));
  if (!record || !kept) return {};
  AKIN_TRY(Json check, decode_check(id, record));
  if (packed) AKIN_CHECK(keep(writer, *packed, id));
  const std::string digest = packed ? packed->digest : "";
  if (kept->later != digest) AKIN_CHECK(release(writer, kept->later, id));
  kept->later = digest;
  check.erase("later");
  if (packed) check["later"] = summary;
  AKIN_TRY(const std::string changed, encode_check(check));
  AKIN_CHECK(writer.put(Table::check_texts, id, encode_kept(*kept)));
  AKIN_CHECK(writer.put(Table::checks, id, changed));
  return packed ? announce(writer, "check.updated", check) : Result<void>();
}

}  // namespace

Result<void> let_stand(state::Writer& writer, const Json& check, Time now) {
  const auto policy = check.find("policy");
  const Json days = policy == check.end() ? Json() : policy->value("stand_days", Json());
  if (!days.is_number_unsigned() || days == 0) return {};
  StandingCheck standing{
      check.at("id").get<std::string>(), now + std::chrono::days(days.get<unsigned>()), now, {}};
  for (const Json& index : check.at("index"))
    standing.seen[index.at("collection").get<std::string>()] = index.at("last_revision").get<std::uint64_t>();
  return writer.put(Table::standing, standing.id, encode_standing(standing));
}

Result<std::vector<StandingCheck>> standing_checks(const state::State& state, std::string_view after,
                                                   std::size_t limit) {
  AKIN_TRY(const auto entries, state.list(Table::standing, "", after, limit));
  std::vector<StandingCheck> checks;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(StandingCheck check, decode_standing(entry));
    checks.push_back(std::move(check));
  }
  return checks;
}

Result<void> end_standing(state::State& state, std::string_view id) {
  AKIN_TRY([[maybe_unused]] const bool was_there, state.erase(Table::standing, id));
  return {};
}

Result<void> note_look(state::State& state, const StandingCheck& look, const std::optional<Json>& outcome) {
  std::optional<KeptBytes> packed;
  Json summary{{"time", format_time(look.looked)}};
  if (outcome) {
    AKIN_TRY(packed, pack_to_keep(outcome->dump()));
    for (const char* field : {"verdict", "share", "letters", "sources_total"})
      summary[field] = outcome->at(field);
  }
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto there, writer.get(Table::standing, look.id));
    if (!there) return {};
    AKIN_CHECK(writer.put(Table::standing, look.id, encode_standing(look)));
    return packed ? set_later(writer, look.id, packed, summary) : Result<void>();
  });
}

Result<Json> later_outcome(const state::State& state, std::string_view id) {
  if (!is_check_id(id)) return no_check(id);
  AKIN_TRY(const auto value, state.get(Table::check_texts, id));
  const KeptParts kept = decode_kept(value.value_or("")).value_or(KeptParts());
  if (kept.later.empty()) {
    return Error{Errc::not_found, "later outcome of " + check_named(id), "it has none",
                 "a check is computed again for as many days as 'stand_days' of its policy says"};
  }
  AKIN_TRY(const std::string outcome, read_kept(state, kept.later));
  return json::parse_json(outcome, json::kAnyJsonValues);
}

Result<void> forget_later(state::State& state, std::string_view id) {
  return state.write([&](state::Writer& writer) { return set_later(writer, id, std::nullopt, {}); });
}

}  // namespace akin::check
