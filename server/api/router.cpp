// The table of paths, methods and handlers, and the boundary where an error becomes an answer.

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/api/desk_request.h"
#include "server/api/desk_routes.h"
#include "server/api/handlers.h"
#include "server/api/idempotency.h"
#include "server/api/route.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::array kInterfaceRoutes = {
    Route{"/livez", {{{"GET", kAnyone, get_livez, nullptr, Delivery::at_once}}}},
    Route{"/readyz", {{{"GET", kAnyone, get_readyz, nullptr, Delivery::probe}}}},
    Route{"/metrics", {{{"GET", Scope::read, get_metrics}}}},
    Route{"/version", {{{"GET", kAnyone, get_version, nullptr, Delivery::at_once}}}},
    Route{"/openapi.json", {{{"GET", kAnyone, get_openapi, nullptr, Delivery::at_once}}}},
    Route{"/", {{{"GET", kAnyone, get_root, nullptr, Delivery::at_once}}}},
    Route{"/docs", {{{"GET", kAnyone, get_docs_root, nullptr, Delivery::at_once}}}},
    Route{"/docs/", {{{"GET", kAnyone, get_docs, nullptr, Delivery::at_once}}}},
    Route{"/docs/{page*}", {{{"GET", kAnyone, get_docs, nullptr, Delivery::at_once}}}},
    Route{"/v1/collections", {{{"GET", Scope::read, list_collections}}}},
    Route{"/v1/collections/{collection}",
          {{{"GET", Scope::read, get_collection},
            {"PUT", Scope::admin, put_collection},
            {"DELETE", Scope::admin, delete_collection}}}},
    Route{"/v1/collections/{collection}/documents",
          {{{"GET", Scope::read, list_documents}, creating(Scope::write, post_document)}}},
    Route{"/v1/collections/{collection}/documents:bulk", {{streaming("POST", Scope::write, post_bulk)}}},
    Route{"/v1/collections/{collection}/documents:upload", {{streaming("POST", Scope::write, post_upload)}}},
    Route{"/v1/collections/{collection}/documents/{id*}",
          {{{"GET", Scope::read, get_document},
            {"PUT", Scope::write, put_document},
            {"PATCH", Scope::write, patch_document},
            {"DELETE", Scope::write, delete_document}}}},
    Route{"/v1/collections/{collection}/files/{id*}", {{{"GET", Scope::read, get_file}}}},
    Route{"/v1/collections/{collection}/similar", {{{"POST", Scope::read, post_similar}}}},
    Route{"/v1/similar", {{{"POST", Scope::read, post_similar_across}}}},
    Route{"/v1/collections/{collection}/pairs", {{creating(Scope::admin, post_pairs)}}},
    Route{"/v1/collections/{collection}/labels",
          {{{"GET", Scope::read, get_labels},
            {"PUT", Scope::write, put_labels},
            {"DELETE", Scope::write, delete_labels}}}},
    Route{"/v1/collections/{collection}/judge", {{{"POST", Scope::read, post_collection_judge}}}},
    Route{"/v1/collections/{collection}/watches", {{{"GET", Scope::read, list_watches}}}},
    Route{"/v1/collections/{collection}/watches/{watch}",
          {{{"GET", Scope::read, get_watch},
            {"PUT", Scope::write, put_watch},
            {"DELETE", Scope::write, delete_watch}}}},
    Route{"/v1/collections/{collection}/events", {{{"GET", Scope::read, list_events}}}},
    Route{"/v1/collections/{collection}/events/{event}", {{{"GET", Scope::read, get_event}}}},
    Route{"/v1/collections/{collection}/events/{event}/retry", {{{"POST", Scope::write, retry_event}}}},
    Route{"/v1/collections/{collection}/gate",
          {{{"GET", Scope::read, get_gate},
            {"PUT", Scope::admin, put_gate},
            {"DELETE", Scope::admin, delete_gate}}}},
    Route{"/v1/collections/{collection}/admissions", {{creating(Scope::submit, post_admission)}}},
    Route{"/v1/collections/{collection}/duplicate-groups", {{{"GET", Scope::read, list_duplicate_groups}}}},
    Route{"/v1/collections/{collection}/duplicate-groups/{group}",
          {{{"GET", Scope::read, get_duplicate_group}}}},
    Route{"/v1/collections/{collection}/duplicate-groups/{group}/split",
          {{{"POST", Scope::write, split_duplicate_group}}}},
    Route{"/v1/collections/{collection}/groups", {{creating(Scope::admin, post_groups)}}},
    Route{"/v1/collections/{collection}/reindex", {{creating(Scope::admin, post_reindex)}}},
    Route{"/v1/collections/{collection}/compact", {{creating(Scope::admin, post_compact)}}},
    Route{"/v1/backups", {{creating(Scope::admin, post_backup)}}},
    Route{"/v1/tasks", {{{"GET", Scope::read, list_tasks}}}},
    Route{"/v1/tasks/{task}", {{{"GET", Scope::read, get_task}, {"DELETE", Scope::admin, delete_task}}}},
    Route{"/v1/tasks/{task}/result", {{{"GET", Scope::read, get_task_result}}}},
    Route{"/v1/checks", {{{"GET", Scope::check, list_checks}, creating(Scope::check, post_check)}}},
    Route{"/v1/checks/{check}", {{{"GET", Scope::check, get_check}, {"DELETE", Scope::check, delete_check}}}},
    Route{"/v1/checks/{check}/file", {{{"GET", Scope::check, get_check_file}}}},
    Route{"/v1/checks/{check}/certificate", {{{"GET", Scope::check, get_certificate}}}},
    Route{"/v1/certificate-keys",
          {{{"GET", kAnyone, list_certificate_keys}, {"POST", Scope::admin, rotate_certificate_key}}}},
    Route{"/v1/checks/{check}/report", {{{"GET", Scope::check, get_report}}}},
    Route{"/v1/checks/{check}/decision",
          {{{"GET", Scope::check, get_decision}, {"PUT", Scope::decide, put_decision}}}},
    Route{"/v1/checks/{check}/marks", {{{"PATCH", Scope::review, patch_marks}}}},
    Route{"/v1/checks/{check}/links",
          {{{"GET", Scope::review, list_links}, creating(Scope::review, post_link, Creation::secret)}}},
    Route{"/v1/checks/{check}/links/{link}", {{{"DELETE", Scope::review, delete_link}}}},
    Route{"/v1/checks/{check}/admit", {{{"POST", Scope::write, admit_check}}}},
    Route{"/v1/checks/{check}/later", {{{"GET", Scope::check, get_later_outcome}}}},
    Route{"/v1/checks/{check}/repeat", {{{"POST", Scope::check, repeat_check}}}},
    Route{"/v1/check-events", {{{"GET", Scope::admin, list_check_events}}}},
    Route{"/v1/check-events/{event}/retry", {{{"POST", Scope::admin, retry_check_event}}}},
    Route{"/v1/policies", {{{"GET", Scope::check, list_policies}}}},
    Route{"/v1/policies/{policy}",
          {{{"GET", Scope::check, get_policy},
            {"PUT", Scope::admin, put_policy},
            {"DELETE", Scope::admin, delete_policy}}}},
    Route{"/v1/judge", {{{"POST", Scope::read, post_judge}}}},
    Route{"/v1/models", {{{"GET", Scope::read, list_models}}}},
    Route{"/v1/models/{model}",
          {{{"GET", Scope::read, get_model},
            {"PUT", Scope::admin, put_model},
            {"DELETE", Scope::admin, delete_model}}}},
    Route{"/v1/compare", {{{"POST", Scope::read, post_compare}}}},
    Route{"/v1/keys",
          {{{"GET", Scope::admin, list_keys}, creating(Scope::admin, post_key, Creation::secret)}}},
    Route{"/v1/keys/{key}", {{{"GET", Scope::admin, get_key}, {"DELETE", Scope::admin, delete_key}}}},
    Route{"/v1/keys/{key}/revoke", {{{"POST", Scope::admin, revoke_key}}}},
    Route{"/v1/audit", {{{"GET", Scope::admin, list_audit}}}},
    Route{"/v1/persons", {{{"GET", Scope::admin, list_persons}}}},
    Route{"/v1/persons/{person}",
          {{{"GET", Scope::admin, get_person},
            {"PUT", Scope::admin, put_person},
            {"DELETE", Scope::admin, delete_person}}}},
    Route{"/v1/persons/{person}/secret", {{creating(Scope::admin, post_person_secret, Creation::secret)}}},
};

