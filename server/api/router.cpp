// The table of paths, methods and handlers, and the boundary where an error becomes an answer.

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/api/desk_request.h"
#include "server/api/desk_return.h"
#include "server/api/desk_routes.h"
#include "server/api/form.h"
#include "server/api/handlers.h"
#include "server/api/idempotency.h"
#include "server/api/route.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

static_assert(fit_captures(kDeskRoutes));

std::array<std::span<const Route>, 2> all_routes() noexcept { return {interface_routes(), kDeskRoutes}; }

/// The first route that is wanted, or null.
template <class IsWanted>
const Route* route_where(const IsWanted& is_wanted) noexcept {
  for (const std::span<const Route> routes : all_routes()) {
    if (const auto found = std::ranges::find_if(routes, is_wanted); found != routes.end()) return &*found;
  }
  return nullptr;
}

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
      "method_not_allowed");
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
  const Route* route = route_where(matches);
  if (route != nullptr || !path.ends_with('/')) return route;
  path.remove_suffix(1);
  return route_where(matches);
}

/// The page that has the form which is sent to this path of the desk: the nearest one above.
std::string page_above(std::string_view path) {
  for (Captures captures;;) {
    path = path.substr(0, path.rfind('/'));
    const Route* route = find_route(path, captures);
    if (path.empty() || (route != nullptr && route->method("GET") != nullptr)) return std::string(path);
  }
}

Endpoint find_endpoint(const Request& head) noexcept {
  Captures captures;
  const Route* route = find_route(path_of(head.target), captures);
  if (route == nullptr) return {};
  const Method* method = route->method(method_of(head));
  const Delivery delivery = method != nullptr ? method->delivery : Delivery::at_once;
  return {route->pattern, delivery, route, method, captures};
}

Result<Call> make_call(const Service& service, const Request& request, Target& target,
                       const Endpoint& endpoint) {
  Call call{service, request, {}, Parameters::unread(std::move(target.query))};
  if (const std::string_view operation = endpoint.method->operation; !operation.empty()) {
    AKIN_TRY(call.parameters, Parameters::read(call.parameters.given(), parameters_of(operation)));
  }
  const Captures& captures = endpoint.captures;
  for (const auto& [begin, length] : std::span(captures.places).first(captures.count)) {
    const std::string_view part = std::string_view(target.path).substr(begin, length);
    AKIN_TRY(std::string decoded, percent_decode(part, "path of the request", Plus::literal));
    call.captures.push_back(std::move(decoded));
  }
  return call;
}

Result<Response> dispatch(const Service& service, const Request& request, Target& target) {
  const Endpoint endpoint = endpoint_of(request);
  if (endpoint.route == nullptr && target.path.starts_with("/desk/"))
    return desk_error(reader_of({service, request, {}, Parameters::unread(target.query)}, ""),
                      no_route(target.path));
  if (endpoint.route == nullptr) return no_route(target.path);
  // Somebody reloads what a form was answered, or keeps its address.
  if (endpoint.method == nullptr && method_of(request) == "GET" && is_for_people(request))
    return see_other(page_above(target.path));
  if (endpoint.method == nullptr) return method_not_allowed(*endpoint.route, request);
  if (endpoint.method->handler == nullptr) {
    return Error{Errc::internal, "server", "a streaming request came to a handler of whole bodies",
                 "report it"};
  }
  AKIN_TRY(Call call, make_call(service, request, target, endpoint));
  if (request.method == "POST" && is_for_people(request))
    call.form = std::make_shared<Result<Form>>(posted_form(request));
  if (const auto allowed = check_form(request); allowed.has_error()) {
    const desk::Reader reader = reader_of(call, "");
    return is_surely_from_here(request) ? ask_to_send_again(reader) : desk_error(reader, allowed.error());
  }
  const Method& method = *endpoint.method;
  const bool is_readable = call.form && call.form->has_value();
  if (const auto sending = is_readable ? name_of_sending(request, **call.form) : std::nullopt)
    return service.sent_forms->answer(*sending, [&] { return method.handler(call); });
  if (method.creation == Creation::none) return method.handler(call);
  return answer_once(call, method.handler, method.creation);
}

