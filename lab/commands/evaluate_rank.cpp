#include "lab/evaluate/rank_report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "lab/commands/evaluate_commands.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

using api::Json;
using evaluate::KendallTau;
using evaluate::MeasureRank;
using evaluate::PaperRank;
using evaluate::RankReport;

constexpr const char* kEvaluateRankExamples =
    "  akin pairs --min-containment 0.2 --table pairs.csv   write yes or no into its column 'label', then:\n"
    "  akin-lab evaluate rank pairs.csv                         precision at k, Kendall's tau-b with z and "
    "p\n"
    "  akin-lab evaluate rank pairs.csv --without-equal         as the paper: without pairs of equal texts\n"
    "  akin-lab evaluate rank judged.tsv --measure cosine       another column\n"
    "  akin-lab evaluate rank pairs.csv --csv                   one line per measure, for programs\n"
    "\n"
    "The table has a header line and a column 'label': yes, no, or a number, which is above 0 for a\n"
    "duplicate. Rows without a label are left out.";

struct RankOptions {
  std::string file;
  evaluate::RankRequest request{.measures = {}, .cuts = {1, 5, 10, 20, 50, 100}};
  bool csv = false;
};

using Number = std::optional<double>;

std::string decimals(Number value, int places) {
  if (!value) return "–";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, *value);
  return text.data();
}

/// 0.0312, 5.3e-07
std::string probability(Number p) {
  if (!p) return "–";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), *p < 0.0001 && *p > 0 ? "%.1e" : "%.4f", *p);
  return text.data();
}

std::string exact(Number value) { return value ? Json(*value).dump() : ""; }

const PaperRank* paper_rank(std::string_view measure) {
  const auto found = std::find_if(evaluate::kPaperRanks.begin(), evaluate::kPaperRanks.end(),
                                  [&](const PaperRank& rank) { return rank.measure == measure; });
  return found == evaluate::kPaperRanks.end() ? nullptr : &*found;
}

std::string head_line(const RankReport& report) {
  std::string line = counted(report.pairs, "pair") + " with a label, " + grouped(report.relevant) +
                     " of them " + (report.relevant == 1 ? "a duplicate" : "duplicates");
  if (report.equal > 0) line += "; " + grouped(report.equal) + " left out as equal";
  if (report.unlabelled > 0) line += "; " + grouped(report.unlabelled) + " without a label";
  return line;
}

Table measures_table(const RankReport& report) {
  std::vector<std::string> head = {"measure", "tau-b", "z", "p"};
  for (const std::size_t cut : report.cuts) head.push_back("P@" + std::to_string(cut));
  std::vector<Table::Align> columns(head.size(), Table::Align::right);
  columns.front() = Table::Align::left;
  Table table(columns);
  table.add(head);
  for (const MeasureRank& rank : report.measures) {
    std::vector<std::string> row = {one_line(rank.measure, 40), decimals(rank.tau.tau_b(), 3),
                                    decimals(rank.tau.z(), 2), probability(rank.tau.p())};
    for (const double precision : rank.precisions) row.push_back(decimals(precision, 3));
    table.add(std::move(row));
  }
  return table;
}

Table correlations_table(const RankReport& report) {
  using enum Table::Align;
  Table table({left, left, right, right, right});
  table.add({"measure", "and", "tau-b", "Spearman", "Pearson"});
  for (const auto& pair : report.correlations) {
    table.add({one_line(pair.first, 40), one_line(pair.second, 40), decimals(pair.tau.tau_b(), 3),
               decimals(pair.spearman, 3), decimals(pair.pearson, 3)});
  }
  return table;
}

/// By the paper's formulas, next to its figures.
Table paper_table(const RankReport& report) {
  using enum Table::Align;
  Table table({left, right, right, right, right});
  table.add({"measure", "tau-a", "z", "paper's tau", "paper's z"});
  for (const MeasureRank& rank : report.measures) {
    const PaperRank* paper = paper_rank(rank.measure);
    table.add({one_line(rank.measure, 40), decimals(rank.tau.tau_a(), 3),
               decimals(rank.tau.z_without_ties(), 2), paper ? decimals(paper->tau, 3) : "–",
               paper ? decimals(paper->z, 2) : "–"});
  }
  return table;
}

/// Empty if fewer than two pairs have a label.
std::string about_paper(const RankReport& report) {
  const KendallTau& any = report.measures.front().tau;
  if (any.pairs() == 0) return "";
  const double most = static_cast<double>(any.pairs() - any.tied_second) / static_cast<double>(any.pairs());
  return "By the formulas of Bykov and Krizhanovsky 2023, which ignore ties, next to their figures for 92\n"
         "pairs. With these labels tau-a cannot exceed " +
         decimals(most, 3) + ", with theirs 0.471.\n";
}

/// All tables.
std::string report_text(const RankReport& report) {
  std::string text = measures_table(report).text();
  if (!report.correlations.empty()) text += "\n" + correlations_table(report).text();
  const std::string about = about_paper(report);
  if (!about.empty()) text += "\n" + about + "\n" + paper_table(report).text();
  return text;
}

