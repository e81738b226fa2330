#include "server/run/hand_ins.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <utility>

#include "base/waiting.h"
#include "server/api/write/objects.h"
#include "server/check/announcements.h"
#include "server/check/kept_bytes.h"

namespace akin::api {

namespace {

using tasks::TaskInfo;
using tasks::TaskStatus;

constexpr std::string_view kType = "check";
constexpr std::chrono::days kFailedFor{7};
/// Between tries, each of which reads and compares all again.
constexpr std::chrono::milliseconds kFirstPause{200}, kLongestPause{10'000};

/// The digests in a task's parameters.
constexpr const char* kAsked = "asked";
constexpr const char* kBytes = "bytes_sha256";

std::string digest_in(const TaskInfo& task, const char* field) { return task.parameters.value(field, ""); }

Result<void> release_all(state::Writer& writer, const Json& parameters, const std::string& id) {
  AKIN_CHECK(check::release(writer, parameters.value(kAsked, ""), id));
  return check::release(writer, parameters.value(kBytes, ""), id);
}

/// What the task's parameters name.
struct HandedIn {
  AskedCheck asked;
  Request body;
};

Result<HandedIn> read_handed_in(const state::State& state, const TaskInfo& task) {
  HandedIn handed;
  AKIN_TRY(const std::string asked, check::read_kept(state, digest_in(task, kAsked)));
  AKIN_TRY(const Json object, json::parse_json(asked, json::kAnyJsonValues));
  AKIN_TRY(handed.asked, decode_asked(object));
  handed.body.client = task.client;
  handed.body.content_type = task.parameters.value("content_type", "");
  if (const std::string digest = digest_in(task, kBytes); !digest.empty()) {
    AKIN_TRY(handed.body.body, check::read_kept(state, digest));
  }
  return handed;
}

Result<void> make_handed_in(const Service& service, const TaskInfo& task, tasks::TaskContext& context) {
  const WorkUnder under(nullptr, context.stop());
  AKIN_TRY(const HandedIn handed, read_handed_in(*service.state, task));
  const PhaseSink phase = [&](std::string_view name) {
    context.phase(name);
    context.progress(name == "comparing" ? 0.5 : 0.1);
  };
  AKIN_TRY(check::NewCheck made, make_check(service, handed.asked, handed.body, phase));
  context.progress(0.9);
  made.id = task.id;
  AKIN_TRY(const Json stored,
           service.checks->add(std::move(made), task.created, [&](state::Writer& writer) -> Result<bool> {
             AKIN_TRY(const bool counts, context.end(writer, nullptr));
             if (counts) AKIN_CHECK(release_all(writer, task.parameters, task.id));
             return counts;
           }));
  if (service.metrics && !stored.is_null())
    service.metrics->checked(stored.at("verdict").get_ref<const std::string&>());
  return {};
}

/// Another try may succeed.
bool is_passing(const Error& error) {
  return error.code == Errc::busy || error.code == Errc::unavailable || error.code == Errc::disk_full;
}

/// Waits out what passes: a full queue of files to be read, too little memory now, a database that is away.
Result<void> work_on(const Service& service, const TaskInfo& task, tasks::TaskContext& context) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  for (auto pause = kFirstPause;;) {
    auto made = make_handed_in(service, task, context);
    if (made.has_value() || context.stop().stop_requested()) return made;
    if (!is_passing(made.error())) {
      const Error failure = std::move(made).error();
      const auto written = service.state->write([&](state::Writer& writer) -> Result<void> {
        AKIN_TRY(const bool counts, context.end(writer, &failure));
        if (!counts) return {};
        TaskInfo failed = task;
        failed.status = TaskStatus::failed;
        failed.error = failure;
        AKIN_CHECK(check::announce(writer, "check.failed", hand_in_object(failed)));
        return release_all(writer, task.parameters, task.id);
      });
      AKIN_CHECK(written);
      return {};
    }
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, context.stop(), pause, [] { return false; });
    pause = std::min(2 * pause, kLongestPause);
  }
}

Result<std::optional<check::KeptBytes>> pack_body(const AskedCheck& asked, const Request& body) {
  if (asked.request.text) {
    AKIN_TRY(check::KeptBytes text, check::pack_to_keep(*asked.request.text));
    return std::optional(std::move(text));
  }
  if (!asked.file && !asked.reads_body()) return std::optional<check::KeptBytes>();
  AKIN_TRY(check::KeptBytes bytes, check::pack_to_keep(body.body));
  return std::optional(std::move(bytes));
}

}  // namespace

