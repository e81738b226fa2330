#include <charconv>
#include <chrono>
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/tasks/tasks.h"

namespace akin::api {

namespace {

/// A task on all collections needs a key that allows all of them.
bool is_allowed(const Call& call, const tasks::TaskInfo& task) {
  return require_collection(call.request, task.collection).has_value();
}

/// A task's place in the order of the list: two servers may give the same number.
using TaskPlace = std::pair<std::uint64_t, std::string_view>;

std::string cursor_text(const TaskPlace& place) {
  return cursor_after(std::to_string(place.first) + "." + std::string(place.second));
}

/// The place in a cursor, which comes before all others if the parameter is absent.
Result<TaskPlace> place_after(const Parameters& parameters) {
  const std::string_view text = parameters.key_of_cursor();
  TaskPlace place;
  if (text.empty()) return place;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), place.first);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (failure == std::errc() && text.substr(digits).starts_with('.')) {
    place.second = text.substr(digits + 1);
    return place;
  }
  return no_cursor(parameters);
}

/// Whether the task has the status, type and collection that the parameters name.
bool is_wanted_task(const Parameters& parameters, const tasks::TaskInfo& task) {
  const auto matches = [&](std::string_view name, std::string_view value) {
    return parameters.text(name).value_or(value) == value;
  };
  return matches("status", tasks::status_name(task.status)) && matches("type", task.type) &&
         matches("collection", task.collection);
}

}  // namespace

Result<tasks::TaskInfo> allowed_task(const Call& call, const tasks::Tasks& tasks) {
  AKIN_TRY(tasks::TaskInfo task, tasks.find(call.captures[0]));
  if (!is_allowed(call, task)) return tasks::no_task(call.captures[0]);
  return task;
}

Result<std::shared_ptr<tasks::Tasks>> tasks_of(const Service& service) {
  if (service.tasks != nullptr) return service.tasks;
  return Error{Errc::not_found, "tasks", "they are disabled on this server",
               "use a server that akin serve started"};
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
  const std::uint64_t limit = *call.parameters.integer("limit");
  AKIN_TRY(const TaskPlace after, place_after(call.parameters));
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const std::vector<tasks::TaskInfo> all, tasks->list());
  std::uint64_t total = 0;
  TaskPlace last;
  bool more = false;
  Json list = Json::array();
  for (const tasks::TaskInfo& task : all) {
    if (!is_allowed(call, task) || !is_wanted_task(call.parameters, task)) continue;
    ++total;
    const TaskPlace place(task.number, task.id);
    if (place <= after) continue;
    more = list.size() == limit;
    if (more) continue;
    list.push_back(task_object(task));
    last = place;
  }
  Json object;
  object["total"] = total;
  object["tasks"] = std::move(list);
  object["next"] = more ? Json(cursor_text(last)) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_task(const Call& call) {
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const tasks::TaskInfo task, allowed_task(call, *tasks));
  Response response = json_response(200, task_object(task));
  if (!task.ended() && call.request.body.empty())
    response.wait = std::chrono::seconds(*call.parameters.integer("wait"));
  return response;
}

Result<Response> delete_task(const Call& call) {
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_CHECK(allowed_task(call, *tasks));
  AKIN_TRY(const auto task, tasks->remove(call.captures[0]));
  if (task) return json_response(200, task_object(*task));
  return json_response(200, {{"id", call.captures[0]}, {"deleted", true}});
}

Result<Response> get_task_result(const Call& call) {
  constexpr std::uint64_t kMostLines = std::uint64_t{1} << 62;
  AKIN_TRY(const std::uint64_t offset, call.parameters.place_of_cursor(kMostLines));
  const std::uint64_t limit = *call.parameters.integer("limit");
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const tasks::TaskInfo task, allowed_task(call, *tasks));
  AKIN_TRY(std::string lines, tasks->result(call.captures[0], offset, limit));
  Response response{
      200,
      {{"Content-Type", std::string(kLinesType)}, {"X-Total-Count", std::to_string(task.result_lines)}},
      std::move(lines)};
  if (offset + limit < task.result_lines)
    response.headers.emplace_back("X-Next-Cursor", cursor_after(std::to_string(offset + limit)));
  return response;
}

}  // namespace akin::api
