#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/routes/check_request.h"
#include "server/api/write/check_objects.h"

namespace akin::api {

namespace {

/// The policy as the request's key may see it.
Json shown_policy(const Request& request, std::string_view name, check::Policy policy) {
  hide_templates(request, policy);
  if (!may_read(request)) {
    std::erase_if(policy.exclude.templates,
                  [](const check::TemplateText& entry) { return entry.collection.empty(); });
  }
  return named_policy_object(name, policy);
}

}  // namespace

Result<Response> list_policies(const Call& call) {
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(auto policies, call.service.policies->list());
  Json list = Json::array();
  for (auto& [name, policy] : policies) list.push_back(shown_policy(call.request, name, std::move(policy)));
  Json object;
  object["total"] = policies.size();
  object["policies"] = std::move(list);
  return json_response(200, object);
}

Result<Response> get_policy(const Call& call) {
  AKIN_CHECK(checks_of(call.service));
  const std::string& name = call.captures.front();
  AKIN_TRY(check::Policy policy, call.service.policies->get(name));
  return json_response(200, shown_policy(call.request, name, std::move(policy)));
}

Result<Response> put_policy(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "policies"));
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(const Json object, json_value(call.request));
  AKIN_TRY(const check::Policy policy, check::parse_policy(object));
  const std::string& name = call.captures.front();
  AKIN_TRY(const bool made, call.service.policies->put(name, policy, actor_of(call.request)));
  return json_response(made ? 201 : 200, named_policy_object(name, policy));
}

Result<Response> delete_policy(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "policies"));
  AKIN_CHECK(checks_of(call.service));
  const std::string& name = call.captures.front();
  AKIN_TRY(const bool erased, call.service.policies->erase(name, actor_of(call.request)));
  if (erased) return json_response(200, {{"name", name}, {"deleted", true}});
  return Error{Errc::not_found, "policy " + in_quotes(name), "none is stored under this name",
               "GET /v1/policies lists the policies; the default one is built in"};
}

}  // namespace akin::api
