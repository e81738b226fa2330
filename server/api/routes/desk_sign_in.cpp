// How people sign in at the desk, and out.
#include <algorithm>
#include <string>
#include <utility>

#include "server/api/desk_request.h"
#include "server/api/desk_return.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/audit/audit_log.h"
#include "server/desk/sign_in.h"

namespace akin::api {

namespace {

using desk::SignIn, desk::SignInNote;

/// Begins a session at `next`, or at the form that waits to be sent again.
Result<Response> signed_in(const Call& call, const access::KeyInfo& used, const std::string& token,
                           const SignIn& view) {
  AKIN_CHECK(audit::record(
      *call.service.state,
      {.by = actor_of(used, call.request.peer), .action = "person.signed_in", .about = used.holder()}));
  const desk::Reader reader = reader_in(call, token);
  Response response =
      view.written.action.empty()
          ? see_other(view.next)
          : page_response(200, reader, desk::send_again_page(reader, view.written, view.next));
  set_session_cookie(response, token);
  return response;
}

/// Whether the browser has a session that has ended.
Result<bool> has_ended_session(const Call& call) {
  const std::string token = session_of(call.request);
  if (token.empty() || call.service.access == nullptr) return false;
  AKIN_TRY(const auto key, call.service.access->sessions().key_of(token, time_now()));
  return !key;
}

Response wrong(const Call& call, SignIn view, SignInNote note) {
  constexpr int kForbidden = 403;
  const desk::Reader reader = stranger_of(call, "/desk/sign-in");
  view.note = note;
  return page_response(kForbidden, reader, desk::sign_in_page(reader, view));
}

bool is_plain(std::string_view key) {
  return !key.empty() &&
         std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7f' && c != ';' && c != ','; });
}

}  // namespace

Result<Response> get_sign_in(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/sign-in");
  return desk_answer(reader, [&]() -> Result<Response> {
    SignIn view{.next = page_or_root(call.parameters.text("next").value_or(""))};
    AKIN_TRY(const bool has_ended, has_ended_session(call));
    const desk::Reader stranger = stranger_of(call, "/desk/sign-in");
    const bool is_stranger = has_ended || session_of(call.request).empty();
    if (has_ended) view.note = SignInNote::ended;
    if (is_stranger && call.parameters.text("unkept")) view.note = SignInNote::unkept;
    Response response = page_response(200, reader, desk::sign_in_page(is_stranger ? stranger : reader, view));
    if (has_ended) set_session_cookie(response, "");
    return response;
  });
}

Result<Response> post_sign_in(const Call& call) {
  return desk_answer(stranger_of(call, "/desk/sign-in"), [&]() -> Result<Response> {
    if (is_from_elsewhere(call.request)) return from_elsewhere();
    AKIN_TRY(const auto fields, fields_of(call));
    const SignIn view{.next = page_or_root(value_of(fields, "next")), .written = kept_form(fields)};
    const std::string key = value_of(fields, "key");
    if (call.service.access == nullptr) return see_other(view.next);
    if (!is_plain(key)) return wrong(call, view, SignInNote::wrong);
    const auto decision =
        call.service.access->decide("Bearer " + key, access::Scope::check, call.request.peer);
    if (decision.refusal) {
      const bool too_many = decision.refusal->code == Errc::rate_limited;
      return wrong(call, view, too_many ? SignInNote::too_many : SignInNote::wrong);
    }
    if (decision.grant == nullptr) return see_other(view.next);  // no key is needed
    AKIN_TRY(const std::string token,
             call.service.access->sessions().begin(decision.grant->key().id, time_now()));
    return signed_in(call, decision.grant->key(), token, view);
  });
}

Result<Response> get_invitation(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/sign-in/" + call.captures.front());
  return page_response(200, reader, desk::invitation_page(reader));
}

Result<Response> take_invitation(const Call& call) {
  return desk_answer(stranger_of(call, "/desk/sign-in"), [&]() -> Result<Response> {
    if (is_from_elsewhere(call.request)) return from_elsewhere();
    if (call.service.access == nullptr) return see_other("/desk/");
    access::Access& access = *call.service.access;
    AKIN_TRY(const auto token, access.sessions().take(call.captures.front(), time_now()));
    const auto decision = access.decide(std::string(access::kSessionScheme) + token.value_or(""),
                                        access::Scope::check, call.request.peer);
    if (!token || decision.refusal || decision.grant == nullptr) return wrong(call, {}, SignInNote::wrong);
    return signed_in(call, decision.grant->key(), *token, {});
  });
}

Result<Response> post_sign_out(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  if (is_from_elsewhere(call.request)) return desk_error(reader, from_elsewhere());
  return desk_answer(reader, [&]() -> Result<Response> {
    const std::string token = session_of(call.request);
    if (!token.empty() && call.service.access != nullptr)
      AKIN_CHECK(call.service.access->sessions().end(token));
    Response response = see_other("/desk/sign-in");
    set_session_cookie(response, "");
    return response;
  });
}

}  // namespace akin::api
