#include "server/run/task_kinds.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "index/collection/catalog.h"
#include "server/api/write/model_object.h"
#include "server/api/write/objects.h"
#include "server/filter/filter.h"
#include "server/judge/collection_feed.h"
#include "server/judge/document_json.h"
#include "server/judge/judging.h"
#include "server/judge/line_stream.h"
#include "server/judge/models.h"
#include "server/judge/train_model.h"
#include "server/search/filtered_pairs.h"
#include "server/search/tier_options.h"
#include "server/tables/label_store.h"
#include "server/tasks/tasks.h"

namespace akin::api {

namespace {

/// What the tasks of the judge work with.
struct JudgeWork {
  std::shared_ptr<Catalog> catalog;
  std::shared_ptr<state::State> state;
  std::shared_ptr<judge::Models> models;
};

constexpr std::size_t kListedAtOnce = 256;

/// The filter in the parameters of a task, which the request has checked.
Result<std::optional<filter::Filter>> task_filter(const tasks::TaskInfo& task) {
  const auto text = task.parameters.find("filter");
  if (text == task.parameters.end()) return std::optional<filter::Filter>();
  AKIN_TRY(filter::Filter filter, filter::Filter::parse(text->get_ref<const std::string&>()));
  return std::optional(std::move(filter));
}

/// The documents of a snapshot that a filter selects, in the form that the judge reads.
class SelectedDocuments {
 public:
  static Result<SelectedDocuments> open(const Collection& collection, const tasks::TaskInfo& task) {
    SelectedDocuments documents;
    AKIN_TRY(documents.snapshot_, collection.snapshot());
    AKIN_TRY(documents.filter_, task_filter(task));
    return documents;
  }

  /// Pairs of which both documents are there and selected; A is the later one, by the times of the documents
  /// or else by when they were stored.
  Result<std::vector<judge::LabelledPair>> pairs(const tables::Labels& labels) {
    std::vector<judge::LabelledPair> pairs;
    for (const auto& [ids, label] : labels) {
      AKIN_TRY(const Stored* a, find(ids.first));
      AKIN_TRY(const Stored* b, find(ids.second));
      if (a == nullptr || b == nullptr) continue;
      if (is_later(*b, *a)) std::swap(a, b);
      pairs.push_back({a->document, b->document, tables::label_grade(label).value_or(0) > 0});
    }
    return pairs;
  }

  Result<judge::CollectionStatistics> count(const Dictionary& dictionary, tasks::TaskContext& context) const {
    judge::DocumentCounter counter(dictionary);
    std::uint64_t counted = 0;
    Revision after;
    for (;;) {
      AKIN_TRY(const auto page, snapshot_->changes(after, kListedAtOnce));
      if (page.empty() || context.stop().stop_requested()) return counter.take();
      for (const StoredDocument& record : page) {
        if (filter_ && !filter_->accepts(record)) continue;
        AKIN_TRY(const judge::Document document, read(record));
        AKIN_CHECK(counter.add(document));
      }
      after = page.back().revision;
      counted += page.size();
      context.counts({.documents_done = counted});
    }
  }

 private:
  struct Stored {
    judge::Document document;
    Revision revision;
  };

  static bool is_later(const Stored& one, const Stored& other) {
    const auto key = [&](const Stored& stored) {
      const bool dated = one.document.time && other.document.time;
      return std::pair(dated ? *stored.document.time : 0, stored.revision);
    };
    return key(one) > key(other);
  }

  Result<judge::Document> read(const StoredDocument& record) const {
    AKIN_TRY(std::string text, snapshot_->text(record));
    return judge::document_of(record, std::move(text));
  }

  Result<const Stored*> find(const std::string& id) {
    const auto [known, fresh] = read_.try_emplace(id);
    if (fresh) {
      AKIN_TRY(const auto record, snapshot_->find(id));
      if (record && (!filter_ || filter_->accepts(*record))) {
        AKIN_TRY(judge::Document document, read(*record));
        known->second = Stored{std::move(document), record->revision};
      }
    }
    return known->second ? &*known->second : nullptr;
  }

  std::unique_ptr<Snapshot> snapshot_;
  std::optional<filter::Filter> filter_;
  std::map<std::string, std::optional<Stored>> read_;
};

/// Models by their names, each once.
class ChosenModels {
 public:
  ChosenModels(judge::Models& stored, const Dictionary& dictionary)
      : stored_(stored), dictionary_(dictionary) {}

  Result<void> add(const std::string& name) {
    for (const judge::Model& model : models_)
      if (model.name == name) return {};
    AKIN_TRY(const auto model, stored_.get(name, dictionary_));
    models_.push_back(*model);
    return {};
  }
  [[nodiscard]] const std::vector<judge::Model>& all() const noexcept { return models_; }

