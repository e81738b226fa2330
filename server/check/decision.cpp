#include "server/check/decision.h"

#include <utility>
#include <vector>

#include "base/sha256.h"
#include "server/audit/audit_log.h"
#include "server/check/announcements.h"
#include "server/check/check_record.h"
#include "server/check/marks.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;
using state::Table;

Result<void> check_version(std::string_view id, const Json& decision, const Precondition& version) {
  if (version.holds_for(Revision{decision.at("revision").get<std::uint64_t>()})) return {};
  return Error{Errc::precondition_failed, "decision of " + check_named(id),
               "somebody has changed it since it was read", "read it again, then decide"};
}

Error decided_already(std::string_view id, const Json& decision) {
  return Error{Errc::already_exists, check_named(id),
               "is " + decision.at("state").get<std::string>() + " already",
               "reopen it with the state 'open' first"};
}

bool asks_for_two(const Json& check) {
  const auto policy = check.find("policy");
  return policy != check.end() && policy->value("readers", 1) == 2;
}

/// The next state and proposal of an open case that `change.by` decides.
Result<void> take_decision(std::string_view id, const Json& check, const NewDecision& made,
                           const Change& change, Json& decision) {
  const Json by = audit::actor_object(change.by);
  const Json& proposed = decision.at("proposed");
  if (made.state == "open" || !asks_for_two(check)) {
    decision["state"] = made.state;
    decision["proposed"] = nullptr;
    return {};
  }
  if (!change.by.is_known()) {
    return Error{Errc::forbidden, check_named(id), "its policy asks for two readers, and nobody is signed in",
                 "make a person or an access key for each reader"};
  }
  if (proposed.is_null() || proposed.at("state") != made.state) {
    decision["proposed"] = {{"state", made.state}, {"by", by}};
    return {};
  }
  if (proposed.at("by").at("kind") == by.at("kind") && proposed.at("by").at("id") == by.at("id")) {
    return Error{Errc::forbidden, check_named(id),
                 "its policy asks for a second reader, who is another person", "ask somebody else to decide"};
  }
  decision["state"] = made.state;
  decision["proposed"] = nullptr;
  return {};
}

/// Sets what every change sets, and makes its entry of the history.
Json entry_of(Json& decision, std::string_view action, const Change& change) {
  decision["revision"] = decision.at("revision").get<std::uint64_t>() + 1;
  decision["by"] = audit::actor_object(change.by);
  decision["time"] = format_time(change.now);
  Json entry;
  entry["number"] = decision.at("revision");
  entry["time"] = decision.at("time");
  entry["by"] = decision.at("by");
  entry["action"] = action;
  for (const char* field : {"state", "proposed", "share"}) entry[field] = decision.at(field);
  return entry;
}

}  // namespace

Json open_decision(const Json& check) {
  Json shares = Json::array();
  for (const Json& source : check.value("sources", Json::array())) shares.push_back(source.at("share"));
  const Json letters = check.value("letters", Json{{"compared", 0}, {"found", 0}});
  return {{"state", "open"},
          {"proposed", nullptr},
          {"revision", 0},
          {"share", check.value("share", 0.0)},
          {"letters", {{"compared", letters.at("compared")}, {"found", letters.at("found")}}},
          {"source_shares", std::move(shares)},
          {"marks", Json::array()},
          {"remark", ""},
          {"by", nullptr},
          {"time", nullptr}};
}

/// `make(check)` changes the decision of the check and returns the entry of its history, or null if nothing
/// changes. It runs again if somebody else changes the check meanwhile.
template <class Make>
Result<Json> Decisions::change(std::string_view id, const Change& change, const Make& make) {
  if (!is_check_id(id)) return no_check(id);
  for (;;) {
    AKIN_TRY(const auto record, state_->get(Table::checks, id));
    AKIN_TRY(Json check, decode_check(id, record));
    AKIN_CHECK(check_version(id, check.at("decision"), change.version));
    AKIN_TRY(const Json entry, make(check));
    if (entry.is_null()) return check;
    AKIN_TRY(const std::string changed, encode_check(check));
    bool is_raced = false;
    const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
      AKIN_TRY(const auto stored, writer.get(Table::checks, id));
      is_raced = stored != record;
      if (is_raced) return {};
      AKIN_CHECK(writer.put(Table::checks, id, changed));
      const auto number = entry.at("number").get<std::uint64_t>();
      AKIN_CHECK(writer.put(Table::decisions, decision_key(id, number), entry.dump()));
      const bool is_decision = entry.at("action") == "decision";
      AKIN_CHECK(announce(writer, is_decision ? "check.decided" : "check.updated", check));
      return audit::append(
          writer, {change.by,
                   is_decision ? "check.decided" : "check.marked",
                   std::string(id),
                   {{"number", number}, {"state", entry.at("state")}, {"sha256", sha256_hex(entry.dump())}}});
    });
    AKIN_CHECK(written);
    if (!is_raced) return check;
  }
}

Result<Json> Decisions::decide(std::string_view id, const NewDecision& made, const Change& by) {
  return change(id, by, [&](Json& check) -> Result<Json> {
    Json& decision = check.at("decision");
    const bool is_open = decision.at("state") == "open";
    if (decision.at("state") == made.state && decision.at("remark") == made.remark &&
        decision.at("by") == audit::actor_object(by.by) && (!is_open || decision.at("proposed").is_null()))
      return Json(nullptr);
    if (!is_open && made.state != "open") return decided_already(id, decision);
    AKIN_CHECK(take_decision(id, check, made, by, decision));
    decision["remark"] = made.remark;
    Json entry = entry_of(decision, "decision", by);
    entry["remark"] = made.remark;
    return entry;
  });
}

Result<Json> Decisions::mark(std::string_view id, const Json& marks, const Change& by) {
  return change(id, by, [&](Json& check) -> Result<Json> {
    Json& decision = check.at("decision");
    if (decision.at("state") != "open") return decided_already(id, decision);
    AKIN_TRY(Json merged, merge_marks(check, decision.at("marks"), marks));
    if (merged == decision.at("marks")) return Json(nullptr);
    AKIN_TRY(const std::string text, read_text(*state_, id));
    const DecidedShares shares = decided_shares(check, text, merged);
    decision["marks"] = std::move(merged);
    decision["share"] = shares.share;
    decision["letters"] = shares.letters();
    decision["source_shares"] = shares.sources;
    decision["proposed"] = nullptr;
    Json entry = entry_of(decision, "marks", by);
    entry["marks"] = marks;
    return entry;
  });
}

Result<std::vector<Json>> Decisions::history(const Json& check) const {
  const auto& id = check.at("id").get_ref<const std::string&>();
  AKIN_TRY(const auto entries,
           state_->list(Table::decisions, id, "", check.at("decision").at("revision").get<std::size_t>()));
  std::vector<Json> history;
  for (const state::Entry& stored : entries) {
    auto entry = json::parse_json(stored.value, json::kAnyJsonValues);
    if (entry.has_error()) return corrupt_check(id, "an entry of its history cannot be read");
    history.push_back(*std::move(entry));
  }
  return history;
}

}  // namespace akin::check
