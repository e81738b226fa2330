#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/api/handlers.h"
#include "server/api/health.h"
#include "server/api/write/file_object.h"
#include "server/json/quoted.h"
#include "server/metrics/figures.h"

namespace akin::api {

namespace {

/// Free bytes on the disk that contains `folder`, or will contain it when it is created.
std::optional<std::uint64_t> free_bytes(std::filesystem::path folder) {
  std::error_code failure;
  folder = std::filesystem::absolute(folder, failure);
  while (!std::filesystem::exists(folder, failure) && folder.has_relative_path())
    folder = folder.parent_path();
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return std::nullopt;
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

/// Collects checks; the first failure becomes the error of the answer.
class Checks {
 public:
  void add(Json check, std::optional<Error> failure) {
    check["ok"] = !failure;
    checks_.push_back(std::move(check));
    if (failure && !failure_) failure_ = std::move(failure);
  }
  [[nodiscard]] Response answer(Json ready) const {
    if (!failure_) {
      ready["status"] = "ready";
      ready["checks"] = checks_;
      return json_response(200, ready);
    }
    Response response = error_response(*failure_, "not_ready");
    Json object = Json::parse(response.body);
    object["checks"] = checks_;
    response.body = json_response(503, object).body;
    return response;
  }

 private:
  Json checks_ = Json::array();
  std::optional<Error> failure_;
};

double seconds_of(std::chrono::microseconds time) { return std::chrono::duration<double>(time).count(); }

std::string note_on_outdated(const std::vector<std::string>& names) {
  const bool one = names.size() == 1;
  return (one ? "collection " + json::in_quotes(names.front()) + " was"
              : std::to_string(names.size()) + " collections were") +
         " built with other dictionaries than those configured and " +
         (one ? "uses its own" : "use their own") + " until a reindex";
}

std::string note_on_unreadable(const std::vector<UnreadableCollection>& collections) {
  const auto& [name, error] = collections.front();
  const std::string why = error.reason + "; " + error.remedy;
  if (collections.size() == 1) return "collection " + json::in_quotes(name) + " cannot be read: " + why;
  return std::to_string(collections.size()) + " collections cannot be read, of which " +
         json::in_quotes(name) + ": " + why + "; GET /v1/collections has the reasons of the others";
}

/// Adds the collections that do not match the configuration, and a note with the reason and the remedy.
void add_outdated(const OutdatedCollections& outdated, Json& ready) {
  ready["outdated_collections"] = outdated.in_use.size();
  Json names = Json::array();
  for (const UnreadableCollection& one : outdated.unreadable) names.push_back(one.name);
  ready["unreadable_collections"] = std::move(names);
  std::string note;
  if (!outdated.unreadable.empty()) note = note_on_unreadable(outdated.unreadable);
  if (!outdated.in_use.empty()) note += (note.empty() ? "" : "; ") + note_on_outdated(outdated.in_use);
  if (!note.empty()) ready["note"] = std::move(note);
}

/// Leaves out the names of collections, and what is said of them.
void leave_names_out(Json& ready) {
  std::size_t troubled = 0;
  for (const char* list : {"quarantined_collections", "damaged_collections", "unreadable_collections"}) {
    troubled += ready[list].size();
    ready.erase(list);
  }
  ready.erase("note");
  if (troubled == 0) return;
  ready["note"] = std::to_string(troubled) + (troubled == 1 ? " collection needs" : " collections need") +
                  " attention: ask with a key of scope read for all collections which, and why";
}

/// Whether the client may know the names of all collections: nobody needs a key, or it has one for them.
bool may_see_names(const Call& call) {
  const auto field = [&call](std::string_view name) { return call.request.header(name).value_or(""); };
  const Service& service = call.service;
  const access::Decision decision =
      service.access == nullptr
          ? access::Decision{}
          : service.access->decide(field("authorization"), access::Scope::read, call.request.peer);
  if (decision.refusal) return false;
  if (decision.grant != nullptr) return decision.grant->key().spec.collections.empty();
  return service.hosts == nullptr || !service.hosts->check_host(field("host"));
}

std::string tasks_by_status(const tasks::Tasks& tasks) {
  constexpr std::array kStatuses = {tasks::TaskStatus::queued,    tasks::TaskStatus::running,
                                    tasks::TaskStatus::done,      tasks::TaskStatus::failed,
                                    tasks::TaskStatus::cancelled, tasks::TaskStatus::interrupted};
  const auto all = tasks.list();
  if (all.has_error()) return {};
  std::vector<metrics::StoredFigure> figures;
  figures.reserve(kStatuses.size());
  for (const tasks::TaskStatus status : kStatuses) {
    figures.push_back(
        {.family = "akin_tasks",
         .help = "Remembered tasks, by their status.",
         .value = static_cast<std::uint64_t>(std::ranges::count(*all, status, &tasks::TaskInfo::status)),
         .label = "status",
         .of = std::string(tasks::status_name(status))});
  }
  return metrics::figures_text(figures);
}

std::string figures_of_checks(const check::Checks& checks, const tasks::Tasks& hand_ins) {
  const auto kept = checks.space();
  const auto handed_in = hand_ins.list();
  if (kept.has_error() || handed_in.has_error()) return {};
  const auto failed = static_cast<std::uint64_t>(std::ranges::count_if(*handed_in, &tasks::TaskInfo::ended));
  constexpr const char* kHandedIn = "akin_checks_handed_in";
  constexpr const char* kHandedInHelp = "Checks that were handed in and have no outcome.";
  return metrics::figures_text(std::array<metrics::StoredFigure, 5>{{
      {kHandedIn, kHandedInHelp, handed_in->size() - failed, "state", "waiting"},
      {kHandedIn, kHandedInHelp, failed, "state", "failed"},
      {"akin_check_kept_pieces", "Files, texts and passages that checks keep.", kept->pieces},
      {"akin_check_kept_bytes", "Bytes of what checks keep.", kept->bytes},
      {"akin_check_kept_stored_bytes", "Bytes of what checks keep, compressed.", kept->stored_bytes},
  }});
}

std::string figures_of_watches(const watch::Watches& watches, const state::State& state) {
  const auto stored = state.count(state::Table::watches);
  const watch::DeliveryCounts& counts = watches.delivery_counts();
  constexpr const char* kCalls = "akin_webhook_deliveries_total";
  constexpr const char* kCallsHelp = "Calls of webhooks by this server, by what came of them.";
  return metrics::figures_text(std::array<metrics::StoredFigure, 4>{{
      {"akin_watches", "Stored watches of all collections.", stored.has_value() ? *stored : 0},
      {kCalls, kCallsHelp, counts.delivered, "outcome", "delivered", true},
      {kCalls, kCallsHelp, counts.failed, "outcome", "failed", true},
      {kCalls, kCallsHelp, counts.given_up, "outcome", "given_up", true},
  }});
}

}  // namespace

void Readiness::set_extraction(const Result<extract::Sandbox>& sandbox, bool filters) {
  Json object = extraction_object(sandbox, filters);
  const std::lock_guard lock(mutex_);
  extraction_ = std::move(object);
}

Response Readiness::answer(Catalog* catalog, const ViewAge* view_age, bool names_shown) const {
  Checks checks;
  Json ready = Json::object();
  if (catalog == nullptr) {
    checks.add({{"name", "open"}},
               Error{Errc::busy, "server", "it is opening its dictionaries and collections",
                     "try again in a moment"});
  } else {
    const auto names = catalog->list();
    ready["collections"] = names.has_value() ? names->size() : 0;
    checks.add({{"name", "open"}}, names.has_error() ? std::optional(names.error()) : std::nullopt);
    const auto quarantined = catalog->quarantined();
    ready["quarantined_collections"] = quarantined.has_value() ? Json(*quarantined) : Json::array();
    const auto damaged = catalog->damaged();
    ready["damaged_collections"] = damaged.has_value() ? Json(*damaged) : Json::array();
    const auto outdated = catalog->outdated();
    add_outdated(outdated.has_value() ? *outdated : OutdatedCollections(), ready);
    if (!names_shown) leave_names_out(ready);
  }
  {
    const std::lock_guard lock(mutex_);
    if (!extraction_.is_null()) ready["extraction"] = extraction_;
  }
  if (const auto staleness = view_age == nullptr ? std::nullopt : view_age->now()) {
    checks.add({{"name", "standby"},
                {"staleness_seconds", seconds_of(staleness->age)},
                {"max_staleness_seconds", seconds_of(view_age->most())},
                {"unapplied_bytes", staleness->bytes}},
               view_age->refusal(*staleness));
  }
  checks.add({{"name", "accepting"}},
             draining_
                 ? std::optional(Error{Errc::busy, "server", "it is being stopped", "use another server"})
                 : std::nullopt);
  const auto free = free_bytes(folder_);
  const std::uint64_t known = free.value_or(0);
  checks.add({{"name", "disk"}, {"free_bytes", known}, {"min_free_bytes", min_free_bytes_}},
             known >= min_free_bytes_
                 ? std::nullopt
                 : std::optional(Error{Errc::disk_full, "disk of the data folder",
                                       "has " + std::to_string(known) + " free bytes, fewer than the " +
                                           std::to_string(min_free_bytes_) + " that must stay free",
                                       "free space there, or lower --min-free-disk"}));
  return checks.answer(std::move(ready));
}

Result<Response> get_liveness(const Call&) {
  static const Response alive = json_response(200, {{"status", "alive"}});
  return alive;
}

Result<Response> get_readiness(const Call& call) {
  Catalog* const catalog = call.service.catalog.get();
  const ViewAge* const view_age = call.service.view_age.get();
  const bool names = catalog != nullptr && may_see_names(call);
  if (call.service.readiness) return call.service.readiness->answer(catalog, view_age, names);
  return Readiness({}, 0).answer(catalog, view_age, names);
}

Result<Response> get_version(const Call& call) {
  AKIN_TRY(const auto dictionary, call.service.dictionaries->configured());
  AKIN_TRY(const auto scheme, make_scheme(kDefaultScheme));
  return json_response(200, {{"name", "akin"},
                             {"version", AKIN_VERSION},
                             {"api", "v1"},
                             {"default_scheme", scheme->name()},
                             {"fingerprint", dictionary->fingerprint()}});
}

Result<Response> get_metrics(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "metrics"));
  if (!call.service.metrics) {
    return Error{Errc::not_found, "metrics", "this server has none", "use a server that akin serve started"};
  }
  Response response;
  response.headers.emplace_back("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.body = call.service.metrics->text();
  if (call.service.tasks) response.body += tasks_by_status(*call.service.tasks);
  if (call.service.watches && call.service.state)
    response.body += figures_of_watches(*call.service.watches, *call.service.state);
  if (call.service.checks && call.service.hand_ins)
    response.body += figures_of_checks(*call.service.checks, *call.service.hand_ins);
  return response;
}

}  // namespace akin::api
