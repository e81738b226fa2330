// Links to the reports of checks.
#include "server/check/links.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "server/access/secrets.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"

namespace akin::api {

namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kMaxLabelBytes = 200;
constexpr std::chrono::days kUsualLink{30};

Error wrong_link(std::string_view field, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, "field " + in_quotes(field), std::move(reason), std::move(remedy)};
}

Result<Time> expiry_in(const Fields& fields, Time now) {
  AKIN_TRY(const auto text, fields.string("expires"));
  if (!text) return now + kUsualLink;
  const auto time = parse_time(*text);
  if (!time)
    return wrong_link("expires", in_quotes(*text) + " is neither a date nor a date-time",
                      "give one such as 2030-01-01 or 2030-01-01T12:00:00Z");
  if (*time > now && *time <= now + check::kLongestLink) return *time;
  return wrong_link("expires", *time > now ? "it is too far off" : "it is past",
                    "give a time within the next " + std::to_string(check::kLongestLink.count()) + " days");
}

/// "https://courses.example:8443": nothing that a policy could take for something else.
bool is_origin(std::string_view text) {
  constexpr std::size_t kMost = 255;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme) || text.size() > kMost) continue;
    const std::string_view host = text.substr(scheme.size());
    return !host.empty() && std::ranges::all_of(host, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':';
    });
  }
  return false;
}

Result<check::NewLink> new_link(const Request& request, Time now) {
  AKIN_TRY(const Fields fields, json_body(request, {"label", "expires", "statement", "sources", "frame"}));
  check::NewLink link;
  AKIN_TRY(const auto label, fields.string("label"));
  link.label = label.value_or("");
  if (link.label.size() > kMaxLabelBytes)
    return wrong_link("label", "it has more than " + std::to_string(kMaxLabelBytes) + " bytes", "shorten it");
  AKIN_TRY(link.expires, expiry_in(fields, now));
  AKIN_TRY(const auto may_state, fields.boolean("statement"));
  link.may_state = may_state.value_or(false);
  AKIN_TRY(const auto shows_sources, fields.boolean("sources"));
  link.shows_sources = shows_sources.value_or(true);
  AKIN_TRY(const auto frame, fields.string("frame"));
  link.frame = frame.value_or("");
  if (!link.frame.empty() && !is_origin(link.frame))
    return wrong_link("frame", in_quotes(link.frame) + " is not the origin of a page",
                      "give one such as https://courses.example");
  link.by = actor_of(request);
  return link;
}

/// The links of the service's checks, if the client may see this check.
Result<check::Links> links_of(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_CHECK(allowed_check(call, *checks));
  return check::Links(call.service.state);
}

}  // namespace

Result<Response> list_links(const Call& call) {
  AKIN_TRY(const check::Links links, links_of(call));
  AKIN_TRY(const Json list, links.list(call.captures.front()));
  return json_response(200, list);
}

Result<Response> create_link(const Call& call) {
  const Time now = time_now();
  AKIN_TRY(check::NewLink wanted, new_link(call.request, now));
  AKIN_TRY(check::Links links, links_of(call));
  AKIN_TRY(const std::string bytes, access::random_bytes(kTokenBytes));
  const std::string token = access::base64url(bytes);
  wanted.token_sha256 = sha256_hex(token);
  const std::string& check = call.captures.front();
  AKIN_TRY(Json link, links.add(check, wanted, now));
  link["path"] = "/desk/links/" + check + "/" + token;
  Response response = json_response(201, link);
  response.headers.emplace_back("Location",
                                "/v1/checks/" + check + "/links/" + link.at("id").get<std::string>());
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Result<Response> revoke_link(const Call& call) {
  AKIN_TRY(check::Links links, links_of(call));
  AKIN_TRY(const Json link,
           links.revoke(call.captures[0], call.captures[1], actor_of(call.request), time_now()));
  return json_response(200, link);
}

}  // namespace akin::api