 private:
  judge::Models& stored_;
  const Dictionary& dictionary_;
  std::vector<judge::Model> models_;
};

/// Work of the type "train": its parameters are those that train_model has checked.
Result<void> train(const JudgeWork& with, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  const Json& parameters = task.parameters;
  const auto name = parameters.at("name").get<std::string>();
  AKIN_TRY(const auto collection, with.catalog->get(task.collection));
  const auto& dictionary = collection->shared_dictionary();
  AKIN_TRY(const tables::Labels labels, tables::kept_labels(*with.state, task.collection));
  AKIN_TRY(SelectedDocuments documents, SelectedDocuments::open(*collection, task));
  AKIN_TRY(const auto pairs, documents.pairs(labels));
  judge::TrainingRequest request{.name = name, .languages = collection->identity().languages, .pairs = pairs};
  request.both_ways = parameters.at("both_ways").get<bool>();
  judge::TrainingOptions& options = request.options;
  AKIN_TRY(options.criteria, judge::parse_criteria(parameters.at("criteria").get<std::string>()));
  options.folds = parameters.at("folds").get<std::size_t>();
  options.precision = parameters.at("precision").get<double>();
  options.seed = parameters.at("seed").get<std::uint64_t>();
  options.progress = [&context](double share) { context.progress(share); };
  AKIN_TRY(request.statistics, documents.count(*dictionary, context));
  AKIN_TRY(const judge::TrainedModel trained, judge::train_model(std::move(request), *dictionary));
  if (context.stop().stop_requested()) return {};
  AKIN_CHECK(with.models->put(name, judge::model_text(trained.model), *dictionary,
                              collection->identity().languages));
  const judge::ComparedPairs& compared = trained.compared;
  const Json line = {{"model", model_object(trained.model)},
                     {"positives", compared.positives},
                     {"compared_positives", compared.compared_positives},
                     {"negatives", compared.negatives},
                     {"compared_negatives", compared.compared_negatives}};
  return context.write(line.dump());
}

/// Work of the type "stream": its parameters are those that judge_stream has checked.
Result<void> judge_in_order(const JudgeWork& with, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  const Json& parameters = task.parameters;
  const auto text = [&](const char* name) { return parameters.value(name, std::string()); };
  AKIN_TRY(auto collection, with.catalog->get(task.collection));
  const auto dictionary = collection->shared_dictionary();
  judge::LineStreamOptions options;
  AKIN_TRY(options.stream.rule, judge::parse_rule(text("rule")));
  options.stream.threshold = parameters.at("threshold").get<double>();
  // Tasks that an earlier akin queued say `verbose`.
  options.verbose = parameters.value("details", parameters.value("verbose", false));
  judge::WindowOptions& window = options.stream.window;
  window.seconds = parameters.at("window").get<std::int64_t>();
  window.candidates = parameters.at("candidates").get<std::size_t>();
  ChosenModels models(*with.models, *dictionary);
  if (const std::string model = text("model"); !model.empty()) AKIN_CHECK(models.add(model));
  if (const auto given = parameters.find("models"); given != parameters.end()) {
    AKIN_TRY(options.choice, judge::model_choice_of(*given));
    options.choice->otherwise = text("model");
    for (const auto& [value, model] : options.choice->models) AKIN_CHECK(models.add(model));
  }
  AKIN_TRY(window.candidate_rule,
           judge::candidate_rule_of(text("nominate"), models.all().empty(), options.stream.rule));
  AKIN_TRY(const Revision after, judge::revision_at(text("from"), "from"));
  judge::FeedOptions reading{after, window.seconds};
  AKIN_TRY(const auto filter, task_filter(task));
  if (filter) reading.selects = [&](const DocumentRecord& record) { return filter->accepts(record); };
  AKIN_TRY(auto feed, judge::CollectionFeed::open(with.catalog, std::move(collection), reading));
  Result<void> written;
  judge::StreamTally tally;
  const auto stopped = [&] { return written.has_error() || context.stop().stop_requested(); };
  AKIN_CHECK(judge::LineStream(*dictionary, models.all(), options)
                 .run([&] { return feed.next(stopped); },
                      [&](std::string_view answer, bool) {
                        if (answer.empty()) return !stopped();
                        answer.remove_suffix(1);
                        written = context.write(answer);
                        context.counts({.documents_done = tally.documents + tally.refused});
                        return !stopped();
                      },
                      tally));
  return written;
}

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
  return manifest.check(request.target.filename().string());
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
                                        const std::shared_ptr<state::State>& state,
                                        const std::filesystem::path& backups) {
  const JudgeWork judge{catalog, state, std::make_shared<judge::Models>(state)};
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
