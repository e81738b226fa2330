#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/commands/stream/judge_files.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "lab/commands/lab_commands.h"
#include "server/json/json.h"
#include "server/judge/train_model.h"

namespace akin::cli {

namespace {

constexpr const char* kTrainExamples =
    "  akin-lab train --labels pairs.ndjson --model duplicate\n"
    "  akin-lab train --labels judged.tsv --background archive.ndjson.zst --model same-event --both-ways\n"
    "  akin-lab train --labels ids.ndjson --documents news.ndjson --model borrowed --criteria "
    "words,sentences\n"
    "\n"
    "A line of labels is {\"a\": DOCUMENT, \"b\": DOCUMENT, \"label\": true or false}, where a document is\n"
    "{\"id\",\"title\",\"text\",\"time\",\"source\",\"links\",...} or the id of a document in --documents;\n"
    "or a row of a tab-separated table with the columns label, text_a, text_b, title_a, ... A is the later\n"
    "document. \"akin stream --model NAME\" judges with the model.";

struct TrainOptions {
  std::vector<std::string> labels;
  std::string documents;
  std::vector<std::string> background;
  std::string model;
  std::string criteria = "all";
  std::size_t folds = 5;
  double precision = judge::TrainingOptions{}.precision;
  std::uint64_t seed = 1;
  bool both_ways = false;
};

std::string number(double value, const char* pattern) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

json::Json held_out_json(const judge::ClassificationCounts& counts) {
  return {{"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f", counts.f_measure()},
          {"undecided", counts.undecided}};
}

json::Json model_json(const judge::TrainedModel& trained, const std::string& file) {
  const judge::Model& model = trained.model;
  const judge::Classifier& classifier = model.classifier;
  const judge::TrainingRecord& record = classifier.record;
  json::Json criteria = json::Json::array();
  for (const auto criterion : classifier.scaling.criteria)
    criteria.push_back(judge::criterion_name(criterion));
  return {{"model", model.name},
          {"file", file},
          {"pairs", record.pairs},
          {"positives", record.positives},
          {"groups", record.groups},
          {"compared_positives", trained.compared.compared_positives},
          {"compared_negatives", trained.compared.compared_negatives},
          {"criteria", std::move(criteria)},
          {"c", classifier.plane.c},
          {"weights", classifier.plane.weights},
          {"log_loss", record.held_out.log_loss},
          {"held_out", held_out_json(record.held_out.plain)},
          {"with_margins", held_out_json(record.held_out.classifications)},
          {"margins", {classifier.margins.no, classifier.margins.yes}}};
}

std::string margin_text(const judge::Margins& margins) {
  std::string text = margins.yes > 1 ? "never says yes" : "yes from " + number(margins.yes, "%.3f") + " on";
  text += margins.no < 0 ? ", never says no" : ", no up to " + number(margins.no, "%.3f");
  return text;
}

/// Whether most pairs without the label are pairs that a stream would never compare.
bool is_unlike_a_stream(const judge::ComparedPairs& compared) {
  return compared.compared_negatives * 2 < compared.negatives;
}

void print_model(const judge::TrainedModel& trained, const std::string& file, Output& out) {
  const judge::Model& model = trained.model;
  const judge::Classifier& classifier = model.classifier;
  const judge::TrainingRecord& record = classifier.record;
  const judge::ClassificationCounts& plain = record.held_out.plain;
  const judge::ClassificationCounts& classifications = record.held_out.classifications;
  std::string criteria;
  for (std::size_t i = 0; i < classifier.plane.weights.size(); ++i) {
    criteria.append(criteria.empty() ? "" : ", ")
        .append(judge::criterion_name(classifier.scaling.criteria[i]));
    criteria.append(" ").append(number(classifier.plane.weights[i], "%+.2f"));
  }
  out << "trained '" << model.name << "' on " << counted(record.pairs, "example") << ", "
      << grouped(record.positives) << " of them with the label, in " << counted(record.groups, "group")
      << " without a common document\n"
      << "a stream would compare " << grouped(trained.compared.compared_positives) << " of the "
      << counted(trained.compared.positives, "pair") << " with the label, "
      << grouped(trained.compared.compared_negatives) << " of the " << grouped(trained.compared.negatives)
      << " without it\n"
      << "weights: " << criteria << "\n"
      << "C " << number(classifier.plane.c, "%g") << "\n"
      << "held out (" << grouped(record.folds) << " folds): precision " << number(plain.precision(), "%.3f")
      << ", recall " << number(plain.recall(), "%.3f") << ", F " << number(plain.f_measure(), "%.3f")
      << ", log loss " << number(record.held_out.log_loss, "%.3f") << "\n"
      << "margins: " << margin_text(classifier.margins) << "; then precision "
      << number(classifications.precision(), "%.3f") << ", recall "
      << number(classifications.recall(), "%.3f") << ", " << grouped(classifications.undecided)
      << " undecided\n"
      << "stored in " << file << "\n";
}

Result<judge::TrainedModel> train(const TrainOptions& request, Session& session, const std::string& name) {
  AKIN_TRY(const auto criteria, judge::parse_criteria(request.criteria));
  std::vector<judge::Document> documents;
  if (!request.documents.empty()) {
    AKIN_TRY(documents, read_documents(request.documents));
  }
  AKIN_TRY(const auto pairs, read_labels(request.labels, documents));
  std::vector<judge::Document> background = documents;
  for (const std::string& file : request.background) {
    AKIN_TRY(auto more, read_documents(file));
    std::move(more.begin(), more.end(), std::back_inserter(background));
  }
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  AKIN_TRY(judge::CollectionStatistics statistics, judge::count_collection(pairs, background, *dictionary));
  ProgressLine progress("training");
  judge::TrainingOptions options;
  options.criteria = criteria;
  options.folds = request.folds;
  options.precision = request.precision;
  options.seed = request.seed;
  options.progress = [&](double share) { progress.update(share, 0, counted(pairs.size(), "pair")); };
  return judge::train_model(
      {name, session.options.languages, pairs, std::move(statistics), request.both_ways, std::move(options)},
      *dictionary);
}

Result<Exit> run_train(const TrainOptions& request, Session& session) {
  AKIN_TRY(const ModelPlace place, model_place(request.model));
  const std::string& name = place.name;
  if (!judge::is_model_name(name)) {
    return Error{Errc::invalid_argument, "model '" + name + "'", "cannot be a model's name",
                 "name the file with letters, digits, '-', '_' and '.'"};
  }
  AKIN_TRY(const judge::TrainedModel trained, train(request, session, name));
  AKIN_CHECK(save_model(session.options, place, trained.model));
  const std::string file = place.display(session.options);
  if (session.options.json) {
    session.out << json::compact(model_json(trained, file)) << "\n";
  } else {
    print_model(trained, file, session.out);
  }
  if (is_unlike_a_stream(trained.compared)) {
    std::fputs(
        "akin-lab: a stream would not compare most of the pairs without the label, so the model has learnt\n"
        "little about those that it does compare (label what akin stream --verbose prints as nearest)\n",
        stderr);
  }
  return Exit::ok;
}

}  // namespace

void add_train_command(Program& program) {
  Command command = program.command("train", "Train a model that judges pairs of documents", kTrainExamples);
  auto options = std::make_shared<TrainOptions>();
  command.add_option("--labels", options->labels, "Labelled pairs; may be given several times")
      .required()
      .one_value_each_time()
      .type_name("FILE");
  command
      .add_option("--model", options->model,
                  "Where to store it: a name in the data folder or database, or a file")
      .required()
      .type_name("NAME|FILE");
  command.add_option("--documents", options->documents, "Documents that labels name by their ids")
      .type_name("FILE");
  command
      .add_option(
          "--background", options->background,
          "Further documents of the collection, used for the weights of words;\nmay be given several times")
      .one_value_each_time()
      .type_name("FILE");
  command
      .add_option("--criteria", options->criteria,
                  "Criteria to use, separated by commas; see akin-lab evaluate judge")
      .type_name("LIST")
      .capture_default_str();
  command.add_option("--folds", options->folds, "Number of parts in the cross-validation")
      .type_name("N")
      .range(std::size_t{2}, std::size_t{20})
      .capture_default_str();
  command
      .add_option("--precision", options->precision,
                  "Share of verdicts on held-out examples that must be correct")
      .type_name("P")
      .check(check_share)
      .capture_default_str();
  command.add_option("--seed", options->seed, "Seed of the division into folds")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command.add_flag("--both-ways", options->both_ways,
                   "The label holds in both directions, A against B and B against A: train on both");
  program.on(command, [options](Session& session) { return run_train(*options, session); });
}

}  // namespace akin::cli