Result<std::shared_ptr<tasks::Tasks>> open_hand_ins(const Service& service,
                                                    const std::filesystem::path& folder, unsigned threads) {
  Service own = service;
  own.tasks = nullptr;
  own.hand_ins = nullptr;
  tasks::TaskKind kind{std::string(kType), [own](const TaskInfo& task, tasks::TaskContext& context) {
                         return work_on(own, task, context);
                       }};
  // forget_failed removes what has ended, together with what is kept for it.
  const tasks::TaskLimits limits{.threads = threads,
                                 .queued = 1000,
                                 .finished = std::numeric_limits<std::size_t>::max(),
                                 .age = std::chrono::hours(24 * 36'500),
                                 .begun = 10};
  return tasks::Tasks::open(service.state, folder, {std::move(kind)}, limits, state::Table::check_tasks);
}

Result<TaskInfo> hand_in(const Service& service, AskedCheck asked, const Request& body) {
  AKIN_TRY(const auto bytes, pack_body(asked, body));
  if (bytes) AKIN_CHECK(service.checks->check_space(bytes->packed.size()));
  asked.request.text = std::nullopt;
  AKIN_TRY(const check::KeptBytes kept_asked, check::pack_to_keep(encode_asked(asked).dump()));
  tasks::NewTask task{.id = check::Checks::new_id(time_now()), .type = std::string(kType)};
  task.client = body.client;
  task.parameters["key"] = asked.key;
  task.parameters["title"] = asked.title.empty() ? asked.file_name : asked.title;
  task.parameters["owner"] = asked.request.owner.empty() ? Json(nullptr) : Json(asked.request.owner);
  task.parameters["collections"] = asked.request.collections;
  task.parameters["policy"] =
      asked.request.policy_name.empty() ? Json(nullptr) : Json(asked.request.policy_name);
  task.parameters["document"] = asked.request.id.empty() ? Json(nullptr) : Json(asked.request.collection);
  task.parameters["content_type"] = body.content_type;
  task.parameters["bytes"] = bytes ? bytes->bytes : 0;
  task.parameters[kAsked] = kept_asked.digest;
  if (bytes) task.parameters[kBytes] = bytes->digest;
  task.with = [&, id = task.id](state::Writer& writer) -> Result<void> {
    if (bytes) AKIN_CHECK(check::keep(writer, *bytes, id));
    return check::keep(writer, kept_asked, id);
  };
  return service.hand_ins->add(std::move(task));
}

Result<void> withdraw(const Service& service, const TaskInfo& task) {
  return service.hand_ins->discard(
      task.id, [&](state::Writer& writer) { return release_all(writer, task.parameters, task.id); });
}

std::string_view hand_in_state(const TaskInfo& task) noexcept {
  if (task.ended()) return "failed";
  if (task.status == TaskStatus::queued) return "received";
  return task.phase == "extracting" ? "extracting" : "comparing";
}

Json hand_in_object(const TaskInfo& task) {
  Json object;
  object["id"] = task.id;
  object["created"] = format_time(task.created);
  for (const char* field : {"key", "title", "owner", "collections", "policy", "bytes"})
    object[field] = task.parameters.at(field);
  object["state"] = hand_in_state(task);
  object["progress"] = task.progress;
  std::optional<Error> error = task.error;
  if (task.status == TaskStatus::interrupted) {
    error =
        Error{Errc::internal, "check", "the server ended each time it was made", "hand the file in again"};
  }
  object["error"] = error ? error_object(*error) : Json(nullptr);
  return object;
}

Result<void> forget_hand_ins(state::State& state, const std::string& owner) {
  constexpr auto kTasks = state::Table::check_tasks;
  AKIN_TRY(const auto all, state.list(kTasks, "", "", std::numeric_limits<std::int32_t>::max()));
  return state.write([&](state::Writer& writer) -> Result<void> {
    for (const state::Entry& entry : all) {
      AKIN_TRY(const Json task, json::parse_json(entry.value, json::kAnyJsonValues));
      const Json parameters = task.value("parameters", Json::object());
      if (parameters.value("owner", Json()) != Json(owner)) continue;
      AKIN_CHECK(release_all(writer, parameters, entry.key));
      AKIN_CHECK(writer.erase(kTasks, entry.key));
    }
    return {};
  });
}

Result<void> forget_failed(const Service& service, Time now) {
  if (service.hand_ins == nullptr) return {};
  AKIN_TRY(const std::vector<TaskInfo> all, service.hand_ins->list());
  for (const TaskInfo& task : all) {
    if (!task.ended() || task.finished > now - kFailedFor) continue;
    const auto withdrawn = withdraw(service, task);
    if (withdrawn.has_error() && withdrawn.error().code != Errc::not_found) return withdrawn.error();
  }
  return {};
}

}  // namespace akin::api
