#include "server/run/judge_tasks.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "server/api/write/model_object.h"
#include "server/filter/filter.h"
#include "server/judge/collection_feed.h"
#include "server/judge/document_json.h"
#include "server/judge/judging.h"
#include "server/judge/line_stream.h"
#include "server/judge/train_model.h"
#include "server/tables/label_store.h"

namespace akin::api {

namespace {

constexpr std::size_t kListedAtOnce = 256;

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

}  // namespace

Result<std::optional<filter::Filter>> task_filter(const tasks::TaskInfo& task) {
  const auto text = task.parameters.find("filter");
  if (text == task.parameters.end()) return std::optional<filter::Filter>();
  AKIN_TRY(filter::Filter filter, filter::Filter::parse(text->get_ref<const std::string&>()));
  return std::optional(std::move(filter));
}

Result<void> train(const JudgeWork& with, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  const Json& parameters = task.parameters;
  const auto name = parameters.at("name").get<std::string>();
  AKIN_TRY(const auto dictionary, with.dictionaries->configured());
  AKIN_TRY(const auto collection, with.catalog->get(task.collection));
  AKIN_TRY(const tables::Labels labels, tables::kept_labels(*with.state, task.collection));
  AKIN_TRY(SelectedDocuments documents, SelectedDocuments::open(*collection, task));
  AKIN_TRY(const auto pairs, documents.pairs(labels));
  judge::TrainingRequest request{.name = name, .languages = with.dictionaries->languages(), .pairs = pairs};
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
  AKIN_CHECK(with.models->put(name, judge::model_text(trained.model), *dictionary));
  const judge::ComparedPairs& compared = trained.compared;
  const Json line = {{"model", model_object(trained.model)},
                     {"positives", compared.positives},
                     {"compared_positives", compared.compared_positives},
                     {"negatives", compared.negatives},
                     {"compared_negatives", compared.compared_negatives}};
  return context.write(line.dump());
}

Result<void> judge_in_order(const JudgeWork& with, const tasks::TaskInfo& task, tasks::TaskContext& context) {
  const Json& parameters = task.parameters;
  const auto text = [&](const char* name) { return parameters.value(name, std::string()); };
  AKIN_TRY(const auto dictionary, with.dictionaries->configured());
  judge::LineStreamOptions options;
  AKIN_TRY(options.stream.rule, judge::parse_rule(text("rule")));
  options.stream.threshold = parameters.at("threshold").get<double>();
  options.verbose = parameters.at("details").get<bool>();
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
  AKIN_TRY(auto collection, with.catalog->get(task.collection));
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

}  // namespace akin::api
