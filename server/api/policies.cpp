#include <string>
#include <utility>

#include "server/api/body.h"
#include "server/api/check_objects.h"
#include "server/api/check_request.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"

namespace akin::api {

Result<Response> list_policies(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(auto policies, call.service.policies->list());
  Json list = Json::array();
  for (auto& [name, policy] : policies) {
    hide_templates(call.request, policy);
    list.push_back(named_policy_object(name, policy));
  }
  Json object;
  object["total"] = policies.size();
  object["policies"] = std::move(list);
  return json_response(200, object);
}

Result<Response> get_policy(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_CHECK(checks_of(call.service));
  const std::string& name = call.captures.front();
  AKIN_TRY(check::Policy policy, call.service.policies->get(name));
  hide_templates(call.request, policy);
  return json_response(200, named_policy_object(name, policy));
}

Result<Response> put_policy(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_CHECK(require_all_collections(call.request, "policies"));
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(const Json object, json_value(call.request));
  AKIN_TRY(const check::Policy policy, check::parse_policy(object));
  const std::string& name = call.captures.front();
  AKIN_TRY(const bool made, call.service.policies->put(name, policy));
  return json_response(made ? 201 : 200, named_policy_object(name, policy));
}

Result<Response> delete_policy(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_CHECK(require_all_collections(call.request, "policies"));
  AKIN_CHECK(checks_of(call.service));
  const std::string& name = call.captures.front();
  AKIN_TRY(const bool erased, call.service.policies->erase(name));
  if (erased) return json_response(200, {{"name", name}, {"deleted", true}});
  return Error{Errc::not_found, "policy " + in_quotes(name), "none is stored under this name",
               "GET /v1/policies lists the policies; the default one is built in"};
}

}  // namespace akin::api
