#include <algorithm>
#include <cstdio>

#include "cli/commands/stream/judge_files.h"
#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/progress.h"
#include "cli/frame/table.h"
#include "lab/commands/evaluate_commands.h"
#include "lab/commands/lab_commands.h"
#include "lab/evaluate/line_chart.h"
#include "lab/judge/evaluation.h"
#include "lab/judge/untrained.h"
#include "server/json/json.h"

namespace akin::cli {

namespace {

constexpr const char* kEvaluateJudgeExamples =
    "  akin-lab evaluate judge labelled.tsv --background archive.tsv --both-ways\n"
    "  akin-lab evaluate judge labelled.ndjson --sizes 25,50,100,200,400 --svg f-measure.svg\n"
    "  akin-lab evaluate judge labelled.ndjson --csv > curves.csv\n"
    "\n"
    "Trains on parts of the labelled pairs and tests on others that share no document with them: F-measure\n"
    "by the size of the training set, for several sets of criteria, and the classifications with margins.\n"
    "Then, for each file of labels, how well scores without training separate its pairs; then the ways to\n"
    "generate candidates: how many of the pairs each finds, and with how many candidates a document is\n"
    "compared. Files have the formats of akin-lab train. The same input and seed give the same figures.";

struct EvaluateOptions {
  std::vector<std::string> labels;
  std::string documents;
  std::vector<std::string> background;
  std::vector<std::size_t> sizes{20, 40, 60, 80};
  judge::CurveOptions curves;
  std::string svg;
  bool csv = false;
};

/// What the rule that needs no training reaches on the pairs of one file.
struct UntrainedFigures {
  std::string file;
  std::size_t pairs = 0, positives = 0;
  std::vector<judge::UntrainedRow> rows;
};

struct Figures {
  std::size_t pairs = 0, positives = 0, background = 0;
  std::vector<judge::Curve> curves;
  std::vector<judge::CandidateRuleRow> candidate_rules;
  std::vector<UntrainedFigures> untrained;
};

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Table curves_table(const std::vector<judge::Curve>& curves) {
  std::vector<Table::Align> columns(curves.front().points.size() + 1, Table::Align::right);
  columns.front() = Table::Align::left;
  Table table(std::move(columns));
  std::vector<std::string> heading{"criteria"};
  for (const auto& point : curves.front().points) heading.push_back(std::to_string(point.pairs));
  table.add(heading);
  for (const judge::Curve& curve : curves) {
    std::vector<std::string> row{curve.set};
    for (const auto& point : curve.points) {
      row.push_back(point.repeats == 0 ? "-" : fixed(point.f_measure) + " ± " + fixed(point.deviation));
    }
    table.add(row);
  }
  return table;
}

Table candidate_rules_table(const std::vector<judge::CandidateRuleRow>& rows) {
  using enum Table::Align;
  Table table({left, right, right, right});
  table.add({"candidates by", "recall", "other labelled pairs", "compared per document"});
  for (const auto& row : rows) {
    table.add({std::string(judge::candidate_rule_name(row.candidate_rule)),
               std::to_string(row.positives_found) + " of " + std::to_string(row.positives),
               std::to_string(row.negatives_found) + " of " + std::to_string(row.negatives),
               fixed(share(row.generated, row.documents))});
  }
  return table;
}

/// With margins, by the largest training set that every set of criteria has.
Table decisions_table(const std::vector<judge::Curve>& curves) {
  using enum Table::Align;
  Table table({left, right, right, right, right, right});
  table.add({"criteria", "pairs", "yes, of those with the label", "precision of yes", "precision of no",
             "undecided"});
  for (const judge::Curve& curve : curves) {
    const auto last = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                   [](const judge::CurvePoint& point) { return point.repeats > 0; });
    if (last == curve.points.rend()) continue;
    const judge::ClassificationCounts& counts = last->decided;
    const std::size_t yes = counts.right_yes + counts.wrong_yes;
    const std::size_t no = counts.right_no + counts.wrong_no;
    table.add({curve.set, std::to_string(last->pairs), fixed(counts.recall()),
               yes == 0 ? "-" : fixed(share(counts.right_yes, yes)),
               no == 0 ? "-" : fixed(share(counts.right_no, no)),
               fixed(share(counts.undecided, yes + no + counts.undecided))});
  }
  return table;
}

Table untrained_table(const UntrainedFigures& figures) {
  using enum Table::Align;
  Table table({left, right, right, right, right, right});
  table.add({"score", "AUC", "best F", "precision", "recall", "F"});
  for (const judge::UntrainedRow& row : figures.rows) {
    const auto at_threshold = [&](double value) {
      return row.has_threshold ? fixed(value) : std::string("-");
    };
    table.add({row.name, fixed(row.auc) + " ± " + fixed(row.error), fixed(row.best_f),
               at_threshold(row.precision), at_threshold(row.recall), at_threshold(row.f)});
  }
  return table;
}

/// All tables.
std::string report_text(const EvaluateOptions& options, const Figures& figures) {
  std::string untrained;
  for (const UntrainedFigures& one : figures.untrained) {
    untrained += "\nwithout training, " + one.file + ", " + counted(one.pairs, "pair") + ", " +
                 grouped(one.positives) + " with the label\n" + untrained_table(one).text();
  }
  return counted(figures.pairs, "pair") + ", " + grouped(figures.positives) + " with the label; " +
         counted(figures.background, "document") + " of background; " +
         counted(options.curves.repeats, "split") + ", " + percent(options.curves.test_share) +
         " of the pairs held out in each\n\nF-measure (mean ± deviation over the splits) by pairs trained "
         "on\n" +
         curves_table(figures.curves).text() + "\nwith margins for a precision of " +
         json::Json(options.curves.precision).dump() + ", all splits together\n" +
         decisions_table(figures.curves).text() + untrained + "\nways to generate candidates, over all " +
         counted(figures.candidate_rules.front().documents, "document") + "\n" +
         candidate_rules_table(figures.candidate_rules).text();
}

void print_csv(const Figures& figures, Output& out) {
  out << csv_line({"criteria", "pairs", "splits", "precision", "recall", "f", "deviation"});
  for (const judge::Curve& curve : figures.curves) {
    for (const auto& point : curve.points) {
      if (point.repeats == 0) continue;
      out << csv_line({curve.set, std::to_string(point.pairs), std::to_string(point.repeats),
                       fixed(point.precision), fixed(point.recall), fixed(point.f_measure),
                       fixed(point.deviation)});
    }
  }
}

void print_json(const Figures& figures, Output& out) {
  json::Json curves = json::Json::array();
  for (const judge::Curve& curve : figures.curves) {
    json::Json points = json::Json::array();
    for (const auto& point : curve.points) {
      if (point.repeats == 0) continue;
      points.push_back({{"pairs", point.pairs},
                        {"splits", point.repeats},
                        {"precision", point.precision},
                        {"recall", point.recall},
                        {"f", point.f_measure},
                        {"deviation", point.deviation},
                        {"decided",
                         {{"right_yes", point.decided.right_yes},
                          {"wrong_yes", point.decided.wrong_yes},
                          {"right_no", point.decided.right_no},
                          {"wrong_no", point.decided.wrong_no},
                          {"undecided", point.decided.undecided},
                          {"missed", point.decided.missed}}}});
    }
    curves.push_back({{"criteria", curve.set}, {"points", std::move(points)}});
  }
  json::Json candidate_rules = json::Json::array();
  for (const auto& row : figures.candidate_rules) {
    candidate_rules.push_back({{"nomination", judge::candidate_rule_name(row.candidate_rule)},
                               {"documents", row.documents},
                               {"positives", row.positives},
                               {"positives_found", row.positives_found},
                               {"negatives", row.negatives},
                               {"negatives_found", row.negatives_found},
                               {"compared", row.generated}});
  }
  json::Json untrained = json::Json::array();
  for (const UntrainedFigures& one : figures.untrained) {
    json::Json rows = json::Json::array();
    for (const judge::UntrainedRow& row : one.rows) {
      json::Json& added = rows.emplace_back(
          json::Json{{"score", row.name}, {"auc", row.auc}, {"error", row.error}, {"best_f", row.best_f}});
      if (row.has_threshold)
        added.update({{"precision", row.precision}, {"recall", row.recall}, {"f", row.f}});
    }
    untrained.push_back({{"file", one.file},
                         {"pairs", one.pairs},
                         {"positives", one.positives},
                         {"scores", std::move(rows)}});
  }
  out << json::compact({{"pairs", figures.pairs},
                        {"positives", figures.positives},
                        {"background", figures.background},
                        {"curves", std::move(curves)},
                        {"untrained", std::move(untrained)},
                        {"nominations", std::move(candidate_rules)}})
      << "\n";
}

Result<void> write_svg(const EvaluateOptions& options, const std::vector<judge::Curve>& curves) {
  evaluate::LineChart chart;
  chart.title = "F-measure by the size of the training set";
  chart.x_title = "labelled pairs trained on";
  chart.y_title = "F";
  for (const judge::Curve& curve : curves) {
    evaluate::ChartLine& line = chart.lines.emplace_back();
    line.name = curve.set;
    for (const auto& point : curve.points) {
      if (point.repeats == 0) continue;
      line.points.emplace_back(static_cast<double>(point.pairs), point.f_measure);
      chart.x_to = std::max(chart.x_to, line.points.back().first);
    }
  }
  AKIN_TRY(const auto writer, LineWriter::open(options.svg));
  AKIN_CHECK(writer->write(evaluate::svg(chart)));
  return writer->finish();
}

Result<Figures> evaluate(const EvaluateOptions& request, Session& session) {
  std::vector<judge::Document> background;
  if (!request.documents.empty()) {
    AKIN_TRY(background, read_documents(request.documents));
  }
  std::vector<std::vector<judge::LabelledPair>> pairs_of_files;
  std::vector<judge::LabelledPair> pairs;
  for (const std::string& file : request.labels) {
    AKIN_TRY(auto read, read_labels({file}, background));
    pairs.insert(pairs.end(), read.begin(), read.end());
    pairs_of_files.push_back(std::move(read));
  }
  for (const std::string& file : request.background) {
    AKIN_TRY(auto more, read_documents(file));
    std::move(more.begin(), more.end(), std::back_inserter(background));
  }
  if (pairs.empty()) {
    return Error{Errc::invalid_argument, "evaluate judge", "the files have no labelled pair",
                 "name files with labels, see akin-lab train --help"};
  }
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  ProgressLine progress("evaluating");
  judge::CurveOptions options = request.curves;
  options.sizes = request.sizes;
  options.progress = [&](double done) { progress.update(done, 0, counted(pairs.size(), "pair")); };
  Figures figures;
  figures.pairs = pairs.size();
  figures.positives = static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const judge::LabelledPair& pair) { return pair.label; }));
  figures.background = background.size();
  AKIN_TRY(figures.curves, judge::learning_curves(pairs, background, *dictionary, options));
  for (std::size_t i = 0; i < pairs_of_files.size(); ++i) {
    const auto& own = pairs_of_files[i];
    UntrainedFigures& one = figures.untrained.emplace_back();
    one.file = std::filesystem::path(request.labels[i]).filename().string();
    one.pairs = own.size();
    one.positives = static_cast<std::size_t>(
        std::count_if(own.begin(), own.end(), [](const judge::LabelledPair& pair) { return pair.label; }));
    AKIN_TRY(one.rows, judge::measure_untrained(own, background, *dictionary));
  }
  AKIN_TRY(figures.candidate_rules, judge::measure_candidate_rules(pairs, background, *dictionary));
  return figures;
}