constexpr auto kRoutes = [] {
  std::array<Route, kInterfaceRoutes.size() + kDeskRoutes.size()> all;
  std::ranges::copy(kDeskRoutes, std::ranges::copy(kInterfaceRoutes, all.begin()).out);
  return all;
}();

static_assert(std::ranges::all_of(kRoutes, [](const Route& route) {
  return std::ranges::count(route.pattern, '{') <= static_cast<std::ptrdiff_t>(Captures{}.places.size());
}));

/// Whether the path matches the pattern; `captures` are then the places of its variable parts.
bool match(std::string_view pattern, std::string_view path, Captures& captures) noexcept {
  captures.count = 0;
  std::size_t at = 0;
  while (true) {
    const auto part = pattern.substr(0, pattern.find('/'));
    const bool captured = part.starts_with('{');
    const bool takes_rest = captured && part.ends_with("*}");
    const std::size_t end = takes_rest ? path.size() : std::min(path.find('/', at), path.size());
    if (!captured && part != path.substr(at, end - at)) return false;
    if (captured) captures.places[captures.count++] = {at, end - at};
    if (captured && end == at) return false;
    if (takes_rest) return true;
    const bool pattern_ends = part.size() == pattern.size();
    const bool path_ends = end == path.size();
    if (pattern_ends || path_ends) return pattern_ends && path_ends;
    pattern.remove_prefix(part.size() + 1);
    at = end + 1;
  }
}

