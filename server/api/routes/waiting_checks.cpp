#include "server/api/routes/waiting_checks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"

namespace akin::api {

namespace {

bool prefers_to_wait(const Request& request) {
  const std::string preferences = ascii_lower(request.header("prefer").value_or(""));
  const auto all = split(preferences, ',');
  return std::ranges::any_of(
      all, [](std::string_view one) { return trimmed(one.substr(0, one.find(';'))) == "respond-async"; });
}

/// As allows_check.
bool allows(const Call& call, const tasks::TaskInfo& task) {
  const Json& what = task.parameters;
  const bool is_own = call.request.grant == nullptr || what.at("key") == call.request.grant->key().holder();
  if (!is_own && !may(call, access::Scope::review)) return false;
  Json names = what.at("collections");
  if (what.at("document").is_string()) names.push_back(what.at("document"));
  return std::ranges::all_of(names, [&](const Json& name) {
    return require_collection(call.request, name.get_ref<const std::string&>()).has_value();
  });
}

}  // namespace

bool is_to_wait(const Call& call, const AskedCheck& asked) {
  if (call.service.hand_ins == nullptr) return false;
  return prefers_to_wait(call.request) || (asked.file && call.request.body.size() > kMostAtOnceBytes);
}

Result<Response> accept_check(const Call& call, AskedCheck asked) {
  for (const std::string& name : asked.request.collections) AKIN_CHECK(open_collection(call, name));
  AKIN_TRY(const tasks::TaskInfo task, hand_in(call.service, std::move(asked), call.request));
  Response response = waiting_response(task);
  response.headers.emplace_back("Location", "/v1/checks/" + task.id);
  if (prefers_to_wait(call.request)) response.headers.emplace_back("Preference-Applied", "respond-async");
  return response;
}

Result<std::optional<tasks::TaskInfo>> waiting_check(const Call& call) {
  if (call.service.hand_ins == nullptr) return std::optional<tasks::TaskInfo>();
  auto task = call.service.hand_ins->find(call.captures.front());
  if (task.has_error() && task.error().code == Errc::not_found) return std::optional<tasks::TaskInfo>();
  AKIN_CHECK(task);
  return allows(call, *task) ? std::optional(*std::move(task)) : std::nullopt;
}

Response waiting_response(const tasks::TaskInfo& task) { return json_response(202, hand_in_object(task)); }

Result<std::vector<Json>> waiting_checks(const Call& call) {
  std::vector<Json> list;
  if (call.service.hand_ins == nullptr) return list;
  AKIN_TRY(const std::vector<tasks::TaskInfo> all, call.service.hand_ins->list());
  for (auto task = all.rbegin(); task != all.rend(); ++task) {
    if (allows(call, *task)) list.push_back(hand_in_object(*task));
  }
  return list;
}

}  // namespace akin::api