Result<Exit> run_evaluate(const EvaluateOptions& options, Session& session) {
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  AKIN_TRY(const Figures figures, evaluate(options, session));
  if (!options.svg.empty()) AKIN_CHECK(write_svg(options, figures.curves));
  if (session.options.json) {
    print_json(figures, session.out);
  } else if (options.csv) {
    print_csv(figures, session.out);
  } else {
    session.out << report_text(options, figures);
  }
  return Exit::ok;
}

}  // namespace

void add_evaluate_judge(Program& program, Command evaluate) {
  Command command = program.command(
      evaluate, "judge", "Evaluate judging by many criteria against labelled pairs", kEvaluateJudgeExamples);
  auto options = std::make_shared<EvaluateOptions>();
  command.add_option("LABELS", options->labels, "Labelled pairs").required().type_name("FILE");
  command.add_option("--documents", options->documents, "Documents that labels name by their ids")
      .type_name("FILE");
  command
      .add_option("--background", options->background,
                  "Further documents of the collection; may be given several times")
      .one_value_each_time()
      .type_name("FILE");
  command.add_option("--sizes", options->sizes, "Sizes of training sets in pairs, separated by commas")
      .delimiter(',')
      .type_name("LIST")
      .default_str("20,40,60,80");
  command.add_option("--splits", options->curves.repeats, "Number of divisions into training and test parts")
      .type_name("N")
      .range(std::size_t{1}, std::size_t{1000})
      .capture_default_str();
  command
      .add_option("--test-share", options->curves.test_share, "Share of the pairs held out in each division")
      .type_name("P")
      .check(check_share)
      .capture_default_str();
  command.add_option("--seed", options->curves.seed, "Seed of the divisions")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  command
      .add_option("--precision", options->curves.precision,
                  "Share of classifications on held-out examples that must be correct; see akin-lab train")
      .type_name("P")
      .check(check_share)
      .capture_default_str();
  command.add_flag("--both-ways", options->curves.both_ways,
                   "The label holds in both directions, A against B and B against A: each pair counts twice");
  command.add_option("--svg", options->svg, "Draw the curves into this file").type_name("FILE");
  command.add_flag("--csv", options->csv, "Print the curves as comma-separated values");
  program.on(command, [options](Session& session) { return run_evaluate(*options, session); });
}

}  // namespace akin::cli
