// Links to reports at the desk: the forms that make and revoke them, and the page that they open.
#include <string>
#include <utility>

#include "base/sha256.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/check/links.h"
#include "server/desk/links.h"
#include "server/desk/pages.h"

namespace akin::api {

namespace {

std::string case_of(const Call& call) { return "/desk/checks/" + call.captures.front(); }

/// A page for somebody without a key. The address has a secret, which must not get to other servers.
Response linked_response(const desk::Words& words, const Json& link, std::string body) {
  const Json& frame = link.at("frame");
  const std::string policy =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors " +
      (frame.is_string() ? frame.get<std::string>() : "'none'");
  return Response{200,
                  {{"Content-Type", "text/html; charset=utf-8"},
                   {"Content-Language", std::string(words.tag)},
                   {"Content-Security-Policy", policy},
                   {"Cache-Control", "no-store"},
                   {"Referrer-Policy", "no-referrer"},
                   {"X-Robots-Tag", "noindex"}},
                  std::move(body)};
}

Result<Json> opened(const Call& call) {
  AKIN_CHECK(checks_of(call.service));
  return check::Links(call.service.state).open(call.captures[0], sha256_hex(call.captures[1]), time_now());
}

}  // namespace

Result<Response> make_case_link(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_TRY(const Json link, answer_of(call, create_link,
                                        {.captures = call.captures,
                                         .body = {{"label", value_of(fields, "label")},
                                                  {"expires", end_of_day(fields, "until")},
                                                  {"statement", value_of(fields, "statement") == "true"},
                                                  {"sources", value_of(fields, "sources") == "true"},
                                                  {"frame", value_of(fields, "frame")}}}));
    return page_response(200, reader, desk::new_link_page(reader, link, case_of(call)));
  });
}

Result<Response> revoke_case_link(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_CHECK(answer_of(call, revoke_link, {.captures = call.captures}));
    return see_other(case_of(call));
  });
}

Result<Response> open_link(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const Json link, opened(call));
    AKIN_TRY(const Json check, call.service.checks->get(call.captures[0]));
    AKIN_TRY(std::string report, make_report(call.service, *reader.words, check,
                                             {.shows_documents = link.at("sources").get<bool>()}));
    AKIN_CHECK(record(call.service, {.by = check::actor_of_link(link, call.request.peer),
                                     .action = "link.opened",
                                     .about = call.captures[0]}));
    const std::string path = "/desk/links/" + call.captures[0] + "/" + call.captures[1];
    return linked_response(
        *reader.words, link,
        desk::linked_page(*reader.words, {check, link, std::move(report), path, reader.once}));
  });
}

Result<Response> state_by_link(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const Json link, opened(call));
    AKIN_TRY(const auto fields, fields_of(call));
    AKIN_CHECK(check::Links(call.service.state)
                   .add_statement(call.captures[0], link, value_of(fields, "statement"), call.request.peer,
                                  time_now()));
    return see_other("/desk/links/" + call.captures[0] + "/" + call.captures[1]);
  });
}

}  // namespace akin::api
