// The page of the desk for duplicates in a collection, which a task finds.
#include "server/desk/duplicates.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/api/write/objects.h"

namespace akin::api {

namespace {

constexpr std::uint64_t kGroupsOnPage = 20;
/// Documents of a group that a page shows.
constexpr std::size_t kDocumentsOfGroup = 100;
constexpr std::size_t kPairsTasks = 10;

/// The documents that are still there, the earliest first.
Result<desk::DuplicateGroup> group_of(const Snapshot& snapshot, const Json& line) {
  desk::DuplicateGroup group{.size = line.at("size").get<std::uint64_t>(), .documents = {}};
  std::vector<StoredDocument> found;
  for (const Json& id : line.at("ids")) {
    AKIN_TRY(auto record, snapshot.find(id.get_ref<const std::string&>()));
    if (record) found.push_back(*std::move(record));
  }
  std::ranges::sort(found, {}, &StoredDocument::revision);
  if (found.size() > kDocumentsOfGroup) found.resize(kDocumentsOfGroup);
  for (const StoredDocument& record : found) group.documents.push_back(document_object(record));
  return group;
}

Result<void> add_groups(const Snapshot& snapshot, const tasks::Tasks& tasks, const tasks::TaskInfo& task,
                        std::uint64_t offset, desk::DuplicatesView& view) {
  view.total = task.result_lines;
  AKIN_TRY(const std::string lines, tasks.result(task.id, offset, kGroupsOnPage));
  std::uint64_t number = offset;
  for (const std::string_view line : split(lines, '\n')) {
    if (line.empty()) continue;
    AKIN_TRY(const Json read, parse_json(line));
    AKIN_TRY(desk::DuplicateGroup group, group_of(snapshot, read));
    group.number = ++number;
    if (group.documents.size() > 1) view.groups.push_back(std::move(group));
  }
  if (number < task.result_lines)
    view.next = desk::duplicates_path(view.collection) + "?after=" + std::to_string(number);
  return {};
}

/// The newest task that looks for groups, if there is one; adds those that look for pairs.
Result<std::optional<tasks::TaskInfo>> tasks_of_page(const tasks::Tasks& tasks, desk::DuplicatesView& view) {
  AKIN_TRY(const auto all, tasks.list());
  std::optional<tasks::TaskInfo> groups;
  for (std::size_t i = all.size(); i-- > 0;) {
    const tasks::TaskInfo& task = all[i];
    if (task.collection != view.collection) continue;
    if (task.type == "groups" && !groups) groups = task;
    if (task.type == "pairs" && view.pairs.size() < kPairsTasks) view.pairs.push_back(task_object(task));
  }
  return groups;
}

bool is_running(const Json& task) {
  return !task.is_null() && (task.at("status") == "queued" || task.at("status") == "running");
}

}  // namespace

Result<Response> get_desk_duplicates(const Call& call) {
  const std::string& collection = call.captures.front();
  const desk::Reader reader = reader_of(call, desk::duplicates_path(collection));
  return desk_answer(reader, [&]() -> Result<Response> {
    constexpr std::uint64_t kMost = 1'000'000'000;
    static constexpr DeclaredParameter kKnown[] = {{"after", ParameterKind::integer, 0, kMost}, {"lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    AKIN_TRY(const auto stored, open_collection(call));
    desk::DuplicatesView view{.collection = collection,
                              .may_start = may(call, access::Scope::admin),
                              .may_remove = may(call, access::Scope::write),
                              .groups = {}};
    AKIN_TRY(const auto tasks, tasks_of(call.service));
    AKIN_TRY(const auto task, tasks_of_page(*tasks, view));
    if (task) view.task = task_object(*task);
    const bool is_done = task && task->status == tasks::TaskStatus::done;
    if (is_done) {
      AKIN_TRY(const auto snapshot, stored->snapshot());
      AKIN_CHECK(add_groups(*snapshot, *tasks, *task, parameters.integer("after").value_or(0), view));
    }
    Response response = page_response(200, reader, desk::duplicates_page(reader, view));
    if (is_running(view.task) || std::ranges::any_of(view.pairs, is_running))
      response.headers.emplace_back("Refresh", "2");
    return response;
  });
}

Result<Response> post_desk_duplicates(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    const Json percent = Json::parse(value_of(fields, "share"), nullptr, false);
    const bool is_percent = percent.is_number() && percent.get<double>() > 0 && percent.get<double>() <= 100;
    if (!is_percent)
      return Error{Errc::invalid_argument, "share", "is not a number of per cent", "give one from 1 to 100"};
    const bool wants_pairs = value_of(fields, "kind") == "pairs";
    AKIN_CHECK(
        answer_of(call, wants_pairs ? find_pairs : find_groups,
                  {.captures = call.captures, .body = {{"min_containment", percent.get<double>() / 100}}}));
    return see_other(desk::duplicates_path(call.captures.front()));
  });
}

Result<Response> remove_desk_documents(const Call& call) {
  const std::string& collection = call.captures.front();
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    for (const std::string& id : values_of(fields, "id")) {
      const auto removed = answer_of(call, delete_document, {.captures = {collection, id}});
      if (removed.has_error() && removed.error().code != Errc::not_found) return removed.error();
    }
    return see_other(desk::duplicates_path(collection));
  });
}

}  // namespace akin::api
