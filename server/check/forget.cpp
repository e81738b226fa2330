#include "server/check/forget.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/check/check_record.h"
#include "server/check/checks.h"
#include "server/check/kept_bytes.h"
#include "server/check/standing.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;
using state::Table;

constexpr const char* kErased = "erased";

bool is_at(const Json& place, std::string_view collection, std::string_view id) {
  return place.is_object() && place.value("collection", "") == collection && place.value("id", "") == id;
}

/// The excerpts without those of a document, packed; nothing if none is left.
Result<std::optional<KeptBytes>> excerpts_without(const Json& excerpts, std::string_view collection,
                                                  std::string_view id) {
  Json left = Json::array();
  for (const Json& one : excerpts) {
    if (!is_at(one, collection, id)) left.push_back(one);
  }
  if (left.empty()) return std::optional<KeptBytes>();
  AKIN_TRY(KeptBytes packed, pack_to_keep(left.dump()));
  return std::optional(std::move(packed));
}

Result<void> forget_source(state::State& state, const Json& check, const Json& excerpts,
                           std::string_view collection, std::string_view source) {
  const auto& id = check.at("id").get_ref<const std::string&>();
  AKIN_TRY(const auto left, excerpts_without(excerpts, collection, source));
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto record, writer.get(Table::checks, id));
    if (!record) return {};
    AKIN_TRY(Json object, decode_check(id, record));
    for (Json& one : object.at("sources")) {
      if (is_at(one, collection, source)) one["title"] = "";
    }
    AKIN_TRY(const std::string packed, encode_check(object));
    AKIN_CHECK(writer.put(Table::checks, id, packed));
    AKIN_TRY(const auto value, writer.get(Table::check_texts, id));
    auto kept = decode_kept(value.value_or(""));
    if (!kept || kept->excerpts.empty()) return {};
    if (left) AKIN_CHECK(keep(writer, *left, id));
    const std::string digest = left ? left->digest : "";
    if (kept->excerpts != digest) AKIN_CHECK(release(writer, kept->excerpts, id));
    kept->excerpts = digest;
    return writer.put(Table::check_texts, id, encode_kept(*kept));
  });
}

/// Takes a person out of every "by" below the value; whether there was one.
bool take_out(Json& value, std::string_view person) {
  bool found = false;
  if (value.is_object() && value.value("kind", Json()) == "person" && value.value("id", Json()) == person) {
    value["id"] = kErased;
    value["name"] = "";
    return true;
  }
  if (!value.is_structured()) return false;
  for (Json& part : value) found = take_out(part, person) || found;
  return found;
}

/// The entry of a table without the person; nothing if it does not name them.
Result<bool> forget_in(state::Writer& writer, Table table, const std::string& key, std::string_view person) {
  AKIN_TRY(const auto stored, writer.get(table, key));
  if (!stored) return false;
  AKIN_TRY(Json value, json::parse_json(*stored, json::kAnyJsonValues));
  if (!take_out(value, person)) return false;
  AKIN_CHECK(writer.put(table, key, value.dump()));
  return true;
}

Result<bool> forget_reader(state::State& state, const std::string& id, std::string_view person) {
  bool changed = false;
  const auto written = state.write([&](state::Writer& writer) -> Result<void> {
    changed = false;
    AKIN_TRY(const auto record, writer.get(Table::checks, id));
    if (!record) return {};
    AKIN_TRY(Json object, decode_check(id, record));
    Json& decision = object.at("decision");
    const bool handed_in = object.value("key", Json()) == Json("person:" + std::string(person));
    if (handed_in) object["key"] = kErased;
    if (take_out(decision, person) || handed_in) {
      AKIN_TRY(const std::string packed, encode_check(object));
      AKIN_CHECK(writer.put(Table::checks, id, packed));
      changed = true;
    }
    for (std::uint64_t number = decision.at("revision").get<std::uint64_t>(); number > 0; --number) {
      AKIN_TRY(const bool was_in, forget_in(writer, Table::decisions, decision_key(id, number), person));
      changed = changed || was_in;
    }
    AKIN_TRY(const bool made_links, forget_in(writer, Table::check_links, id, person));
    changed = changed || made_links;
    return {};
  });
  AKIN_CHECK(written);
  return changed;
}

}  // namespace

Result<Forgotten> forget_document(const std::shared_ptr<state::State>& state, std::string_view collection,
                                  std::string_view id, const state::Actor& by) {
  Checks checks(state, 0);
  Forgotten forgotten;
  const auto visited = checks.for_each([&](const Json& check) -> Result<void> {
    const auto& name = check.at("id").get_ref<const std::string&>();
    if (is_at(check.at("query"), collection, id) || is_at(check.value("admitted", Json()), collection, id)) {
      ++forgotten.deleted;
      return checks.erase(name, by);
    }
    if (check.contains("later")) {
      AKIN_TRY(const Json later, later_outcome(*state, name));
      const bool is_later_source = std::ranges::any_of(
          later.at("sources"), [&](const Json& source) { return is_at(source, collection, id); });
      if (is_later_source) AKIN_CHECK(forget_later(*state, name));
    }
    const bool is_source = std::ranges::any_of(
        check.at("sources"), [&](const Json& source) { return is_at(source, collection, id); });
    if (!is_source) return {};
    ++forgotten.changed;
    AKIN_TRY(const Json excerpts, checks.excerpts(name));
    return forget_source(*state, check, excerpts, collection, id);
  });
  AKIN_CHECK(visited);
  return forgotten;
}

Result<Forgotten> forget_person(const std::shared_ptr<state::State>& state, std::string_view id,
                                const state::Actor& by) {
  Checks checks(state, 0);
  Forgotten forgotten;
  AKIN_CHECK(checks.for_each([&](const Json& check) -> Result<void> {
    const auto& name = check.at("id").get_ref<const std::string&>();
    if (check.at("owner") == Json(id)) {
      ++forgotten.deleted;
      return checks.erase(name, by);
    }
    AKIN_TRY(const bool changed, forget_reader(*state, name, id));
    forgotten.changed += changed ? 1 : 0;
    return {};
  }));
  return forgotten;
}

}  // namespace akin::check
