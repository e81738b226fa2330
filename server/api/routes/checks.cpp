#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rfc3339.h"
#include "base/sliced_text.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/api/read/parameters.h"
#include "server/api/routes/check_request.h"
#include "server/api/write/check_objects.h"
#include "server/api/write/file_object.h"
#include "server/api/write/work.h"
#include "server/check/decision.h"
#include "server/desk/page.h"
#include "server/desk/report.h"
#include "server/ingest/places.h"

namespace akin::api {

namespace {

/// Whole checks that are in memory at once.
constexpr std::size_t kReadAtOnce = 4;

Result<Json> run(const Service& service, check::CheckRequest& request) {
  AKIN_TRY(const check::Outcome outcome, check::run_check(*service.catalog, request));
  return outcome_object(request, outcome);
}

std::string_view slice(const SlicedText& text, const Json& range) {
  return text.slice({range.at(0).get<std::uint32_t>(), range.at(1).get<std::uint32_t>()});
}

/// The text of a source, if the document has not changed since the check.
std::optional<std::string> text_of(Catalog& catalog, const Json& source) {
  const auto collection = catalog.get(source.at("collection").get_ref<const std::string&>());
  if (collection.has_error()) return std::nullopt;
  const auto snapshot = (*collection)->snapshot();
  if (snapshot.has_error()) return std::nullopt;
  const std::string& id = source.at("id").get_ref<const std::string&>();
  const auto record = (*snapshot)->find(id);
  if (record.has_error() || !*record || (*record)->revision.value != source.at("revision"))
    return std::nullopt;
  auto text = (*snapshot)->text(**record);
  return text.has_error() ? std::nullopt : std::optional(*std::move(text));
}

/// `catalog`: null if the texts of stored documents are not to be shown.
void add_passage_texts(Catalog* catalog, std::string_view text, Json& check) {
  const SlicedText checked(text);
  for (Json& source : check.at("sources")) {
    const auto stored = catalog == nullptr ? std::nullopt : text_of(*catalog, source);
    const SlicedText sliced(stored ? std::string_view(*stored) : std::string_view());
    for (Json& passage : source.at("passages")) {
      passage["a_text"] = slice(checked, passage.at("a"));
      passage["b_text"] = stored ? Json(slice(sliced, passage.at("b"))) : Json(nullptr);
    }
  }
}

bool is_of_scope(const Request& request, access::Scope scope) {
  return request.grant == nullptr || request.grant->key().allows(scope);
}

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

/// The collections that a check searched, and those of the stored document that it checked and of its
/// templates.
std::vector<std::string> collections_of(const Json& check) {
  auto names = check.at("collections").get<std::vector<std::string>>();
  const Json& query = check.at("query");
  if (query.contains("collection")) names.push_back(query.at("collection").get<std::string>());
  for (const Json& entry : check.at("policy").at("exclude").at("templates")) {
    if (entry.contains("collection")) names.push_back(entry.at("collection").get<std::string>());
  }
  return names;
}

/// A check is visible to the key that made it, and to keys of scope review.
bool is_visible(const Request& request, const Json& check) {
  return is_of_scope(request, access::Scope::review) ||
         check.value("key", Json()) == Json(request.grant->key().holder());
}

/// Whether the request's key allows all collections of a check that it sees.
bool allows(const Request& request, const Json& check) {
  return is_visible(request, check) &&
         std::ranges::all_of(collections_of(check), [&](const std::string& name) {
           return require_collection(request, name).has_value();
         });
}

struct CheckPage {
  std::uint64_t total = 0;  ///< of all pages
  Json checks = Json::array();
  bool more = false;
};

/// Whether the text contains the part, letters compared without case.
bool has_part(const std::string& text, std::string_view part) {
  const auto folded = [](std::string_view utf8) {
    return icu::UnicodeString::fromUTF8({utf8.data(), static_cast<std::int32_t>(utf8.size())}).foldCase();
  };
  return folded(text).indexOf(folded(part)) >= 0;
}

/// The filters of a list of checks.
struct CheckFilter {
  std::optional<std::string_view> verdict, state, owner, collection, part;
  std::optional<std::int64_t> since;  ///< microseconds since the Unix epoch

