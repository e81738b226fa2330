#include <filesystem>

#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "lab/commands/evaluate_commands.h"
#include "lab/commands/labelled_set_options.h"
#include "lab/evaluate/grouping.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

using api::Json;
using evaluate::Grouping;
using evaluate::Judgement;

constexpr const char* kEvaluateGroupsExamples =
    "  akin index set/ --collection set && akin groups --collection set --method imatch --csv > imatch.csv\n"
    "  akin-lab evaluate groups set/ --groups imatch.csv\n"
    "\n"
    "Every two texts of one group count as a pair found, which is right if it is labelled a duplicate.\n"
    "Tables have the columns group and id, as akin groups --csv writes them; ids are the paths of the\n"
    "set's texts.";

struct GroupsOptions {
  LabelledSetOptions set;
  std::vector<std::string> files;
  bool csv = false;
};

struct Row {
  std::string name;  ///< of the file, without its extension
  Grouping grouping;
};

Table table_of(const std::vector<Row>& rows) {
  using enum Table::Align;
  Table table({left, right, right, right, right, right});
  table.add({"groups by", "groups", "texts in them", "pairs found", "first kind", "second kind"});
  for (const auto& [name, grouping] : rows) {
    table.add({one_line(name, 40), grouped(grouping.groups), grouped(grouping.texts),
               grouped(grouping.pairs.found), percent(grouping.pairs.first_kind()),
               percent(grouping.pairs.second_kind())});
  }
  return table;
}

void print_csv(const std::vector<Row>& rows, Output& out) {
  out << csv_line({"name", "groups", "texts", "found", "wrong", "missed", "unjudged"});
  for (const auto& [name, grouping] : rows) {
    const auto& pairs = grouping.pairs;
    out << csv_line({name, std::to_string(grouping.groups), std::to_string(grouping.texts),
                     std::to_string(pairs.found), std::to_string(pairs.wrong), std::to_string(pairs.missed),
                     std::to_string(pairs.unjudged)});
  }
}

Json rows_json(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const auto& [name, grouping] : rows) {
    const auto& pairs = grouping.pairs;
    list.push_back({{"name", name},
                    {"groups", grouping.groups},
                    {"texts", grouping.texts},
                    {"found", pairs.found},
                    {"wrong", pairs.wrong},
                    {"first_kind", pairs.first_kind()},
                    {"missed", pairs.missed},
                    {"second_kind", pairs.second_kind()},
                    {"unjudged", pairs.unjudged}});
  }
  return list;
}

Result<std::vector<Row>> judge_files(const GroupsOptions& options, const evaluate::LabelledSet& set) {
  std::vector<Row> rows;
  for (const std::string& file : options.files) {
    AKIN_TRY(const std::string text, ingest::read_text(file));
    AKIN_TRY(const auto table, tables::read_delimited(text, ingest::display_name(file)));
    AKIN_TRY(const Grouping grouping, evaluate::judge_groups(set, table));
    rows.push_back({std::filesystem::path(file).stem().string(), grouping});
  }
  return rows;
}

Result<Exit> run_groups(const GroupsOptions& options, Session& session) {
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  AKIN_TRY(const auto set, options.set.read());
  AKIN_TRY(const auto rows, judge_files(options, set));
  const Table table = table_of(rows);
  const std::string head = set_summary(set);
  if (session.options.json) {
    session.out << json::compact({{"texts", set.texts.size()},
                                  {"duplicates", set.count(Judgement::duplicate)},
                                  {"different", set.count(Judgement::different)},
                                  {"groupings", rows_json(rows)}})
                << "\n";
  } else if (options.csv) {
    print_csv(rows, session.out);
  } else {
    session.out << head << "\n\n" << table.text();
  }
  return Exit::ok;
}

}  // namespace

void add_evaluate_groups(Program& program, Command evaluate) {
  Command command = program.command(
      evaluate, "groups", "Evaluate groups of duplicates against labelled pairs", kEvaluateGroupsExamples);
  auto options = std::make_shared<GroupsOptions>();
  add_labelled_set_options(command, options->set);
  command.add_option("--groups", options->files, "Table of groups; may be given several times")
      .required()
      .one_value_each_time()
      .type_name("FILE");
  command.add_flag("--csv", options->csv, "Print comma-separated values");
  program.on(command, [options](Session& session) { return run_groups(*options, session); });
}

}  // namespace akin::cli
