// The page of the desk for the access keys of programs.
#include <algorithm>
#include <string>
#include <vector>

#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/desk/operate.h"

namespace akin::api {

namespace {

/// The keys of programs that are not revoked, from all pages of the list.
Result<Json> keys_in_use(const Call& call) {
  Json keys = Json::array();
  std::vector<Parameter> query = {{"limit", "1000"}};
  for (;;) {
    AKIN_TRY(const Json page, answer_of(call, list_keys, {.query = query}));
    for (const Json& key : page.at("keys")) {
      if (key.at("revoked").is_null() && !key.contains("person")) keys.push_back(key);
    }
    if (page.at("next").is_null()) return keys;
    query = {{"limit", "1000"}, {"cursor", page.at("next").get<std::string>()}};
  }
}

Result<Response> keys_response(const Call& call, const desk::NewSecret& made) {
  AKIN_TRY(const Json keys, keys_in_use(call));
  AKIN_TRY(const auto names, call.service.catalog->list());
  const desk::Reader reader = reader_of(call, "/desk/keys");
  return page_response(200, reader, desk::keys_page(reader, keys, names, made));
}

}  // namespace

Result<Response> get_desk_keys(const Call& call) {
  return desk_answer(reader_of(call, "/desk/keys"), [&] { return keys_response(call, {}); });
}

Result<Response> post_desk_keys(const Call& call) {
  return desk_answer(reader_of(call, "/desk/keys"), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    const auto scopes = values_of(fields, "scopes");
    AKIN_CHECK(check_first(call, "first key", std::ranges::find(scopes, "admin") != scopes.end()));
    Json key = {{"label", value_of(fields, "label")},
                {"scopes", scopes},
                {"collections", values_of(fields, "collections")}};
    const std::string until = end_of_day(fields, "until");
    if (!until.empty()) key["expires"] = until;
    AKIN_TRY(const Json made, answer_of(call, create_key, {.body = key}));
    return keys_response(call, {made.at("label").get<std::string>(), made.at("key").get<std::string>()});
  });
}

Result<Response> revoke_desk_key(const Call& call) {
  return desk_answer(reader_of(call, "/desk/keys"), [&]() -> Result<Response> {
    AKIN_CHECK(answer_of(call, revoke_key, {.captures = call.captures}));
    return see_other("/desk/keys");
  });
}

}  // namespace akin::api
