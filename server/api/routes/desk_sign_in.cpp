// How people sign in at the desk, and out.
#include <algorithm>
#include <string>
#include <utility>

#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/audit/audit_log.h"
#include "server/desk/pages.h"

namespace akin::api {

namespace {

/// To the desk, in a session that has begun.
Result<Response> signed_in(const Call& call, const access::KeyInfo& used, const std::string& token) {
  AKIN_CHECK(audit::record(
      *call.service.state,
      {.by = actor_of(used, call.request.peer), .action = "person.signed_in", .about = used.holder()}));
  Response response = see_other("/desk/");
  set_session_cookie(response, token);
  return response;
}

}  // namespace

Result<Response> get_sign_in(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/sign-in");
  return page_response(200, reader, desk::sign_in_page(reader, false));
}

Result<Response> post_sign_in(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/sign-in");
  return desk_answer(reader, [&]() -> Result<Response> {
    if (is_from_elsewhere(call.request)) return from_elsewhere();
    AKIN_TRY(const auto fields, parse_query(call.request.body, kFormField));
    const std::string key = value_of(fields, "key");
    const bool plain =
        std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7f' && c != ';' && c != ','; });
    Response response = see_other("/desk/");
    if (call.service.access == nullptr) return response;
    const auto wrong = [&] { return page_response(403, reader, desk::sign_in_page(reader, true)); };
    if (!plain || key.empty()) return wrong();
    const auto decision =
        call.service.access->decide("Bearer " + key, access::Scope::check, call.request.peer);
    if (decision.refusal) return wrong();
    if (decision.grant == nullptr) return response;  // no key is needed
    AKIN_TRY(const std::string token,
             call.service.access->sessions().begin(decision.grant->key().id, time_now()));
    return signed_in(call, decision.grant->key(), token);
  });
}

Result<Response> get_invitation(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/sign-in/" + call.captures.front());
  return page_response(200, reader, desk::invitation_page(reader));
}

Result<Response> take_invitation(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/sign-in");
  return desk_answer(reader, [&]() -> Result<Response> {
    if (is_from_elsewhere(call.request)) return from_elsewhere();
    if (call.service.access == nullptr) return see_other("/desk/");
    access::Access& access = *call.service.access;
    AKIN_TRY(const auto token, access.sessions().take(call.captures.front(), time_now()));
    const auto decision = access.decide(std::string(access::kSessionScheme) + token.value_or(""),
                                        access::Scope::check, call.request.peer);
    if (!token || decision.refusal || decision.grant == nullptr)
      return page_response(403, reader, desk::sign_in_page(reader, true));
    return signed_in(call, decision.grant->key(), *token);
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