  [[nodiscard]] bool is_any() const { return verdict || state || owner || collection || part || since; }
  [[nodiscard]] bool accepts(const Json& check) const {
    if (verdict && check.at("verdict") != Json(*verdict)) return false;
    if (state && check.at("decision").at("state") != Json(*state)) return false;
    if (owner && check.at("owner") != Json(*owner)) return false;
    const Json& searched = check.at("collections");
    if (collection && std::ranges::find(searched, Json(*collection)) == searched.end()) return false;
    const auto has = [&](const char* field) {
      const Json& value = check.at(field);
      return value.is_string() && has_part(value.get_ref<const std::string&>(), *part);
    };
    return !part || has("title") || has("owner") || has("id");
  }
  [[nodiscard]] bool is_too_old(const Json& check) const {
    return since && parse_rfc3339(check.at("created").get_ref<const std::string&>()) < since;
  }
};

Result<CheckFilter> check_filter(const Parameters& parameters) {
  AKIN_CHECK(parameters.one_of("verdict", {"pass", "review", "refuse"}));
  AKIN_CHECK(parameters.one_of("state", {"open", "accepted", "returned", "refused"}));
  CheckFilter filter{parameters.text("verdict"),    parameters.text("state"), parameters.text("owner"),
                     parameters.text("collection"), parameters.text("q"),     {}};
  const auto since = parameters.text("since");
  if (since) filter.since = parse_rfc3339(*since);
  if (!since || filter.since) return filter;
  return Error{Errc::invalid_argument, parameters.what("since"), in_quotes(*since) + " is not a date",
               "give a date such as 2024-05-17, or a date-time such as 2024-05-17T08:30:00Z"};
}

/// Lists and counts only the checks that the key allows and the filter accepts, the newest first. If they may
/// not be all, all checks since the time of the filter are read.
Result<CheckPage> list_page(const Call& call, const check::Checks& checks, const CheckFilter& filter,
                            const Parameters& parameters) {
  AKIN_TRY(const std::uint64_t limit, parameters.integer("limit", kListLimit));
  AKIN_TRY(const std::string_view after, parameters.key_of_cursor());
  const auto& grant = call.request.grant;
  const bool bound = filter.is_any() || (grant && (!grant->key().spec.collections.empty() ||
                                                   !is_of_scope(call.request, access::Scope::review)));
  CheckPage page;
  AKIN_TRY(page.total, checks.count());
  if (bound) page.total = 0;
  std::string last(bound ? "" : after);
  while (true) {
    AKIN_TRY(const auto some, checks.newest(last, kReadAtOnce));
    for (const Json& check : some) {
      last = check.at("id").get<std::string>();
      if (filter.is_too_old(check)) return page;
      if (bound && !(allows(call.request, check) && filter.accepts(check))) continue;
      if (bound) ++page.total;
      if (!after.empty() && last >= after) continue;
      page.more = page.checks.size() == limit;
      if (page.more && !bound) return page;
      if (page.checks.size() < limit) page.checks.push_back(check_summary(check));
    }
    if (some.size() < kReadAtOnce) return page;
  }
}

/// A key with only the scope `check` cannot read a stored document by checking it, whole or in passages.
Result<void> require_text(const Request& request, const Json& check) {
  if (!check.at("query").contains("id") || may_read(request)) return {};
  return Error{Errc::forbidden, "access key '" + request.grant->key().id + "'",
               "it does not allow reading stored documents", "use a key of scope read"};
}

Result<Response> check_body(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(AskedCheck asked, read_check_request(call));
  AKIN_TRY(Json outcome, run(call.service, asked.request));
  Json check;
  check["key"] = call.request.grant ? Json(call.request.grant->key().holder()) : Json(nullptr);
  check["title"] = std::move(asked.title);
  check["metadata"] = std::move(asked.metadata);
  json::move_fields(check, std::move(outcome));
  if (asked.file) add_file(check, "sources", *asked.file);
  if (!asked.request.places.empty())
    add_query_places(check.at("sources"), ingest::decode_places(asked.request.places));
  AKIN_TRY(Json stored, checks->add(std::move(check), *asked.request.text, time_now()));
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
  AKIN_TRY(Json check, checks.get(call.captures.front()));
  if (!allows(call.request, check)) return check::no_check(call.captures.front());
  return check;
}

Result<std::vector<Json>> newest_checks(const Call& call, std::string_view before, const CheckKind& kind,
                                        std::size_t limit) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  std::vector<Json> found;
  std::string last(before);
  while (found.size() < limit) {
    AKIN_TRY(const auto some, checks->newest(last, kReadAtOnce));
    for (const Json& check : some) {
      last = check.at("id").get<std::string>();
      const bool wanted = (kind.verdict.empty() || check.at("verdict") == Json(kind.verdict)) &&
                          (kind.state.empty() || check.at("decision").at("state") == Json(kind.state));
      if (wanted && found.size() < limit && allows(call.request, check))
        found.push_back(check_summary(check));
    }
    if (some.size() < kReadAtOnce) break;
  }
  return found;
}

Result<std::string> report_of(const Call& call, const desk::Words& words, const Json& check) {
  AKIN_CHECK(require_text(call.request, check));
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(const std::string text, checks->text(check.at("id").get<std::string>()));
  AKIN_CHECK(record(call, "check.read", call.captures.front()));
  const bool reads = is_of_scope(call.request, access::Scope::read);
  desk::ReportParts parts;
  parts.text_of = [&](const Json& source) {
    return reads ? text_of(*call.service.catalog, source) : std::nullopt;
  };
  AKIN_TRY(parts.history, check::Decisions(call.service.state).history(check));
  if (is_for_people(call.request) && is_of_scope(call.request, access::Scope::review) &&
      check.at("decision").at("state") == "open")
    parts.marks_path = "/desk/checks/" + call.captures.front() + "/marks";
  return desk::report(words, check, text, parts);
}

Result<Response> get_report(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"lang"}));
  AKIN_CHECK(parameters.one_of("lang", {"en", "ru"}));
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  const auto lang = parameters.text("lang");
  const desk::Words& words =
      lang ? *desk::words_of(*lang) : desk::words_for(call.request.header("accept-language").value_or(""));
  AKIN_TRY(const std::string report, report_of(call, words, check));
  constexpr std::string_view kPolicy =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
      "frame-ancestors 'none'";
  return Response{200,
                  {{"Content-Type", "text/html; charset=utf-8"},
                   {"Content-Language", std::string(words.tag)},
                   {"Content-Security-Policy", std::string(kPolicy)},
                   {"Vary", "Accept-Language"}},
                  desk::whole_page(words, desk::title_of(words, check), report)};
}

