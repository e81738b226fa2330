// The pages of the desk by which an administrator looks after the server.
#include "server/desk/operate.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/audit/audit_log.h"

namespace akin::api {

namespace {

constexpr std::size_t kTasksOnPage = 50;
constexpr const char* kMostOnPage = "1000";

using FormFields = std::span<const Parameter>;

Result<Json> rebuild(const Call& call, FormFields form) {
  return answer_of(call, reindex_collection, {.captures = {value_of(form, "collection")}});
}

Result<Json> save(const Call& call, FormFields form) {
  return answer_of(call, back_up, {.body = {{"name", value_of(form, "name")}}});
}

Result<Json> cancel(const Call& call, FormFields form) {
  return answer_of(call, delete_task, {.captures = {value_of(form, "task")}});
}

Result<Json> drop(const Call& call, FormFields form) {
  const std::string name = value_of(form, "collection");
  if (value_of(form, "again") == name) return answer_of(call, delete_collection, {.captures = {name}});
  return Error{Errc::invalid_argument, "collection " + in_quotes(name), "the name was not written once more",
               "write it exactly, to be sure that this collection shall go"};
}

struct Action {
  std::string_view name;
  Result<Json> (*run)(const Call& call, FormFields form);
};
constexpr std::array<Action, 4> kServerActions = {
    {{"reindex", rebuild}, {"backup", save}, {"cancel", cancel}, {"drop", drop}}};

/// The kind of a request (Words::request_kinds).
std::string_view kind_of(const metrics::Durations& one) {
  const std::string_view route = one.route;
  const auto has = [&](std::string_view part) { return route.find(part) != std::string_view::npos; };
  if (has("/similar") || has("/compare") || has("/passages")) return "search";
  if (has("/checks")) return one.method == "POST" ? "check" : "page";
  const bool stores = has("/documents") || has("/bulk") || has("/upload") || has("/admissions");
  if (stores && one.method != "GET") return "store";
  return route.starts_with("/desk") ? "page" : "other";
}

void add_speeds(const metrics::Metrics& metrics, desk::ServerView& view) {
  for (const char* kind : {"search", "check", "store", "page", "other"}) view.speeds.push_back({kind, {}});
  for (const metrics::Durations& one : metrics.durations()) {
    view.bounds = one.bounds;
    std::vector<std::uint64_t>& answers =
        std::ranges::find(view.speeds, kind_of(one), &desk::Speed::kind)->answers;
    answers.resize(one.answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i] += one.answers[i];
  }
}

/// `written`: what a form says that was refused because somebody else was faster; null: there is none.
Result<Response> persons_response(const Call& call, desk::NewSecret made, Json written = nullptr) {
  constexpr int kPreconditionFailed = 412;
  const int status = written.is_null() ? 200 : kPreconditionFailed;
  const desk::Reader reader = reader_of(call, "/desk/persons");
  AKIN_TRY(const Json persons, answer_of(call, list_persons, {.query = {{"limit", kMostOnPage}}}));
  AKIN_TRY(auto names, call.service.catalog->list());
  const desk::PersonsView view{persons.at("persons"), std::move(names), std::move(made), std::move(written)};
  return page_response(status, reader, desk::persons_page(reader, view));
}

/// Nobody ends their own access: the last administrator could not take that back at the desk.
Result<void> check_not_oneself(const Call& call, std::string_view id) {
  if (call.request.grant == nullptr || call.request.grant->key().spec.person != id) return {};
  return Error{Errc::invalid_argument, "person " + in_quotes(id), "is you, who would lose the way in here",
               "let another administrator do it"};
}

Result<desk::NewSecret> new_secret(const Call& call, const std::string& id) {
  AKIN_TRY(const Json made, answer_of(call, renew_secret, {.captures = {id}}));
  return desk::NewSecret{id, made.at("secret").get<std::string>()};
}

}  // namespace

Result<Response> get_desk_server(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/server");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_CHECK(check_operator(call));
    AKIN_TRY(const Json collections, answer_of(call, list_collections, {.query = {{"limit", kMostOnPage}}}));
    AKIN_TRY(const auto tasks, tasks_of(call.service));
    AKIN_TRY(const auto all, tasks->list());
    desk::ServerView view{
        collections.at("collections"), collections.at("total").get<std::uint64_t>(), {}, {}, {}, {}};
    for (std::size_t i = all.size(); i-- > 0 && view.tasks.size() < kTasksOnPage;)
      view.tasks.push_back(task_object(all[i]));
    view.version = AKIN_VERSION;
    if (call.service.metrics) add_speeds(*call.service.metrics, view);
    AKIN_TRY(const auto checks, checks_of(call.service));
    AKIN_TRY(const check::KeptSpace kept, checks->space());
    view.kept_for_checks = kept.stored_bytes;
    return page_response(200, reader, desk::server_page(reader, view));
  });
}

