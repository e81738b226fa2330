#include "server/api/task_kinds.h"

#include "server/api/objects.h"

namespace akin::api {

namespace {

/// Parameters as post_pairs and post_groups have checked them.
PairsRequest pairs_request(const TaskInfo& task, TaskContext& context) {
  const Json& parameters = task.parameters;
  PairsRequest request;
  request.condition = {.bound = parameters.at("bound").get<std::uint64_t>(),
                       .min_containment = parameters.at("min_containment").get<double>(),
                       .min_resemblance = parameters.at("min_resemblance").get<double>()};
  request.memory = parameters.at("memory").get<std::uint64_t>();
  request.stop = context.stop();
  request.progress = [&context](const PairsProgress& now) { context.progress(now.share); };
  return request;
}

Result<void> find_pairs(Catalog& catalog, const TaskInfo& task, TaskContext& context) {
  AKIN_TRY(const auto collection, catalog.get(task.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_CHECK(snapshot->pairs(pairs_request(task, context), [&](const DocumentPair& pair) {
    return context.write(pair_object(pair).dump());
  }));
  return {};
}

Result<void> find_groups(Catalog& catalog, const TaskInfo& task, TaskContext& context) {
  AKIN_TRY(const auto collection, catalog.get(task.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_CHECK(snapshot->groups(pairs_request(task, context), [&](const std::vector<std::string>& ids) {
    return context.write(group_object(ids).dump());
  }));
  return {};
}

using Work = Result<void> (*)(Catalog& catalog, const TaskInfo& task, TaskContext& context);

TaskKind kind(std::string type, const std::shared_ptr<Catalog>& catalog, Work work) {
  return {std::move(type), [catalog, work](const TaskInfo& task, TaskContext& context) {
            return work(*catalog, task, context);
          }};
}

}  // namespace

std::vector<TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog) {
  return {kind("pairs", catalog, find_pairs), kind("groups", catalog, find_groups)};
}

}  // namespace akin::api
