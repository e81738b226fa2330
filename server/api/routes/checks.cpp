#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/api/routes/check_request.h"
#include "server/api/routes/check_texts.h"
#include "server/api/routes/waiting_checks.h"
#include "server/api/write/check_objects.h"
#include "server/api/write/file_object.h"
#include "server/api/write/passage_columns.h"
#include "server/api/write/work.h"
#include "server/check/anonymous.h"
#include "server/check/certificate.h"
#include "server/check/decision.h"
#include "server/check/links.h"
#include "server/check/standing.h"
#include "server/desk/report.h"
#include "server/ingest/places.h"
#include "server/run/shown_texts.h"

namespace akin::api {

namespace {

/// Removes the texts of a stored policy's templates from an outcome, unless the request's key may read.
void hide_template_texts(const Request& request, Json& outcome) {
  Json& policy = outcome.at("policy");
  if (may_read(request) || policy.at("name").is_null()) return;
  Json shown = Json::array();
  for (Json& entry : policy.at("exclude").at("templates")) {
    if (!entry.contains("text")) shown.push_back(std::move(entry));
  }
  policy["exclude"]["templates"] = std::move(shown);
}

/// A key with only the scope `check` cannot read a stored document by checking it, whole or in passages.
Result<void> require_text(const Request& request, const Json& check) {
  if (!check.at("query").contains("id") || may_read(request)) return {};
  return Error{Errc::forbidden, "access key '" + request.grant->key().id + "'",
               "it does not allow reading stored documents", "use a key of scope read"};
}

/// The text of a check, and where it is in its file.
Result<void> add_text(const check::Checks& checks, const std::string& text, Json& check) {
  AKIN_TRY(const std::string map, checks.map(check.at("id").get_ref<const std::string&>()));
  check["text"] = text;
  if (Json places = ingest::places_object(map); !places.is_null()) check["places"] = std::move(places);
  return {};
}

Result<Response> check_body(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(AskedCheck asked, read_check_request(call));
  const auto make = [&] {
    return make_check(call.service, asked.is_brief ? asked : std::move(asked), call.request,
                      [](std::string_view) {});
  };
  const bool may_wait = call.service.hand_ins != nullptr && asked.file.has_value();
  bool waits = is_to_wait(call, asked);
  std::optional<Result<check::NewCheck>> made;
  if (!waits) {
    asked.is_brief = may_wait;
    made.emplace(make());
    waits = may_wait && made->has_error() && made->error().code == Errc::busy;
  }
  if (waits) {
    auto accepted = accept_check(call, asked);
    // Without space for what is handed in, the check is made at once, which keeps no file.
    if (accepted.has_value() || accepted.error().code != Errc::disk_full) return accepted;
    asked.is_brief = false;
    made.emplace(make());
  }
  AKIN_TRY(check::NewCheck done, *std::move(made));
  AKIN_TRY(Json stored, checks->add(std::move(done), time_now()));
  if (call.service.metrics) call.service.metrics->checked(stored.at("verdict").get_ref<const std::string&>());
  hide_template_texts(call.request, stored);
  Response response = json_response(201, stored);
  response.work = work_of_check(stored);
  response.headers.emplace_back("Location", "/v1/checks/" + stored.at("id").get<std::string>());
  return response;
}

}  // namespace

Result<std::shared_ptr<check::Checks>> checks_of(const Service& service) {
  if (service.checks && service.policies) return service.checks;
  return Error{Errc::not_found, "checks", "they are disabled on this server",
               "use a server that akin serve started"};
}

Result<Json> allowed_check(const Call& call, const check::Checks& checks) {
  AKIN_TRY(const auto waits, waiting_check(call));
  if (waits) {
    return Error{Errc::not_found, "outcome of check " + in_quotes(call.captures.front()), "there is none yet",
                 "GET /v1/checks/" + call.captures.front() + " says how far it is"};
  }
  AKIN_TRY(Json check, checks.get(call.captures.front()));
  if (!allows_check(call.request, check)) return check::no_check(call.captures.front());
  return check;
}

Result<std::string> make_report(const Service& service, const desk::Words& words, const Json& check,
                                const ReportView& view) {
  AKIN_TRY(const auto checks, checks_of(service));
  const std::string id = check.at("id").get<std::string>();
  AKIN_CHECK(require_shown(service, check));
  AKIN_TRY(const std::string text, checks->text(id));
  desk::ReportParts parts;
  AKIN_TRY(parts.text_of, source_texts(service, check, view.shows_documents));
  parts.is_restricted = [&](const Json& source) {
    return hides_text_of(*service.catalog, service.state.get(), source);
  };
  parts.has_changed = [&](const Json& source) { return !is_unchanged(*service.catalog, source); };
  AKIN_TRY(parts.history, check::Decisions(service.state).history(check));
  AKIN_TRY(Json links, check::Links(service.state).list(id));
  parts.statements = std::move(links.at("statements"));
  if (check.contains("later")) {
    AKIN_TRY(parts.later, check::later_outcome(*service.state, id));
  }
  parts.marks_path = view.marks_path;
  parts.links_documents = !view.filter_path.empty() && view.shows_documents;
  if (!view.marks_path.empty()) parts.switch_path = view.filter_path + "/switch";
  parts.filter = view.filter;
  parts.filter_path = view.filter_path;
  if (!view.filter_path.empty() && has_page_pictures(check)) parts.pages_path = view.filter_path + "/pages";
  if (view.naming == Naming::names) return desk::report(words, check, text, parts);
  for (Json& entry : parts.history) entry = check::without_names(std::move(entry));
  for (Json& statement : parts.statements) statement["label"] = "";
  return desk::report(words, check::without_names(check), text, parts);
}

Result<std::string> report_of(const Call& call, const desk::Words& words, const Json& check,
                              const ReportView& asked) {
  AKIN_CHECK(require_text(call.request, check));
  ReportView view = asked;
  view.shows_documents = may_read(call.request);
  if (!view.filter_path.empty() && may(call, access::Scope::review) &&
      check.at("decision").at("state") == "open")
    view.marks_path = "/desk/checks/" + call.captures.front() + "/marks";
  AKIN_TRY(std::string report, make_report(call.service, words, check, view));
  AKIN_CHECK(record(call, "check.read", call.captures.front()));
  return report;
}

Result<Json> report_object(const Call& call, Json check, Naming naming) {
  AKIN_CHECK(require_text(call.request, check));
  AKIN_CHECK(require_shown(call.service, check));
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY(const std::string text, checks->text(id));
  AKIN_TRY(const desk::SourceText text_of, source_texts(call.service, check, may_read(call.request)));
  AKIN_TRY(const Json history, check::Decisions(call.service.state).history(check));
  AKIN_TRY(Json links, check::Links(call.service.state).list(id));
  Json later;
  if (check.contains("later")) {
    AKIN_TRY(later, check::later_outcome(*call.service.state, id));
    hide_template_texts(call.request, later);
  }
  hide_template_texts(call.request, check);
  add_passage_texts(text_of, text, check);
  AKIN_CHECK(add_text(*checks, text, check));
  AKIN_CHECK(record(call, "check.read", id));
  Json report{{"check", std::move(check)},
              {"history", history},
              {"statements", std::move(links.at("statements"))},
              {"later", std::move(later)}};
  if (naming == Naming::names) return report;
  for (Json& statement : report.at("statements")) statement["label"] = "";
  for (auto& [name, part] : report.items()) part = check::without_names(std::move(part));
  return report;
}

Result<Json> certificate_of(const Call& call, const Json& check) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_CHECK(record(call, "check.certified", id));
  AKIN_TRY(const std::string text, checks->text(id));
  AKIN_TRY(auto history, check::Decisions(call.service.state).history(check));
  const Time now = time_now();
  AKIN_TRY(Json certificate,
           check::make_certificate(*call.service.state, {check, sha256_hex(text), std::move(history)}, now));
  return check::CertificateKeys(call.service.state).sign(std::move(certificate), now);
}

