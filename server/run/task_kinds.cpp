#include "server/run/task_kinds.h"

#include <algorithm>
#include "server/api/write/objects.h"
#include "server/run/judge_tasks.h"
#include "server/search/filtered_pairs.h"
#include "server/search/tier_options.h"

namespace akin::api {

namespace {

/// Reads parameters that post_pairs and post_groups have checked.
Result<PairsRequest> pairs_request(const tasks::TaskInfo& task, const Scheme& scheme,
                                   tasks::TaskContext& context) {
  const Json& parameters = task.parameters;
  PairsRequest request;
  AKIN_TRY(request.tier, tier_of(parameters, scheme));
  request.condition = {.bound = parameters.at("bound").get<std::uint64_t>(),
                       .min_containment = parameters.at("min_containment").get<double>(),
                       .min_resemblance = parameters.at("min_resemblance").get<double>()};
  request.reuse = parameters.value("reuse", false);
  if (const auto limit = parameters.find("common_limit"); limit != parameters.end())
    request.common_limit = limit->get<std::uint64_t>();
  request.memory = parameters.at("memory").get<std::uint64_t>();
  request.stop = context.stop();
  request.progress = [&context](const PairsProgress& now) { context.progress(now.share); };
  return request;
}

Result<void> find_pairs(const std::shared_ptr<Catalog>& catalog, const tasks::TaskInfo& task,
                        tasks::TaskContext& context) {
  AKIN_TRY(const auto collection, catalog->get(task.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const PairsRequest request, pairs_request(task, collection->scheme(), context));
  AKIN_TRY(const auto filter, task_filter(task));
  AKIN_CHECK(pairs_of(*snapshot, request, filter,
                      [&](const DocumentPair& pair) { return context.write(pair_object(pair).dump()); }));
  return {};
}

Result<void> find_groups(const std::shared_ptr<Catalog>& catalog, const tasks::TaskInfo& task,
                         tasks::TaskContext& context) {
  AKIN_TRY(const auto collection, catalog->get(task.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const PairsRequest request, pairs_request(task, collection->scheme(), context));
  AKIN_TRY(const auto filter, task_filter(task));
  const bool complete = task.parameters.value("linkage", "single") == "complete";
  const Linkage linkage = complete ? Linkage::complete : Linkage::single;
  AKIN_CHECK(groups_of(*snapshot, request, filter, linkage, [&](const std::vector<std::string>& ids) {
    return context.write(group_object(ids).dump());
  }));
  return {};
}

/// Reports a job's progress to its task: by documents if they are counted, otherwise by bytes.
JobControl control_of(tasks::TaskContext& context) {
  JobControl control;
  control.stop = context.stop();
  control.progress = [&context](const JobProgress& now) {
    context.counts({now.documents_done, now.documents_total, now.bytes_done, now.bytes_total});
    const auto share = [](std::uint64_t done, std::uint64_t total) {
      return static_cast<double>(done) / static_cast<double>(total);
    };
    if (now.documents_total > 0) {
      context.progress(share(now.documents_done, now.documents_total));
    } else if (now.bytes_total > 0) {
      context.progress(share(now.bytes_done, now.bytes_total));
    }
  };
  return control;
}

Result<void> reindex(const std::shared_ptr<Catalog>& catalog, const tasks::TaskInfo& task,
                     tasks::TaskContext& context) {
  return catalog->reindex(task.collection, task.parameters.at("scheme").get<std::string>(),
                          control_of(context));
}

Result<void> compact(const std::shared_ptr<Catalog>& catalog, const tasks::TaskInfo& task,
                     tasks::TaskContext& context) {
  AKIN_TRY(const Compaction done, catalog->compact(task.collection, control_of(context)));
  Json line;
  line["bytes_before"] = done.bytes_before;
  line["bytes_after"] = done.bytes_after;
  return context.write(line.dump());
}

Result<void> backup(Catalog& catalog, const std::shared_ptr<state::State>& state,
                    const std::filesystem::path& backups, const tasks::TaskInfo& task,
                    tasks::TaskContext& context) {
  BackupRequest request;
  request.collections = task.parameters.at("collections").get<std::vector<std::string>>();
  request.target = backups / task.parameters.at("name").get<std::string>();
  request.copy_state = [&state](const ByteSink& sink) { return state->copy(sink); };
  request.control = control_of(context);
  AKIN_TRY(const BackupManifest manifest, catalog.backup(request));
  for (const auto& collection : manifest.collections) {
    Json line;
    line["collection"] = collection.name;
    line["documents"] = collection.documents;
    line["bytes"] = collection.file.bytes;
    line["sha256"] = collection.file.sha256;
    AKIN_CHECK(context.write(line.dump()));
  }
  return {};
}

/// Work with the catalog, or with what the judge needs.
template <class Objects>
tasks::TaskKind kind(std::string type, const Objects& objects,
                     Result<void> (*work)(const Objects& objects, const tasks::TaskInfo& task,
                                          tasks::TaskContext& context)) {
  return {std::move(type), [objects, work](const tasks::TaskInfo& task, tasks::TaskContext& context) {
            return work(objects, task, context);
          }};
}

}  // namespace

std::vector<tasks::TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog,
                                        const std::shared_ptr<Dictionaries>& dictionaries,
                                        const std::shared_ptr<state::State>& state,
                                        const std::filesystem::path& backups) {
  const JudgeWork judge{catalog, dictionaries, state, std::make_shared<judge::Models>(state)};
  std::vector<tasks::TaskKind> kinds = {
      kind("pairs", catalog, find_pairs), kind("groups", catalog, find_groups),
      kind("reindex", catalog, reindex),  kind("compact", catalog, compact),
      kind("train", judge, train),        kind("stream", judge, judge_in_order)};
  if (!backups.empty()) {
    kinds.push_back({"backup", [=](const tasks::TaskInfo& task, tasks::TaskContext& context) {
                       return backup(*catalog, state, backups, task, context);
                     }});
  }
  return kinds;
}

}  // namespace akin::api
