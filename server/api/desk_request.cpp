#include "server/api/desk_request.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/sha256.h"
#include "server/access/hosts.h"
#include "server/access/secrets.h"
#include "server/api/desk_return.h"
#include "server/api/form.h"
#include "server/api/handlers.h"
#include "server/api/service.h"
#include "server/check/anonymous.h"
#include "server/desk/pages.h"

namespace akin::api {

namespace {

constexpr std::string_view kSessionCookie = "akin-session", kLanguageCookie = "akin-lang",
                           kNamesCookie = "akin-names", kFormCookie = "akin-form";
constexpr std::size_t kSecretBytes = 32;

/// The value of a cookie (RFC 6265); empty if there is none.
std::string cookie(const Request& head, std::string_view name) {
  const std::string field = head.header("cookie").value_or("");
  for (const std::string_view pair : split(field, ';')) {
    const std::string_view one = trimmed(pair);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return std::string(one.substr(name.size() + 1));
  }
  return {};
}

/// A field Set-Cookie that no script reads.
std::string cookie_of(std::string_view name, std::string_view secret) {
  return std::string(name) + "=" + std::string(secret) + "; Path=/desk; HttpOnly; SameSite=Strict";
}

/// What the browser proves to have: the session, or, of a person of a proxy, a secret for forms alone.
std::string form_secret_of(const Request& head) {
  std::string session = session_of(head);
  return session.empty() ? cookie(head, kFormCookie) : session;
}

std::string form_token_of(std::string_view secret) {
  return secret.empty() ? "" : sha256_hex("form " + std::string(secret));
}

/// The page that says what a problem says.
Response page_of(const desk::Reader& reader, Response problem) {
  Response page = page_response(problem.status, reader, desk::error_page(reader, Json::parse(problem.body)));
  page.trouble = std::move(problem.trouble);
  for (auto& field : problem.headers) {
    if (field.first != "Content-Type") page.headers.push_back(std::move(field));
  }
  return page;
}

bool is_problem(const Response& response) {
  return std::ranges::find(response.headers, std::pair(std::string("Content-Type"),
                                                       std::string(kProblemType))) != response.headers.end();
}

bool wants_page(const Request& head) {
  const std::string_view path = path_of(head.target);
  const bool is_sent_by_page = head.method == "GET" || head.method == "POST";
  return is_sent_by_page && (path == "/desk" || path.starts_with("/desk/")) &&
         head.header("accept").value_or("") != "application/json";
}

/// Whether somebody who has no key reads a page that everybody may, while others need a key.
bool is_stranger(const Call& call) {
  if (call.request.grant != nullptr || call.service.access == nullptr) return false;
  const auto any = call.service.access->keys().any();
  return any.has_error() || *any;
}

/// Empty without random bytes: then a form that is sent twice is carried out twice.
std::string new_once() {
  constexpr std::size_t kBytes = 12;
  const auto bytes = access::random_bytes(kBytes);
  return bytes.has_value() ? access::base64url(*bytes) : "";
}

const desk::Words& words_of(const Request& head, std::string_view asked) {
  for (const std::string_view tag : {std::string(asked), cookie(head, kLanguageCookie)}) {
    if (const desk::Words* words = desk::words_of(tag)) return *words;
  }
  return desk::words_for(head.header("accept-language").value_or(""));
}

}  // namespace

bool is_for_people(const Request& head) noexcept { return endpoint_of(head).pattern.starts_with("/desk"); }

std::string session_of(const Request& head) { return cookie(head, kSessionCookie); }

std::string authorization_of(const Request& head) {
  if (auto given = head.header("authorization")) return *std::move(given);
  const std::string token = is_for_people(head) ? session_of(head) : "";
  return token.empty() ? "" : std::string(access::kSessionScheme) + token;
}

bool signed_on_elsewhere(const Request& head) {
  const std::string given = head.header("authorization").value_or("");
  return !head.person.empty() && !equals_ignoring_case(given.substr(0, given.find(' ')), "bearer");
}

bool is_from_elsewhere(const Request& head) {
  if (head.method == "GET" || head.method == "HEAD") return false;
  const std::string site = head.header("sec-fetch-site").value_or("");
  const bool is_foreign = site == "cross-site" || site == "same-site";
  const std::string origin = head.header("origin").value_or("");
  if (origin.empty()) return is_foreign;
  const std::size_t scheme = origin.find("://");
  return is_foreign || scheme == std::string::npos ||
         !equals_ignoring_case(origin.substr(scheme + 3), head.header("host").value_or(""));
}

bool is_surely_from_here(const Request& head) {
  const bool is_said = head.header("origin").has_value() || head.header("sec-fetch-site") == "same-origin";
  return is_said && !is_from_elsewhere(head);
}

Error from_elsewhere() {
  return Error{Errc::forbidden, "form", "it was sent by a page of another site",
               "use the pages below /desk/"};
}

bool needs_form_token(const Request& request) {
  const bool of_program = request.header("authorization").has_value() && !signed_on_elsewhere(request);
  return request.method == "POST" && is_for_people(request) && request.grant != nullptr && !of_program;
}

Result<void> check_form_token(const Request& request, std::string_view given) {
  if (!given.empty() && access::equal_secrets(given, form_token_of(form_secret_of(request)))) return {};
  return Error{Errc::forbidden, "form", "it does not have the token of your session",
               "open the page again, and send its form"};
}

Response desk_refusal(const Request& head, const Error& error) {
  if (error.code == Errc::unauthenticated && wants_page(head)) {
    const std::string next = head.method == "POST" ? page_of_form(head) : page_or_root(head.target);
    const std::string unkept = head.method == "POST" ? "&unkept=true" : "";
    const bool is_plain = next == "/desk/" && unkept.empty();
    return see_other("/desk/sign-in" + (is_plain ? "" : "?next=" + desk::in_url(next) + unkept));
  }
  return for_people(head, error_response(error));
}

Response for_people(const Request& head, Response response) {
  if (!wants_page(head) || !is_problem(response)) return response;
  return page_of({.words = &words_of(head, ""),
                  .signed_in = !session_of(head).empty(),
                  .form_token = form_token_of(form_secret_of(head))},
                 std::move(response));
}

bool may_operate(const Call& call) {
  return may(call, access::Scope::admin) && check_operator(call).has_value();
}

Result<void> check_operator(const Call& call) {
  return require_all_collections(call.request, "the pages of the server");
}

desk::Reader reader_of(const Call& call, std::string_view path) {
  const std::string_view lang = call.parameters.text("lang").value_or("");
  const std::string names(call.parameters.text("names").value_or(cookie(call.request, kNamesCookie)));
  std::string made, query;
  for (const Parameter& one : call.parameters.given()) {
    if (one.name != "lang") query += "&" + one.name + "=" + desk::in_url(one.value);
  }
  if (form_secret_of(call.request).empty() && signed_on_elsewhere(call.request)) {
    const auto bytes = access::random_bytes(kSecretBytes);
    if (bytes.has_value()) made = access::base64url(*bytes);  // else forms are refused
  }
  const bool knows = !is_stranger(call);
  return {.words = &words_of(call.request, lang),
          .signed_in = !session_of(call.request).empty(),
          .may_read = knows && may(call, access::Scope::read),
          .may_operate = knows && may_operate(call),
          .person = call.request.grant ? std::string_view(call.request.grant->key().spec.label) : "",
          .names = names == "hide"   ? "hide"
                   : names == "show" ? "show"
                                     : "",
          .path = std::string(path),
          .query = std::move(query),
          .form_token = form_token_of(made.empty() ? form_secret_of(call.request) : made),
          .once = new_once(),
          .form_secret = std::move(made),
          .written = call.form ? written_form(call.request, *call.form) : desk::WrittenForm{},
          .back = call.request.method == "POST" ? page_of_form(call.request) : ""};
}

desk::Reader stranger_of(const Call& call, std::string_view path) {
  const std::string_view lang = call.parameters.text("lang").value_or("");
  return {.words = &words_of(call.request, lang), .path = std::string(path), .once = new_once()};
}

desk::Reader reader_in(const Call& call, std::string_view session) {
  desk::Reader reader = stranger_of(call, "");
  reader.signed_in = true;
  reader.form_token = form_token_of(session);
  return reader;
}

Response page_response(int status, const desk::Reader& reader, std::string body, std::string_view loads) {
  const std::string policy = "default-src 'none'; style-src 'self'; script-src 'self'; " +
                             std::string(loads) +
                             "; require-trusted-types-for 'script'; form-action 'self'; base-uri 'none'; "
                             "frame-ancestors 'none'";
  const std::string tag(reader.words->tag);
  Response response{
      status,
      {{"Content-Type", "text/html; charset=utf-8"},
       {"Content-Language", tag},
       {"Content-Security-Policy", policy},
       {"Cache-Control", "no-store"},
       {"Referrer-Policy", "same-origin"},
       {"Set-Cookie", std::string(kLanguageCookie) + "=" + tag + "; Path=/desk; SameSite=Strict"}},
      std::move(body)};
  if (!reader.names.empty()) {
    const std::string kept = std::string(kNamesCookie) + "=" + std::string(reader.names);
    response.headers.emplace_back("Set-Cookie", kept + "; Path=/desk; SameSite=Strict");
  }
  if (!reader.form_secret.empty())
    response.headers.emplace_back("Set-Cookie", cookie_of(kFormCookie, reader.form_secret));
  return response;
}

Json shown_check(const desk::Reader& reader, Json check) {
  return reader.names == "hide" ? check::without_names(std::move(check)) : check;
}

Response desk_error(const desk::Reader& reader, const Error& error) {
  return page_of(reader, error_response(error));
}

Response see_other(std::string_view path) {
  constexpr int kSeeOther = 303;
  return Response{
      kSeeOther, {{"Location", std::string(path)}, {"Content-Type", "text/plain; charset=utf-8"}}, "\n"};
}

bool may(const Call& call, access::Scope scope) {
  return call.request.grant == nullptr || call.request.grant->key().allows(scope);
}

Result<void> check_first(const Call& call, std::string_view what, bool is_administrator) {
  if (call.request.grant != nullptr || is_administrator) return {};
  return Error{Errc::invalid_argument, std::string(what),
               "may not administer the server, and nobody could make further persons and keys",
               "make a person who is an administrator first, and sign in as that one"};
}

std::vector<std::string> values_of(std::span<const Parameter> fields, std::string_view name) {
  std::vector<std::string> values;
  for (const Parameter& field : fields) {
    if (field.name == name) values.push_back(field.value);
  }
  return values;
}

std::string value_of(std::span<const Parameter> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Parameter::name);
  return found == fields.end() ? std::string() : std::string(trimmed(found->value, " \t\r\n"));
}

