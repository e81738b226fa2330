#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/spreadsheet_cell.h"
#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "lab/commands/evaluate_commands.h"
#include "lab/evaluate/agreement.h"
#include "server/ingest/input.h"
#include "server/json/json.h"

namespace akin::cli {

namespace {

using evaluate::Agreement;
using evaluate::Expert;
using evaluate::PooledPair;
using json::Json;

constexpr const char* kEvaluateExpertsExamples =
    "  akin-lab evaluate experts anna.tsv boris.tsv vera.csv    do three experts agree?\n"
    "  akin-lab evaluate experts anna.tsv boris.tsv --table pooled.csv\n"
    "\n"
    "A FILE is a table with the columns a, b and label, as akin pairs --table makes and its page saves;\n"
    "its name is the expert's. The pooled table has the label of each expert, how many say yes and no,\n"
    "and the label of the majority, which akin pairs --labels takes; a tie has none.";

struct ExpertsOptions {
  std::vector<std::string> files;
  std::string table;
};

Result<std::vector<Expert>> read_experts(const std::vector<std::string>& files) {
  std::vector<Expert> experts;
  std::set<std::string> names;
  for (const std::string& file : files) {
    AKIN_TRY(const std::string text, ingest::read_text(file));
    AKIN_TRY(tables::Labels labels, tables::read_given_labels(text, ingest::display_name(file)));
    std::string name = std::filesystem::path(file).stem().string();
    if (!names.insert(name).second) {
      return Error{Errc::invalid_argument, file, "another file has the name '" + name + "', too",
                   "name each file after its expert"};
    }
    experts.push_back({std::move(name), std::move(labels)});
  }
  return experts;
}

std::string majority(const PooledPair& pair) {
  if (pair.yes() == pair.no()) return "";
  return pair.yes() > pair.no() ? "yes" : "no";
}

Result<void> write_table(const std::string& file, const std::vector<Expert>& experts,
                         const std::vector<PooledPair>& pairs) {
  AKIN_TRY(const auto out, LineWriter::open(file));
  std::vector<std::string> head = {"a", "b", "label", "yes", "no"};
  for (const Expert& expert : experts) head.push_back("label_" + expert.name);
  AKIN_CHECK(out->write(csv_line(head)));
  for (const PooledPair& pair : pairs) {
    std::vector<std::string> row = {guarded_cell(pair.a), guarded_cell(pair.b), majority(pair),
                                    std::to_string(pair.yes()), std::to_string(pair.no())};
    for (const auto& label : pair.labels) row.push_back(label.value_or(""));
    AKIN_CHECK(out->write(csv_line(row)));
  }
  return out->finish();
}

Json json_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json report_json(const std::vector<Expert>& experts, std::size_t pairs, const Agreement& agreement) {
  Json object = {
      {"pairs", pairs}, {"of_all", agreement.of_all}, {"fleiss_kappa", json_or_null(agreement.kappa)}};
  Json two = Json::array();
  for (const auto& one : agreement.two) {
    two.push_back({{"first", experts[one.first].name},
                   {"second", experts[one.second].name},
                   {"pairs", one.pairs},
                   {"agreed", one.agreed},
                   {"kappa", json_or_null(one.kappa)},
                   {"tau_b", json_or_null(one.tau_b)}});
  }
  object["two"] = std::move(two);
  return object;
}

std::string three_digits(const std::optional<double>& value) {
  if (!value) return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", *value);
  return text.data();
}

void print_report(const std::vector<Expert>& experts, std::size_t pairs, const Agreement& agreement,
                  Output& out) {
  out << counted(pairs, "pair") << " labelled by " << counted(experts.size(), "expert") << "\n";
  for (const auto& one : agreement.two) {
    out << experts[one.first].name << " and " << experts[one.second].name << ": " << grouped(one.agreed)
        << " of " << counted(one.pairs, "common pair") << " agree, kappa " << three_digits(one.kappa)
        << ", tau-b " << three_digits(one.tau_b) << "\n";
  }
  if (experts.size() > 2) {
    out << "all: kappa (Fleiss) " << three_digits(agreement.kappa) << " over the "
        << counted(agreement.of_all, "pair") << " that all labelled\n";
  }
}

Result<Exit> run_experts(const ExpertsOptions& options, Session& session) {
  if (options.files.size() < 2) {
    return Error{Errc::invalid_argument, "evaluate experts", "needs the labels of two experts or more",
                 "name a file for each"};
  }
  AKIN_TRY(const std::vector<Expert> experts, read_experts(options.files));
  const std::vector<PooledPair> pairs = evaluate::pooled(experts);
  const Agreement agreement = evaluate::agreement_of(experts, pairs);
  if (!options.table.empty()) AKIN_CHECK(write_table(options.table, experts, pairs));
  if (session.options.json) {
    session.out << json::compact(report_json(experts, pairs.size(), agreement)) << "\n";
  } else {
    print_report(experts, pairs.size(), agreement, session.out);
  }
  return Exit::ok;
}

}  // namespace

void add_evaluate_experts(Program& program, Command evaluate) {
  Command command =
      program.command(evaluate, "experts", "Measure how far experts' labels agree", kEvaluateExpertsExamples);
  auto options = std::make_shared<ExpertsOptions>();
  command.add_option("FILE", options->files, "Tables of labels, one for each expert")
      .required()
      .type_name("");
  command
      .add_option("--table", options->table,
                  "Write a table (CSV) of all pairs with the labels of all experts")
      .type_name("FILE");
  program.on(command, [options](Session& session) { return run_experts(*options, session); });
}

}  // namespace akin::cli