Result<Response> post_desk_server(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_CHECK(check_operator(call));
    const auto* const action = std::ranges::find(kServerActions, call.captures.front(), &Action::name);
    if (action == kServerActions.end()) return no_route("/desk/server/" + call.captures.front());
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_CHECK(action->run(call, fields));
    return see_other("/desk/server");
  });
}

Result<Response> get_desk_persons(const Call& call) {
  return desk_answer(reader_of(call, "/desk/persons"), [&] { return persons_response(call, {}); });
}

Result<Response> post_desk_persons(const Call& call) {
  return desk_answer(reader_of(call, "/desk/persons"), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    const std::string id = value_of(fields, "id");
    const auto roles = values_of(fields, "roles");
    const bool administers = std::ranges::find(roles, "administrator") != roles.end();
    AKIN_CHECK(check_first(call, "first person", administers));
    const bool loses =
        !administers || value_of(fields, "disabled") == "true" || !values_of(fields, "collections").empty();
    if (loses) AKIN_CHECK(check_not_oneself(call, id));
    const Json person = {{"name", value_of(fields, "name")},
                         {"roles", roles},
                         {"collections", values_of(fields, "collections")},
                         {"disabled", value_of(fields, "disabled") == "true"}};
    const auto stored = answer_of(call, get_person, {.captures = {id}});
    const auto base = parse_json(value_of(fields, "base"));  // a new person has none
    const bool is_known = stored.has_value();
    if (!is_known && base.has_value()) return stored.error();
    if (is_known && base.has_error())
      return Error{Errc::already_exists, "person " + in_quotes(id), "there is one with this id",
                   "take another id, or change that person"};
    if (is_known && desk::person_base(*stored) != *base) {
      Json written = person;
      written["id"] = id;
      return persons_response(call, {}, std::move(written));
    }
    AKIN_CHECK(answer_of(call, put_person, {.captures = {id}, .body = person}));
    if (is_known) return persons_response(call, {});
    AKIN_TRY(const desk::NewSecret made, new_secret(call, id));
    return persons_response(call, made);
  });
}

Result<Response> post_desk_person(const Call& call) {
  return desk_answer(reader_of(call, "/desk/persons"), [&]() -> Result<Response> {
    const std::string& id = call.captures[0];
    const std::string& action = call.captures[1];
    if (action == "secret") {
      AKIN_TRY(const desk::NewSecret made, new_secret(call, id));
      return persons_response(call, made);
    }
    if (action == "remove" || action == "disable") AKIN_CHECK(check_not_oneself(call, id));
    if (action == "remove") {
      AKIN_CHECK(answer_of(call, delete_person, {.captures = {id}}));
    } else if (action == "disable" || action == "enable") {
      AKIN_TRY(Json person, answer_of(call, get_person, {.captures = {id}}));
      for (const char* fixed : {"id", "created"}) person.erase(fixed);
      person["disabled"] = action == "disable";
      AKIN_CHECK(answer_of(call, put_person, {.captures = {id}, .body = person}));
    } else {
      return no_route("/desk/persons/" + id + "/" + action);
    }
    return see_other("/desk/persons");
  });
}

Result<Response> get_desk_log(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/log");
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {{"cursor"}, {"verify", ParameterKind::flag}, {"lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    std::vector<Parameter> query;
    if (const auto cursor = parameters.text("cursor")) query.push_back({"cursor", std::string(*cursor)});
    AKIN_TRY(const Json page, answer_of(call, list_audit, {.query = query}));
    desk::LogView view{page.at("entries"),
                       page.at("next").is_null() ? "" : page.at("next").get<std::string>()};
    if (parameters.flag("verify")) {
      AKIN_TRY(audit::Verified found, audit::verify(*call.service.state));
      const std::string count = desk::number(*reader.words, found.entries);
      view.verified = desk::filled(found.problems.empty() ? reader.words->verified : reader.words->broken,
                                   {count, found.head});
      view.problems = std::move(found.problems);
    }
    return page_response(200, reader, desk::log_page(reader, view));
  });
}

}  // namespace akin::api