Result<Response> check_text(const Call& call) { return without_form(call, check_body); }

Result<Response> get_check(const Call& call) {
  const bool with_text = call.parameters.lists("include", "text");
  const bool with_passages = call.parameters.lists("include", "passage_text");
  const bool in_columns = call.parameters.lists("include", "columns");
  if (with_passages && in_columns)
    return Error{Errc::invalid_argument, "parameter 'include'", "columns have no texts of passages",
                 "give 'columns,text', and cut the passages from the text"};
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY(auto waits, waiting_check(call));
  if (waits) return waiting_response(*waits);
  AKIN_TRY(Json check, allowed_check(call, *checks));
  hide_template_texts(call.request, check);
  if (in_columns) {
    for (Json& source : check.at("sources")) {
      source["passage_columns"] = passage_columns(source.at("passages"));
      source.erase("passages");
    }
  }
  if (!with_text && !with_passages) return json_response(200, check);
  AKIN_CHECK(require_text(call.request, check));
  AKIN_CHECK(require_shown(call.service, check));
  AKIN_TRY(const std::string text, checks->text(id));
  AKIN_CHECK(record(call, "check.read", id));
  if (with_passages) {
    AKIN_TRY(const desk::SourceText text_of, source_texts(call.service, check, may_read(call.request)));
    add_passage_texts(text_of, text, check);
  }
  if (with_text) AKIN_CHECK(add_text(*checks, text, check));
  return json_response(200, check);
}

