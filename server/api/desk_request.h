// Requests of people: whose key they carry, where they come from, in which language they are answered.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/api/call.h"
#include "server/desk/page.h"

namespace akin::api {

/// Whether the path is one of the desk, whose answers are pages.
[[nodiscard]] bool is_for_people(const Request& head) noexcept;

/// The token of a session in the cookie `akin-session`; empty if there is none.
[[nodiscard]] std::string session_of(const Request& head);
/// The field Authorization; on the desk, if there is none, that of the session.
[[nodiscard]] std::string authorization_of(const Request& head);

/// Whether a person who signed on at a trusted proxy sent it, without an access key. The proxy may have
/// passed on the Authorization by which the person signed on there.
[[nodiscard]] bool signed_on_elsewhere(const Request& head);

/// Whether a browser says that a page of another site sent the request (fields Origin and Sec-Fetch-Site).
/// The desk's cookie is not sent with such requests either (SameSite=Strict).
[[nodiscard]] bool is_from_elsewhere(const Request& head);
[[nodiscard]] Error from_elsewhere();
/// Whether a browser says that a page of this server sent the request; older browsers say nothing.
[[nodiscard]] bool is_surely_from_here(const Request& head);

/// Whether a form must have a token as its first field: that of a page which this server made for the same
/// browser, the digest of a secret in a cookie. Programs, which send a key, need none.
[[nodiscard]] bool needs_form_token(const Request& request);
/// Error: forbidden.
[[nodiscard]] Result<void> check_form_token(const Request& request, std::string_view given);

/// To the page for signing in, if no valid key came; else a page with the error. A script gets the problem.
[[nodiscard]] Response desk_refusal(const Request& head, const Error& error);

/// What a browser shows: a problem below /desk becomes a page in the reader's language, with its status and
/// fields. Programs, and scripts that accept JSON alone, get the problem.
[[nodiscard]] Response for_people(const Request& head, Response response);

/// Who asks, and in which language: by the parameter `lang`, else by the cookie `akin-lang`, else by
/// Accept-Language. `path`: of the page.
[[nodiscard]] desk::Reader reader_of(const Call& call, std::string_view path);

/// Somebody who has not signed in, or whose session has ended.
[[nodiscard]] desk::Reader stranger_of(const Call& call, std::string_view path);
/// The reader in a session that begins with the answer.
[[nodiscard]] desk::Reader reader_in(const Call& call, std::string_view session);

/// `loads`: what the page may load beside its style and script, as directives of a content security policy.
[[nodiscard]] Response page_response(int status, const desk::Reader& reader, std::string body,
                                     std::string_view loads = "connect-src 'self'");
[[nodiscard]] Response desk_error(const desk::Reader& reader, const Error& error);
/// 303: the browser reads the page at `path`.
[[nodiscard]] Response see_other(std::string_view path);

/// What `make` returns; its error becomes a page.
template <class Make>
[[nodiscard]] Response desk_answer(const desk::Reader& reader, const Make& make) {
  Result<Response> made = make();
  return made.has_error() ? desk_error(reader, made.error()) : *std::move(made);
}

/// Whether the client's key, if there is one, has the scope.
[[nodiscard]] bool may(const Call& call, access::Scope scope);

/// Whether the client may look after the whole server: has a key of scope admin for all collections, or needs
/// none.
[[nodiscard]] bool may_operate(const Call& call);
/// The refusal of pages that name all collections. Error: forbidden.
[[nodiscard]] Result<void> check_operator(const Call& call);

/// A check, its summary or what was handed in, as the reader wants to see it: with the names of whose it is,
/// or without.
[[nodiscard]] Json shown_check(const desk::Reader& reader, Json check);

/// The first person or key ends the time in which everybody may do everything; somebody must be able to go
/// on. `what`: "first key", for example. Error: invalid_argument.
[[nodiscard]] Result<void> check_first(const Call& call, std::string_view what, bool is_administrator);

/// All values that a form has for the field.
[[nodiscard]] std::vector<std::string> values_of(std::span<const Parameter> fields, std::string_view name);
/// A field of a form without white space around it; empty if it is absent.
[[nodiscard]] std::string value_of(std::span<const Parameter> fields, std::string_view name);
/// The end of the day that a field has: the desk's script sends it as a date-time in the reader's zone; a day
/// without one is UTC's. Empty if the field is.
[[nodiscard]] std::string end_of_day(std::span<const Parameter> fields, std::string_view name);

/// What a page asks the interface.
struct Asked {
  std::vector<std::string> captures = {};
  Json body = nullptr;  ///< null: none
  std::vector<Parameter> query = {};
};
/// What the interface answers to the same client; one of its refusals is an error.
[[nodiscard]] Result<Json> answer_of(const Call& call, Handler handler, const Asked& asked = {});

/// A request to the interface by the same client.
[[nodiscard]] Request request_of_same(const Call& call, std::string content_type, std::string body);

/// Sets the cookie with the token of a session, or removes it if the token is empty. It ends with the
/// browser's session too.
void set_session_cookie(Response& response, std::string_view token);

}  // namespace akin::api