Response method_not_allowed(const Route& route, const Request& request) {
  std::string allow;
  for (const Method& offered : route.methods) {
    if (offered.name.empty()) continue;
    if (!allow.empty()) allow += ", ";
    allow += offered.name;
    if (offered.name == "GET") allow += ", HEAD";
  }
  Response response = error_response(
      Error{Errc::unsupported, "method " + request.method, "not offered on this path", "use one of " + allow},
      405);
  response.headers.emplace_back("Allow", allow);
  return response;
}

/// HEAD is handled as GET; the session omits the body of the answer.
std::string_view method_of(const Request& request) noexcept {
  return request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
}

/// The first route that matches the path, or else the path without a slash at its end.
const Route* find_route(std::string_view path, Captures& captures) noexcept {
  const auto matches = [&](const Route& one) { return match(one.pattern, path, captures); };
  const auto* route = std::ranges::find_if(kRoutes, matches);
  if (route == kRoutes.end() && path.ends_with('/')) {
    path.remove_suffix(1);
    route = std::ranges::find_if(kRoutes, matches);
  }
  return route == kRoutes.end() ? nullptr : route;
}

Endpoint find_endpoint(const Request& head) noexcept {
  Captures captures;
  const Route* route = find_route(path_of(head.target), captures);
  if (route == nullptr) return {};
  const Method* method = route->method(method_of(head));
  const Delivery delivery = method != nullptr ? method->delivery : Delivery::at_once;
  return {route->pattern, delivery, route, method, captures};
}

Result<Call> make_call(const Service& service, const Request& request, const Target& target,
                       const Captures& captures) {
  Call call{service, request, {}, target.query};
  for (const auto& [begin, length] : std::span(captures.places).first(captures.count)) {
    const std::string_view part = std::string_view(target.path).substr(begin, length);
    AKIN_TRY(std::string decoded, percent_decode(part, "path of the request", Plus::literal));
    call.captures.push_back(std::move(decoded));
  }
  return call;
}

Result<Response> dispatch(const Service& service, const Request& request, const Target& target) {
  const Endpoint endpoint = endpoint_of(request);
  if (endpoint.route == nullptr && target.path.starts_with("/desk/"))
    return desk_error(reader_of({service, request, {}, target.query}, ""), no_route(target.path));
  if (endpoint.route == nullptr) return no_route(target.path);
  if (endpoint.method == nullptr) return method_not_allowed(*endpoint.route, request);
  if (endpoint.method->handler == nullptr) {
    return Error{Errc::internal, "server", "a streaming request came to a handler of whole bodies",
                 "report it"};
  }
  AKIN_TRY(const Call call, make_call(service, request, target, endpoint.captures));
  const Method& method = *endpoint.method;
  if (method.creation == Creation::none) return method.handler(call);
  return answer_once(call, method.handler, method.creation);
}

Result<std::optional<Response>> dispatch_stream(const Service& service, const Request& request,
                                                const Target& target, BodySource& body, AnswerSink& sink) {
  const Endpoint endpoint = endpoint_of(request);
  if (endpoint.method == nullptr || endpoint.method->stream == nullptr) return no_route(target.path);
  AKIN_TRY(const Call call, make_call(service, request, target, endpoint.captures));
  return endpoint.method->stream(call, body, sink);
}

/// The refusal of a request without a key that a page of another site may have sent.
std::optional<Response> foreign(const Service& service, const Request& head) {
  constexpr int kMisdirected = 421;
  if (service.hosts == nullptr) return std::nullopt;
  if (const auto wrong = service.hosts->check_host(head.header("host").value_or("")))
    return error_response(*wrong, kMisdirected);
  if (const auto wrong = service.hosts->check_origin(head.header("origin").value_or("")))
    return error_response(*wrong);
  return std::nullopt;
}

}  // namespace