Result<Response> post_check(const Call& call) { return without_form(call, check_body); }

Result<Response> list_checks(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"cursor", "limit", "verdict", "state",
                                                                      "owner", "collection", "since", "q"}));
  AKIN_TRY(const CheckFilter filter, check_filter(parameters));
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(CheckPage page, list_page(call, *checks, filter, parameters));
  Json object;
  object["total"] = page.total;
  object["checks"] = std::move(page.checks);
  object["next"] =
      page.more ? Json(cursor_after(object["checks"].back().at("id").get<std::string>())) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_check(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"text", "passage_text"}));
  AKIN_TRY(const bool with_text, parameters.flag("text", false));
  AKIN_TRY(const bool with_passages, parameters.flag("passage_text", false));
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY(Json check, allowed_check(call, *checks));
  hide_template_texts(call.request, check);
  if (!with_text && !with_passages) return json_response(200, check);
  AKIN_CHECK(require_text(call.request, check));
  AKIN_TRY(const std::string text, checks->text(id));
  AKIN_CHECK(record(call, "check.read", id));
  if (with_passages)
    add_passage_texts(may_read(call.request) ? call.service.catalog.get() : nullptr, text, check);
  if (with_text) check["text"] = text;
  return json_response(200, check);
}

Result<Response> delete_check(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_CHECK(allowed_check(call, *checks));
  AKIN_CHECK(checks->erase(id, actor_of(call.request)));
  return json_response(200, {{"id", id}, {"deleted", true}});
}

Result<Response> repeat_check(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY(Json check, allowed_check(call, *checks));
  forget_file(check, "sources");
  AKIN_TRY(std::string text, checks->text(id));
  AKIN_TRY(check::CheckRequest request, request_of(check, std::move(text)));
  AKIN_TRY(Json outcome, run(call.service, request));
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