std::string end_of_day(std::span<const Parameter> fields, std::string_view name) {
  constexpr std::size_t kDay = std::string_view("2030-01-01").size();
  std::string moment = value_of(fields, name);
  return moment.size() == kDay ? moment + "T23:59:59Z" : moment;
}

Request request_of_same(const Call& call, std::string content_type, std::string body) {
  Request request;
  request.method = "POST";
  request.content_type = std::move(content_type);
  request.body = std::move(body);
  request.id = call.request.id;
  request.peer = call.request.peer;
  request.client = call.request.client;
  request.grant = call.request.grant;
  return request;
}

Result<Json> answer_of(const Call& call, Handler handler, const Asked& asked) {
  const Request request = asked.body.is_null() ? request_of_same(call, "", "")
                                               : request_of_same(call, "application/json", asked.body.dump());
  AKIN_TRY(Parameters parameters, Parameters::read(asked.query, parameters_of(handler)));
  AKIN_TRY(const Response response,
           handler(Call{call.service, request, asked.captures, std::move(parameters)}));
  return parse_json(response.body);
}

void set_session_cookie(Response& response, std::string_view token) {
  std::string field = cookie_of(kSessionCookie, token);
  if (token.empty()) field += "; Max-Age=0";
  response.headers.emplace_back("Set-Cookie", std::move(field));
}

}  // namespace akin::api
