#include "lab/evaluate/threshold.h"

#include <algorithm>
#include <cstdio>

#include "base/files.h"
#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "cli/frame/table.h"
#include "lab/commands/evaluate_commands.h"
#include "lab/commands/labelled_set_options.h"
#include "lab/evaluate/line_chart.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

using api::Json;
using evaluate::ThresholdCell;
using evaluate::ThresholdMethod;
using evaluate::ThresholdReport;

constexpr const char* kEvaluateThresholdExamples =
    "  akin-lab evaluate threshold editions/                  a folder of texts with its pairs.tsv\n"
    "  akin-lab evaluate threshold news.tsv                   a table with the texts in text_a and text_b\n"
    "  akin-lab evaluate threshold set/ --scheme sentences --scheme sentence-pairs --measure resemblance\n"
    "  akin-lab evaluate threshold set/ --positive cut,light  labels that mean a duplicate\n"
    "  akin-lab evaluate threshold set/ --at 0.1,0.3,0.5 --svg figure.svg\n"
    "\n"
    "A cell shows how many labelled pairs reach the threshold, the share of them that are not duplicates\n"
    "(errors of the first kind) and the share of all duplicates that do not reach it (errors of the second\n"
    "kind). Measures: resemblance, sorensen, containment (the larger of the two).";