Error no_route(std::string_view path) {
  return Error{
      Errc::not_found, "path " + in_quotes(path), "nothing is served here",
      "/docs/api explains the paths of the interface, which begin with /v1; /openapi.json describes them"};
}

std::vector<OfferedMethod> offered_methods() {
  std::vector<OfferedMethod> offered;
  for (const Route& route : kRoutes) {
    for (const Method& method : route.methods) {
      if (!method.name.empty()) offered.push_back({route.pattern, method.name, method.scope});
    }
  }
  return offered;
}

Endpoint endpoint_of(const Request& head) noexcept {
  return head.endpoint ? *head.endpoint : find_endpoint(head);
}

AdmissionWork admission_work(const Service& service, const Request& head) noexcept {
  if (service.access == nullptr) return AdmissionWork::none;
  const Method* method = endpoint_of(head).method;
  if (method == nullptr || !method->scope) return AdmissionWork::none;
  if (signed_on_elsewhere(head)) return AdmissionWork::look_up;  // and perhaps becomes a person
  if (!service.access->decides_at_once(authorization_of(head))) return AdmissionWork::hashing;
  // Keys in a database need a round trip.
  const bool is_far = service.state != nullptr && service.state->is_shared();
  return is_far ? AdmissionWork::look_up : AdmissionWork::none;
}

std::optional<Response> admit(const Service& service, Request& head) {
  const Method* method = endpoint_of(head).method;
  // Unknown paths need no key: the 404 reveals only what the documentation does.
  if (method == nullptr || !method->scope) return std::nullopt;
  if (service.access == nullptr) return foreign(service, head);
  access::Decision decision = signed_on_elsewhere(head)
                                  ? service.access->decide_for_person(head.person, *method->scope, head.peer)
                                  : service.access->decide(authorization_of(head), *method->scope, head.peer);
  if (decision.refusal && is_for_people(head)) return desk_refusal(head, *decision.refusal);
  if (decision.refusal) {
    Response response = error_response(*decision.refusal);
    if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (decision.retry_seconds > 0) {
      response.headers.emplace_back("Retry-After", std::to_string(decision.retry_seconds));
    }
    return response;
  }
  if (decision.grant == nullptr) return foreign(service, head);
  if (is_for_people(head) && is_from_elsewhere(head)) return desk_refusal(head, from_elsewhere());
  head.grant = std::move(decision.grant);
  return std::nullopt;
}

namespace {

/// The fields that an answer gets from a standby, or the refusal to use its view.
struct View {
  std::optional<Response> refusal;
  std::optional<std::string> age;

  static View of(const Service& service, const Request& request) {
    constexpr std::string_view kInterface = "/v1/";
    const Endpoint endpoint = endpoint_of(request);
    const bool reads =
        service.view_age != nullptr && endpoint.method != nullptr && endpoint.pattern.starts_with(kInterface);
    const auto staleness = reads ? service.view_age->now() : std::nullopt;
    if (!staleness) return {};
    View view{std::nullopt, seconds_text(staleness->age)};
    if (const auto error = service.view_age->refusal(*staleness)) view.refusal = error_response(*error);
    return view;
  }
  [[nodiscard]] Response with_age(Response response) const {
    if (age) response.headers.emplace_back(kStalenessField, *age);
    return response;
  }
};

/// Adds the fields of a view to the answer that is sent.
class SinkOfView final : public AnswerSink {
 public:
  SinkOfView(const View& view, AnswerSink& sink) : view_(view), sink_(sink) {}
  Result<void> begin(const Response& head) override { return sink_.begin(view_.with_age(head)); }
  Result<void> write(std::string_view bytes) override { return sink_.write(bytes); }

 private:
  const View& view_;
  AnswerSink& sink_;
};

}  // namespace

std::optional<Response> handle_stream(const Service& service, const Request& request, BodySource& body,
                                      AnswerSink& sink) {
  auto target = parse_target(request.target);
  if (target.has_error()) return error_response(target.error());
  View view = View::of(service, request);
  if (view.refusal) return view.with_age(*std::move(view.refusal));
  SinkOfView sink_of_view(view, sink);
  auto response = dispatch_stream(service, request, *target, body, sink_of_view);
  if (response.has_value() && !*response) return std::nullopt;
  return view.with_age(response.has_value() ? **std::move(response) : error_response(response.error()));
}

Response handle(const Service& service, const Request& request) {
  auto target = parse_target(request.target);
  if (target.has_error()) return error_response(target.error());
  View view = View::of(service, request);
  if (view.refusal) return view.with_age(*std::move(view.refusal));
  auto answer = dispatch(service, request, *target);
  return view.with_age(answer.has_value() ? *std::move(answer) : error_response(answer.error()));
}

}  // namespace akin::api
