// What persons decide of a check.
#include "server/check/decision.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/conditions.h"

namespace akin::api {

namespace {

/// The outcome as computed and as decided, side by side.
Response decision_response(const Json& check, Json history = nullptr) {
  const Json& decision = check.at("decision");
  Json object;
  object["id"] = check.at("id");
  object["verdict"] = check.at("verdict");
  object["share"] = check.at("share");
  object["letters"] = check.at("letters");
  object["decision"] = decision;
  if (!history.is_null()) object["history"] = std::move(history);
  Response response = json_response(200, object);
  const Revision revision{decision.at("revision").get<std::uint64_t>()};
  response.headers.emplace_back("ETag", entity_tag(revision));
  return response;
}

Result<check::Change> change_of(const Request& request) {
  AKIN_TRY(Precondition version, write_condition(request));
  return check::Change{actor_of(request), std::move(version), time_now()};
}

Result<check::NewDecision> decision_in(const Request& request) {
  AKIN_TRY(const Fields fields, json_body(request, {"state", "remark"}));
  check::NewDecision decision;
  AKIN_TRY(decision.state, fields.required_string("state"));
  AKIN_TRY(const auto remark, fields.string("remark"));
  decision.remark = remark.value_or("");
  if (std::ranges::find(check::kDecisionStates, decision.state) == check::kDecisionStates.end()) {
    return Error{Errc::invalid_argument, "field 'state'", in_quotes(decision.state) + " is not known",
                 "give one of " + quoted_list(check::kDecisionStates)};
  }
  if (decision.remark.size() <= check::kMaxRemarkBytes) return decision;
  return Error{Errc::too_large, "field 'remark'",
               "more than " + std::to_string(check::kMaxRemarkBytes) + " bytes", "shorten it"};
}

}  // namespace

state::Actor actor_of(const Request& request) {
  if (request.grant == nullptr) return {.address = request.peer};
  return actor_of(request.grant->key(), request.peer);
}

state::Actor actor_of(const access::KeyInfo& key, const std::string& address) {
  const std::string& person = key.spec.person;
  if (!person.empty()) return {.kind = "person", .id = person, .name = key.spec.label, .address = address};
  return {.kind = "key", .id = key.id, .name = key.spec.label, .address = address};
}

Result<Response> get_decision(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  AKIN_TRY(auto entries, check::Decisions(call.service.state).history(check));
  return decision_response(check, Json(std::move(entries)));
}

Result<Response> put_decision(const Call& call) {
  AKIN_TRY(const check::NewDecision decision, decision_in(call.request));
  AKIN_TRY(const check::Change change, change_of(call.request));
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_CHECK(allowed_check(call, *checks));
  AKIN_TRY(const Json check,
           check::Decisions(call.service.state).decide(call.captures.front(), decision, change));
  return decision_response(check);
}

Result<Response> patch_marks(const Call& call) {
  AKIN_TRY(const Fields fields, json_body(call.request, {"marks"}));
  AKIN_TRY(const check::Change change, change_of(call.request));
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_CHECK(allowed_check(call, *checks));
  const Json* marks = fields.value("marks");
  AKIN_TRY(const Json check, check::Decisions(call.service.state)
                                 .mark(call.captures.front(), marks == nullptr ? Json() : *marks, change));
  return decision_response(check);
}

}  // namespace akin::api