struct ThresholdOptions {
  LabelledSetOptions set;
  std::vector<std::string> schemes;
  std::vector<std::string> measures = {"resemblance", "containment"};
  std::vector<double> thresholds = {0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
  bool csv = false;
  std::string svg;
};

std::string decimal(double value) { return Json(value).dump(); }

/// 0.5 → "0.5", 1.0 → "1"
std::string threshold_text(double threshold) {
  std::string text = decimal(threshold);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// Methods × thresholds, with a header row.
Table table_of(const ThresholdReport& report) {
  std::vector<std::string> head = {"scheme", "measure", "features"};
  for (const ThresholdCell& cell : report.methods.front().cells) {
    head.push_back("t = " + threshold_text(cell.threshold));
  }
  std::vector<Table::Align> columns(head.size(), Table::Align::right);
  columns[0] = columns[1] = Table::Align::left;
  Table table(std::move(columns));
  table.add(std::move(head));
  for (const ThresholdMethod& method : report.methods) {
    std::vector<std::string> row = {method.scheme, method.measure, grouped(method.features)};
    for (const ThresholdCell& cell : method.cells) {
      row.push_back(grouped(cell.found) + " / " + percent(cell.first_kind()) + " / " +
                    percent(cell.second_kind()));
    }
    table.add(std::move(row));
  }
  return table;
}

void print_text(const ThresholdReport& report, const std::string& head, Output& out) {
  out << head << "\nfound / errors of the first kind / errors of the second kind\n\n"
      << table_of(report).text();
  const auto unjudged = [](const ThresholdMethod& method) { return method.cells.front().unjudged; };
  std::uint64_t most = 0;
  for (const ThresholdMethod& method : report.methods) most = std::max(most, unjudged(method));
  if (most > 0) out << "\nup to " << counted(most, "pair") << " found without a known status, not counted\n";
}

void print_csv(const ThresholdReport& report, Output& out) {
  out << csv_line({"scheme", "measure", "features", "threshold", "found", "wrong", "first_kind", "missed",
                   "second_kind", "unjudged"});
  for (const ThresholdMethod& method : report.methods) {
    for (const ThresholdCell& cell : method.cells) {
      out << csv_line({method.scheme, method.measure, std::to_string(method.features),
                       decimal(cell.threshold), std::to_string(cell.found), std::to_string(cell.wrong),
                       decimal(cell.first_kind()), std::to_string(cell.missed), decimal(cell.second_kind()),
                       std::to_string(cell.unjudged)});
    }
  }
}

Json report_json(const ThresholdReport& report) {
  Json object = {{"texts", report.texts}, {"duplicates", report.duplicates}, {"different", report.different}};
  object["methods"] = Json::array();
  for (const ThresholdMethod& method : report.methods) {
    Json cells = Json::array();
    for (const ThresholdCell& cell : method.cells) {
      cells.push_back({{"threshold", cell.threshold},
                       {"found", cell.found},
                       {"wrong", cell.wrong},
                       {"first_kind", cell.first_kind()},
                       {"missed", cell.missed},
                       {"second_kind", cell.second_kind()},
                       {"unjudged", cell.unjudged}});
    }
    object["methods"].push_back({{"scheme", method.scheme},
                                 {"measure", method.measure},
                                 {"features", method.features},
                                 {"nominees", method.candidates},
                                 {"cells", std::move(cells)}});
  }
  return object;
}

/// The paper's figure 3: pairs found, right or wrong, over the threshold.
std::string figure(const ThresholdReport& report, const ThresholdOptions& options) {
  constexpr int kSteps = 100;
  const auto [least, most] = std::minmax_element(options.thresholds.begin(), options.thresholds.end());
  evaluate::LineChart chart{.title = ingest::display_name(options.set.set),
                            .x_title = "threshold t",
                            .y_title = "pairs found",
                            .x_from = *least,
                            .x_to = *most,
                            .y_to = 1,
                            .lines = {}};
  for (const ThresholdMethod& method : report.methods) {
    evaluate::ChartLine line{.name = method.scheme + ", " + method.measure, .points = {}};
    for (int step = 0; step <= kSteps; ++step) {
      const double t = step == kSteps ? *most : *least + (*most - *least) * step / kSteps;
      const auto end = std::partition_point(method.measures.begin(), method.measures.end(),
                                            [&](double value) { return value >= t; });
      line.points.emplace_back(t, static_cast<double>(end - method.measures.begin()));
    }
    chart.y_to = std::max(chart.y_to, line.points.front().second);
    chart.lines.push_back(std::move(line));
  }
  return evaluate::svg(chart);
}

Result<evaluate::ThresholdRequest> read_request(const ThresholdOptions& options, const Session& session) {
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  evaluate::ThresholdRequest request;
  std::vector<std::string> specs = options.schemes;
  if (specs.empty()) specs.push_back(session.options.scheme.value_or(std::string(kComparisonScheme)));
  for (const std::string& spec : specs) {
    AKIN_TRY(auto scheme, make_scheme(spec));
    request.schemes.push_back(std::move(scheme));
  }
  request.measures = options.measures;
  for (const std::string& measure : options.measures) AKIN_CHECK(evaluate::pair_measure(measure));
  request.thresholds = options.thresholds;
  return request;
}

Result<Exit> run_threshold(const ThresholdOptions& options, Session& session) {
  AKIN_TRY(evaluate::ThresholdRequest request, read_request(options, session));
  AKIN_TRY(const auto set, options.set.read());
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  Result<ThresholdReport> report = ThresholdReport();
  {
    ProgressLine line("measuring");
    request.progress = [&](std::size_t done, std::size_t all) {
      line.update(static_cast<double>(done) / static_cast<double>(all), 0, counted(set.texts.size(), "text"));
    };
    report = evaluate::threshold_report(set, *dictionary, request);
  }
  if (report.has_error()) return std::move(report).error();
  if (!options.svg.empty())
    AKIN_CHECK(replace_file(std::filesystem::absolute(options.svg), figure(*report, options)));
  const std::string head = set_summary(set);
  if (session.options.json) {
    session.out << report_json(*report).dump() << "\n";
  } else if (options.csv) {
    print_csv(*report, session.out);
  } else {
    print_text(*report, head, session.out);
  }
  return Exit::ok;
}

void add_method_options(Command command, ThresholdOptions& options) {
  // One scheme is a common flag; here it may be given several times.
  command.add_option("--scheme", options.schemes, "Kind of features; may be given several times")
      .type_name("SPEC")
      .one_value_each_time()
      .group("Methods");
  command
      .add_option("--measure", options.measures,
                  "resemblance, sorensen or containment; may be given several times")
      .type_name("NAME")
      .one_value_each_time()
      .default_str("resemblance containment")
      .group("Methods");
  command.add_option("--at", options.thresholds, "Thresholds, separated by commas")
      .type_name("LIST")
      .delimiter(',')
      .check(check_share)
      .one_value_each_time()
      .default_str("0.5,0.6,0.7,0.8,0.9,1")
      .group("Methods");
}

}  // namespace

void add_evaluate_threshold(Program& program, Command evaluate) {
  Command command = program.command(
      evaluate, "threshold", "Duplicates found and errors made at each threshold, for methods side by side",
      kEvaluateThresholdExamples);
  auto options = std::make_shared<ThresholdOptions>();
  add_labelled_set_options(command, options->set);
  command.add_flag("--csv", options->csv, "Print comma-separated values");
  command.add_option("--svg", options->svg, "Plot the pairs found against the threshold").type_name("FILE");
  add_method_options(command, *options);
  program.on(command, [options](Session& session) { return run_threshold(*options, session); });
}

}  // namespace akin::cli
