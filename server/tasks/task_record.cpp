#include "server/tasks/task_record.h"

#include <algorithm>
#include <array>

namespace akin::tasks {

namespace {

constexpr std::array kStatuses = {TaskStatus::queued, TaskStatus::running,   TaskStatus::done,
                                  TaskStatus::failed, TaskStatus::cancelled, TaskStatus::interrupted};
constexpr std::array kCodes = {Errc::invalid_argument,
                               Errc::invalid_json,
                               Errc::invalid_utf8,
                               Errc::not_found,
                               Errc::already_exists,
                               Errc::mismatch,
                               Errc::too_large,
                               Errc::busy,
                               Errc::unauthenticated,
                               Errc::forbidden,
                               Errc::rate_limited,
                               Errc::timed_out,
                               Errc::corrupt,
                               Errc::quarantined,
                               Errc::disk_full,
                               Errc::io,
                               Errc::bad_dictionary,
                               Errc::unsupported,
                               Errc::file_encrypted,
                               Errc::file_too_large,
                               Errc::file_damaged,
                               Errc::type_unsupported,
                               Errc::extraction_timed_out,
                               Errc::unavailable,
                               Errc::internal};

Json exact_or_null(const std::optional<Time>& time) {
  return time ? Json(format_time_exactly(*time)) : Json(nullptr);
}

Json write_error(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {{"code", error_name(error->code)},
          {"what", error->what},
          {"reason", error->reason},
          {"remedy", error->remedy}};
}

std::optional<Error> read_error(const Json& value) {
  if (!value.is_object()) return std::nullopt;
  const auto& name = value.at("code").get_ref<const std::string&>();
  const auto* code = std::ranges::find_if(kCodes, [&](Errc known) { return error_name(known) == name; });
  return Error{code != kCodes.end() ? *code : Errc::internal, value.at("what").get<std::string>(),
               value.at("reason").get<std::string>(), value.at("remedy").get<std::string>()};
}

Json write_counts(const std::optional<TaskCounts>& counts) {
  if (!counts) return nullptr;
  return Json::array(
      {counts->documents_done, counts->documents_total, counts->bytes_done, counts->bytes_total});
}

std::optional<TaskCounts> read_counts(const Json& value) {
  if (!value.is_array()) return std::nullopt;
  return TaskCounts{value.at(0).get<std::uint64_t>(), value.at(1).get<std::uint64_t>(),
                    value.at(2).get<std::uint64_t>(), value.at(3).get<std::uint64_t>()};
}

}  // namespace

std::string write_task(const TaskInfo& task) {
  Json object;
  object["type"] = task.type;
  object["collection"] = task.collection;
  object["client"] = task.client;
  object["parameters"] = task.parameters;
  object["status"] = status_name(task.status);
  object["phase"] = task.phase;
  object["progress"] = task.progress;
  object["counts"] = write_counts(task.counts);
  object["number"] = task.number;
  object["begun"] = task.begun;
  object["created"] = format_time_exactly(task.created);
  object["started"] = exact_or_null(task.started);
  object["finished"] = exact_or_null(task.finished);
  object["error"] = write_error(task.error);
  object["result_lines"] = task.result_lines;
  object["cancelling"] = task.cancelling;
  return json::compact(object);
}

Result<TaskInfo> read_task(std::string_view id, std::string_view text) {
  const Error corrupt{
      Errc::corrupt, "task '" + std::string(id) + "'", "its record cannot be read",
      "restore the folder state from a backup, or remove it: it holds keys, tasks, policies, checks "
      "and watches"};
  try {
    const Json object = Json::parse(text);
    TaskInfo task;
    task.id = id;
    task.type = object.at("type").get<std::string>();
    task.collection = object.at("collection").get<std::string>();
    task.parameters = object.at("parameters");
    const auto& name = object.at("status").get_ref<const std::string&>();
    const auto* status = std::ranges::find(kStatuses, std::string_view(name), status_name);
    if (status == kStatuses.end()) return corrupt;
    task.status = *status;
    task.progress = object.at("progress").get<double>();
    task.counts = read_counts(object.at("counts"));
    task.number = object.at("number").get<std::uint64_t>();
    task.begun = object.at("begun").get<std::uint32_t>();
    task.created = json::read_time(object.at("created")).value_or(Time());
    task.started = json::read_time(object.at("started"));
    task.finished = json::read_time(object.at("finished"));
    task.error = read_error(object.at("error"));
    task.result_lines = object.at("result_lines").get<std::uint64_t>();
    task.cancelling = object.value("cancelling", false);
    task.phase = object.value("phase", "");
    task.client = object.value("client", "");  // earlier versions did not record it
    return task;
  } catch (const Json::exception&) {
    return corrupt;
  }
}

}  // namespace akin::tasks