Result<std::optional<Response>> dispatch_stream(const Service& service, const Request& request,
                                                Target& target, BodySource& body, AnswerSink& sink) {
  const Endpoint endpoint = endpoint_of(request);
  if (endpoint.method == nullptr || endpoint.method->stream == nullptr) return no_route(target.path);
  AKIN_TRY(const Call call, make_call(service, request, target, endpoint));
  return endpoint.method->stream(call, body, sink);
}

/// The refusal of a request without a key that a page of another site may have sent.
std::optional<Response> foreign(const Service& service, const Request& head) {
  if (service.hosts == nullptr) return std::nullopt;
  if (const auto wrong = service.hosts->check_host(head.header("host").value_or("")))
    return error_response(*wrong, "wrong_host");
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

std::span<const DeclaredParameter> parameters_of(Handler handler) noexcept {
  for (const Route& route : interface_routes()) {
    for (const Method& method : route.methods) {
      if (method.handler == handler) return parameters_of(method.operation);
    }
  }
  return {};
}

std::vector<OfferedMethod> offered_methods() {
  std::vector<OfferedMethod> offered;
  for (const std::span<const Route> routes : all_routes()) {
    for (const Route& route : routes) {
      for (const Method& method : route.methods) {
        if (!method.name.empty()) offered.push_back({route.pattern, method.name, method.scope});
      }
    }
  }
  return offered;
}

Endpoint endpoint_of(const Request& head) noexcept {
  return head.endpoint ? *head.endpoint : find_endpoint(head);
}

AuthorizationWork authorization_work(const Service& service, const Request& head) noexcept {
  if (service.access == nullptr) return AuthorizationWork::none;
  const Method* method = endpoint_of(head).method;
  if (method == nullptr || !method->scope) return AuthorizationWork::none;
  if (signed_on_elsewhere(head)) return AuthorizationWork::look_up;  // and perhaps becomes a person
  if (!service.access->decides_at_once(authorization_of(head))) return AuthorizationWork::hashing;
  // Keys in a database need a round trip.
  const bool is_far = service.state != nullptr && service.state->is_shared();
  return is_far ? AuthorizationWork::look_up : AuthorizationWork::none;
}

std::optional<Response> authorize(const Service& service, Request& head) {
  const Method* method = endpoint_of(head).method;
  // Unknown paths need no key: the 404 reveals only what the documentation does.
  if (method == nullptr || !method->scope) return std::nullopt;
  if (service.access == nullptr) return foreign(service, head);
  access::Decision decision = signed_on_elsewhere(head)
                                  ? service.access->decide_for_person(head.person, *method->scope, head.peer)
                                  : service.access->decide(authorization_of(head), *method->scope, head.peer);
  head.needs_sign_in =
      decision.refusal && decision.refusal->code == Errc::unauthenticated && keeps_form(head);
  if (head.needs_sign_in) return std::nullopt;
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
  void trouble(std::string what) override { sink_.trouble(std::move(what)); }

 private:
  const View& view_;
  AnswerSink& sink_;
};

}  // namespace

std::optional<Response> handle_stream(const Service& service, const Request& request, BodySource& body,
                                      AnswerSink& sink) {
  if (request.needs_sign_in) return see_other("/desk/sign-in");
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
  if (request.needs_sign_in) return ask_to_sign_in(service, request);
  auto target = parse_target(request.target);
  if (target.has_error()) return error_response(target.error());
  View view = View::of(service, request);
  if (view.refusal) return view.with_age(*std::move(view.refusal));
  auto answer = dispatch(service, request, *target);
  return view.with_age(answer.has_value() ? *std::move(answer) : error_response(answer.error()));
}

}  // namespace akin::api