Result<Response> get_check_file(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  AKIN_TRY(StoredFile file, checks->original(check));
  AKIN_CHECK(record(call, "check.file_read", call.captures.front()));
  return file_response(call.request, std::move(file));
}

Result<Response> get_certificate(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  AKIN_TRY(const Json certificate, certificate_of(call, check));
  return json_response(200, certificate);
}

Result<Response> delete_check(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY(const auto waits, waiting_check(call));
  const auto withdrawn = waits ? withdraw(call.service, *waits) : Result<void>();
  // Unless the check was made meanwhile.
  if (withdrawn.has_error() && withdrawn.error().code != Errc::not_found) return withdrawn.error();
  if (!waits || withdrawn.has_error()) {
    AKIN_CHECK(allowed_check(call, *checks));
    AKIN_CHECK(checks->erase(id, actor_of(call.request)));
  }
  return json_response(200, {{"id", id}, {"deleted", true}});
}

Result<Response> get_later_outcome(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  const std::string& id = call.captures.front();
  AKIN_TRY(Json outcome, check::later_outcome(*call.service.state, id));
  hide_template_texts(call.request, outcome);
  Json object;
  object["id"] = id;
  object["time"] = check.at("later").at("time");
  object["outcome"] = std::move(outcome);
  return json_response(200, object);
}

Result<Response> repeat_check(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY(Json check, allowed_check(call, *checks));
  forget_file(check, "sources");
  AKIN_TRY(std::string text, checks->text(id));
  AKIN_TRY(check::CheckRequest request, request_of(check, std::move(text)));
  AKIN_TRY(Json outcome, outcome_of(*call.service.catalog, request));
  // A check that an earlier version of akin made may lack a field.
  const auto same = [&](const auto& field) { return check.value(field.key(), Json()) == field.value(); };
  const auto fields = outcome.items();
  Json object;
  object["id"] = id;
  object["same"] = std::all_of(fields.begin(), fields.end(), same);
  object["same_index"] = check.at("index") == outcome.at("index");
  hide_template_texts(call.request, outcome);
  object["outcome"] = std::move(outcome);
  return json_response(200, object);
}

}  // namespace akin::api
