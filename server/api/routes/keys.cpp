#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "index/collection/collection_name.h"
#include "server/access/limits.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/page.h"
#include "server/api/write/key_objects.h"

namespace akin::api {

namespace {

/// A key for some collections could otherwise make itself one for all.
Result<access::Keys*> keys_of(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "access keys"));
  if (call.service.access != nullptr) return &call.service.access->keys();
  return Error{Errc::not_found, "access keys", "this server has none",
               "use a server that akin serve started"};
}

Error wrong(const char* field, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, std::string("field '") + field + "'", std::move(reason),
               std::move(remedy)};
}

Result<std::vector<access::Scope>> scopes_field(const Fields& fields) {
  std::vector<access::Scope> scopes;
  AKIN_TRY(const auto names, fields.strings("scopes"));
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    AKIN_TRY(const access::Scope scope, access::parse_scope(name));
    if (std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(scope);
  }
  return scopes;
}

Result<std::vector<std::string>> collections_field(const Fields& fields) {
  AKIN_TRY(auto names, fields.strings("collections"));
  if (!names) return std::vector<std::string>();
  for (const std::string& name : *names) {
    if (!is_collection_name(name))
      return wrong("collections", in_quotes(name) + " is not a collection's name", kCollectionNameRule);
  }
  return *std::move(names);
}

Result<std::optional<Time>> expires_field(const Fields& fields) {
  if (fields.is_null("expires")) return std::optional<Time>();
  AKIN_TRY(const auto text, fields.string("expires"));
  if (!text) return std::optional<Time>();
  const auto time = parse_time(*text);
  if (time) return time;
  return wrong("expires", in_quotes(*text) + " is not a date-time", "give one such as 2030-01-01T00:00:00Z");
}

Result<double> rate_field(const Fields& fields) {
  const Json* rate = fields.value("rate");
  if (rate == nullptr) return 0.0;
  if (rate->is_number() && rate->get<double>() >= 0 && rate->get<double>() <= access::kMaxRate)
    return rate->get<double>();
  return wrong("rate", "is not a number from 0 to 1000000",
               "give requests per second, or 0 for the server's limit");
}

Result<access::KeySpec> key_spec(const Request& request) {
  AKIN_TRY(const Fields fields,
           json_body(request, {"scopes", "collections", "label", "expires", "rate", "concurrent"}));
  access::KeySpec spec;
  AKIN_TRY(spec.scopes, scopes_field(fields));
  AKIN_TRY(spec.collections, collections_field(fields));
  AKIN_TRY(const auto label, fields.string("label"));
  spec.label = label.value_or("");
  AKIN_TRY(spec.expires, expires_field(fields));
  AKIN_TRY(spec.rate, rate_field(fields));
  AKIN_TRY(const auto concurrent, fields.integer("concurrent", access::kMaxConcurrent));
  spec.concurrent = static_cast<std::uint32_t>(concurrent.value_or(0));
  return spec;
}

}  // namespace

Result<Response> list_keys(const Call& call) {
  AKIN_TRY(const access::Keys* keys, keys_of(call));
  AKIN_TRY(auto all, keys->list());
  Json object;
  object["total"] = all.size();
  Json next = take_page(all, call.parameters, [](const access::KeyInfo& key) { return key.id; });
  object["keys"] = Json::array();
  for (const access::KeyInfo& key : all) object["keys"].push_back(key_object(key));
  object["next"] = std::move(next);
  return json_response(200, object);
}

Result<Response> create_key(const Call& call) {
  AKIN_TRY(access::Keys * keys, keys_of(call));
  AKIN_TRY(const access::KeySpec spec, key_spec(call.request));
  AKIN_TRY(const access::NewKey key, keys->create(spec, actor_of(call.request)));
  Response response = json_response(201, new_key_object(key));
  response.headers.emplace_back("Location", "/v1/keys/" + key.info.id);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Result<Response> get_key(const Call& call) {
  AKIN_TRY(const access::Keys* keys, keys_of(call));
  AKIN_TRY(const access::KeyInfo key, keys->find(call.captures.front()));
  return json_response(200, key_object(key));
}

Result<Response> revoke_key(const Call& call) {
  AKIN_TRY(access::Keys * keys, keys_of(call));
  AKIN_TRY(const access::KeyInfo key, keys->revoke(call.captures.front(), actor_of(call.request)));
  return json_response(200, key_object(key));
}

Result<Response> delete_key(const Call& call) {
  AKIN_TRY(access::Keys * keys, keys_of(call));
  const std::string& id = call.captures.front();
  AKIN_CHECK(keys->erase(id, actor_of(call.request)));
  return json_response(200, {{"id", id}, {"deleted", true}});
}

}  // namespace akin::api
