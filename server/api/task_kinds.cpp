#include "server/api/task_kinds.h"

#include <algorithm>
#include <atomic>
#include <stop_token>

#include "server/api/objects.h"
#include "server/api/tier_options.h"
#include "server/ingest/load_files.h"
#include "server/json/quoted.h"

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
  if (const auto limit = parameters.find("common_limit"); limit != parameters.end())
    request.common_limit = limit->get<std::uint64_t>();
  request.memory = parameters.at("memory").get<std::uint64_t>();
  request.stop = context.stop();
  request.progress = [&context](const PairsProgress& now) { context.progress(now.share); };
  return request;
}

Result<void> find_pairs(Catalog& catalog, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  AKIN_TRY(const auto collection, catalog.get(task.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const PairsRequest request, pairs_request(task, collection->scheme(), context));
  AKIN_CHECK(snapshot->pairs(
      request, [&](const DocumentPair& pair) { return context.write(pair_object(pair).dump()); }));
  return {};
}

Result<void> find_groups(Catalog& catalog, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  AKIN_TRY(const auto collection, catalog.get(task.collection));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const PairsRequest request, pairs_request(task, collection->scheme(), context));
  AKIN_CHECK(snapshot->groups(
      request, [&](const std::vector<std::string>& ids) { return context.write(group_object(ids).dump()); }));
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

Result<void> reindex(Catalog& catalog, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  return catalog.reindex(task.collection, task.parameters.at("scheme").get<std::string>(),
                         control_of(context));
}

Result<void> compact(Catalog& catalog, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  AKIN_TRY(const Compaction done, catalog.compact(task.collection, control_of(context)));
  Json line;
  line["bytes_before"] = done.bytes_before;
  line["bytes_after"] = done.bytes_after;
  return context.write(line.dump());
}

/// The folder that a client has named. With links and dots resolved it must be below the inbox.
Result<std::filesystem::path> folder_to_load(const std::filesystem::path& inbox, const std::string& name) {
  std::error_code failure;
  const auto root = std::filesystem::canonical(inbox, failure);
  if (failure) return system_error(failure.value(), "folder for loading", "open");
  const auto folder = std::filesystem::canonical(root / std::filesystem::path(name).relative_path(), failure);
  if (failure) return system_error(failure.value(), "folder " + json::in_quotes(name), "open");
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), folder.begin(), folder.end());
  if (end == root.end() && std::filesystem::is_directory(folder, failure)) return folder;
  return Error{Errc::invalid_argument, "folder " + json::in_quotes(name),
               "is not a folder below the folder for loading", "name one that is"};
}

/// Writes to the result what was refused, and a summary at the end.
Result<void> load(Catalog& catalog, const TaskFolders& folders, const tasks::TaskInfo& task,
                  tasks::TaskContext& context) {
  AKIN_TRY(const auto folder, folder_to_load(folders.inbox, task.parameters.at("folder").get<std::string>()));
  AKIN_TRY(const auto collection, catalog.get(task.collection));
  AKIN_TRY(const ingest::InputList inputs, ingest::collect_inputs({folder}, "", folders.data));
  tasks::TaskCounts counts;
  counts.documents_total = inputs.files.size();
  for (const ingest::InputFile& file : inputs.files) counts.bytes_total += file.bytes;
  std::atomic<bool> stop = false;
  const std::stop_callback on_stop(context.stop(), [&stop] { stop = true; });
  ingest::Reading reading;
  reading.keep_files = collection->keeps_files();
  ingest::DocumentBatches batches(inputs.files, std::move(reading), {}, nullptr);
  const auto progress = [&](std::uint64_t documents) {
    counts.documents_done = documents;
    counts.documents_total = std::max(counts.documents_total, documents);  // a dump contains many
    counts.bytes_done = std::min(batches.bytes_read(), counts.bytes_total);
    context.counts(counts);
    if (counts.bytes_total > 0)
      context.progress(static_cast<double>(counts.bytes_done) / static_cast<double>(counts.bytes_total));
  };
  ingest::LoadResult result;
  AKIN_CHECK(ingest::load_files(*collection,
                                {.files = &inputs.files,
                                 .batches = &batches,
                                 .memory = std::uint64_t{1} << 30U,
                                 .stop = &stop,
                                 .progress = progress},
                                result));
  const ingest::FeedReport feed = batches.report();
  for (const Error& error : inputs.refused) AKIN_CHECK(context.write(error_object(error).dump()));
  for (const Error& error : feed.refused) AKIN_CHECK(context.write(error_object(error).dump()));
  for (const Error& error : result.refused) AKIN_CHECK(context.write(error_object(error).dump()));
  Json summary;
  summary["stored"] = result.stored;
  summary["replaced"] = result.replaced;
  summary["refused"] = inputs.refused.size() + feed.refused.size() + result.refused.size();
  summary["no_words"] = feed.invalid[static_cast<std::size_t>(ingest::Invalid::no_words)];
  summary["bytes"] = result.bytes;
  return context.write(Json{{"summary", summary}}.dump());
}

Result<void> backup(Catalog& catalog, const std::shared_ptr<state::State>& state, const TaskFolders& folders,
                    const tasks::TaskInfo& task, tasks::TaskContext& context) {
  BackupRequest request;
  request.collections = task.parameters.at("collections").get<std::vector<std::string>>();
  request.target = folders.backups / task.parameters.at("name").get<std::string>();
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

using Work = Result<void> (*)(Catalog& catalog, const tasks::TaskInfo& task, tasks::TaskContext& context);

tasks::TaskKind kind(std::string type, const std::shared_ptr<Catalog>& catalog, Work work) {
  return {std::move(type), [catalog, work](const tasks::TaskInfo& task, tasks::TaskContext& context) {
            return work(*catalog, task, context);
          }};
}

}  // namespace

std::vector<tasks::TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog,
                                        const std::shared_ptr<state::State>& state,
                                        const TaskFolders& folders) {
  std::vector<tasks::TaskKind> kinds = {kind("pairs", catalog, find_pairs),
                                        kind("groups", catalog, find_groups),
                                        kind("reindex", catalog, reindex), kind("compact", catalog, compact)};
  if (!folders.inbox.empty()) {
    kinds.push_back({"load", [=](const tasks::TaskInfo& task, tasks::TaskContext& context) {
                       return load(*catalog, folders, task, context);
                     }});
  }
  if (!folders.backups.empty()) {
    kinds.push_back({"backup", [=](const tasks::TaskInfo& task, tasks::TaskContext& context) {
                       return backup(*catalog, state, folders, task, context);
                     }});
  }
  return kinds;
}

}  // namespace akin::api
