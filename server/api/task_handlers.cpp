#include <utility>

#include "server/api/handlers.h"
#include "server/api/parameters.h"
#include "server/tasks/tasks.h"

namespace akin::api {

namespace {

constexpr IntegerRange kResultOffset{.absent = 0, .min = 0, .max = std::uint64_t{1} << 62U};
constexpr IntegerRange kResultLimit{.absent = 1000, .min = 1, .max = 10'000};

/// A task on all collections needs a key that allows all of them.
bool is_allowed(const Call& call, const tasks::TaskInfo& task) {
  return require_collection(call.request, task.collection).has_value();
}

Result<tasks::TaskInfo> find_task(const Call& call, const tasks::Tasks& tasks) {
  AKIN_TRY(tasks::TaskInfo task, tasks.find(call.captures[0]));
  if (!is_allowed(call, task)) return tasks::no_task(call.captures[0]);
  return task;
}

}  // namespace

Result<std::shared_ptr<tasks::Tasks>> tasks_of(const Service& service) {
  if (service.tasks != nullptr) return service.tasks;
  return Error{Errc::not_found, "tasks", "this server runs none", "use a server that akin serve started"};
}

Result<Response> start_task(const Call& call, std::string_view type, std::string_view collection,
                            Json parameters) {
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const tasks::TaskInfo task, tasks->add(std::string(type), std::string(collection),
                                                  std::move(parameters), call.request.client));
  Response response = json_response(202, task_object(task));
  response.headers.emplace_back("Location", "/v1/tasks/" + task.id);
  return response;
}

Result<Response> list_tasks(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  Json list = Json::array();
  AKIN_TRY(const std::vector<tasks::TaskInfo> all, tasks->list());
  for (const tasks::TaskInfo& task : all) {
    if (is_allowed(call, task)) list.push_back(task_object(task));
  }
  const std::size_t total = list.size();
  Json object;
  object["total"] = total;
  object["tasks"] = std::move(list);
  return json_response(200, object);
}

Result<Response> get_task(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const tasks::TaskInfo task, find_task(call, *tasks));
  return json_response(200, task_object(task));
}

Result<Response> delete_task(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_CHECK(find_task(call, *tasks));
  AKIN_TRY(const auto task, tasks->remove(call.captures[0]));
  if (task) return json_response(200, task_object(*task));
  return json_response(200, {{"id", call.captures[0]}, {"deleted", true}});
}

Result<Response> get_task_result(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"offset", "limit"}));
  AKIN_TRY(const std::uint64_t offset, parameters.integer("offset", kResultOffset));
  AKIN_TRY(const std::uint64_t limit, parameters.integer("limit", kResultLimit));
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const tasks::TaskInfo task, find_task(call, *tasks));
  AKIN_TRY(std::string lines, tasks->result(call.captures[0], offset, limit));
  return Response{
      200,
      {{"Content-Type", std::string(kLinesType)}, {"X-Total-Count", std::to_string(task.result_lines)}},
      std::move(lines)};
}

}  // namespace akin::api