Json or_null(Number value) { return value ? Json(*value) : Json(); }

Json tau_json(const KendallTau& tau) {
  return {{"concordant", tau.concordant},
          {"discordant", tau.discordant},
          {"tau_b", or_null(tau.tau_b())},
          {"z", or_null(tau.z())},
          {"p", or_null(tau.p())},
          {"tau_a", or_null(tau.tau_a())},
          {"z_without_ties", or_null(tau.z_without_ties())}};
}

Json report_json(const RankReport& report) {
  Json object = {{"pairs", report.pairs},
                 {"relevant", report.relevant},
                 {"unlabelled", report.unlabelled},
                 {"equal", report.equal}};
  object["measures"] = Json::array();
  for (const MeasureRank& rank : report.measures) {
    Json measure = {{"measure", rank.measure}};
    measure.update(tau_json(rank.tau));
    measure["precision_at"] = Json::object();
    for (std::size_t i = 0; i < report.cuts.size(); ++i) {
      measure["precision_at"][std::to_string(report.cuts[i])] = rank.precisions[i];
    }
    const PaperRank* paper = paper_rank(rank.measure);
    measure["paper"] = paper ? Json{{"tau_a", paper->tau}, {"z_without_ties", paper->z}} : Json();
    object["measures"].push_back(std::move(measure));
  }
  object["correlations"] = Json::array();
  for (const auto& pair : report.correlations) {
    Json correlation = {{"first", pair.first}, {"second", pair.second}};
    correlation.update(tau_json(pair.tau));
    correlation["spearman"] = or_null(pair.spearman);
    correlation["pearson"] = or_null(pair.pearson);
    object["correlations"].push_back(std::move(correlation));
  }
  return object;
}

std::vector<std::string> tau_fields(const KendallTau& tau) {
  return {exact(tau.tau_b()), exact(tau.z()), exact(tau.p()), exact(tau.tau_a()),
          exact(tau.z_without_ties())};
}

void print_csv(const RankReport& report, Output& out) {
  std::vector<std::string> head = {"measure",  "against", "pairs",       "tau_b",
                                   "z",        "p",       "tau_a",       "z_without_ties",
                                   "spearman", "pearson", "paper_tau_a", "paper_z"};
  for (const std::size_t cut : report.cuts) head.push_back("precision_at_" + std::to_string(cut));
  out << csv_line(head);
  const std::string pairs = std::to_string(report.pairs);
  const auto append = [](std::vector<std::string>& row, const std::vector<std::string>& more) {
    row.insert(row.end(), more.begin(), more.end());
  };
  for (const MeasureRank& rank : report.measures) {
    const PaperRank* paper = paper_rank(rank.measure);
    std::vector<std::string> row = {rank.measure, "label", pairs};
    append(row, tau_fields(rank.tau));
    append(row, {"", "", paper ? exact(paper->tau) : "", paper ? exact(paper->z) : ""});
    for (const double precision : rank.precisions) row.push_back(exact(precision));
    out << csv_line(row);
  }
  for (const auto& pair : report.correlations) {
    std::vector<std::string> row = {pair.first, pair.second, pairs};
    append(row, tau_fields(pair.tau));
    append(row, {exact(pair.spearman), exact(pair.pearson)});
    row.resize(head.size());
    out << csv_line(row);
  }
}

Result<Exit> run_rank(const RankOptions& options, Session& session) {
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  AKIN_TRY(const std::string text, ingest::read_text(options.file));
  AKIN_TRY(const auto table, tables::read_delimited(text, ingest::display_name(options.file)));
  AKIN_TRY(const RankReport report, evaluate::rank_report(table, options.request));
  if (session.options.json) {
    session.out << report_json(report).dump() << "\n";
  } else if (options.csv) {
    print_csv(report, session.out);
  } else {
    session.out << head_line(report) << "\n\n" << report_text(report);
  }
  return Exit::ok;
}

}  // namespace

void add_evaluate_rank(Program& program, Command evaluate) {
  Command command = program.command(evaluate, "rank", "Evaluate how well measures rank labelled pairs",
                                    kEvaluateRankExamples);
  auto options = std::make_shared<RankOptions>();
  command.add_option("FILE", options->file, "Table of pairs with labels, CSV or TSV; - is standard input")
      .required()
      .type_name("");
  command.add_option("--measure", options->request.measures, "Column to evaluate; may be given several times")
      .type_name("COLUMN")
      .one_value_each_time();
  command.add_option("--at", options->request.cuts, "Values of k for precision at k, separated by commas")
      .type_name("LIST")
      .delimiter(',')
      .positive()
      .default_str("1,5,10,20,50,100")
      .one_value_each_time();
  command.add_flag("--without-equal", options->request.without_equal,
                   "Leave out pairs for which a measure is exactly 1");
  command.add_flag("--csv", options->csv, "Print comma-separated values");
  program.on(command, [options](Session& session) { return run_rank(*options, session); });
}

}  // namespace akin::cli
