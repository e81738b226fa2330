#include "server/cli/lab/evaluate_commands.h"
#include "server/cli/lab/lab_commands.h"

namespace akin::cli {

namespace {

constexpr const char* kEvaluateExamples =
    "  akin evaluate rank pairs.csv                       do measures rank pairs as an expert does?\n"
    "  akin evaluate threshold texts/ --scheme sentences  pairs found and errors made at each threshold\n"
    "  akin evaluate groups texts/ --groups groups.csv    the same for groups\n"
    "  akin evaluate judge labelled.tsv                   F-measure by training set and criteria\n"
    "  akin evaluate passages cases.tsv --texts susp/ --sources src/   passages against known ones\n"
    "  akin evaluate all sets/ --into page.md             all of them, for the sets of a manifest\n"
    "\n"
    "Evaluates methods on sets that people have labelled. Needs no collection.";

}  // namespace

void add_evaluate_command(Program& program) {
  Command evaluate =
      program.command("evaluate", "Evaluate methods against labelled pairs of texts", kEvaluateExamples);
  evaluate.require_subcommand();
  add_evaluate_rank(program, evaluate);
  add_evaluate_threshold(program, evaluate);
  add_evaluate_groups(program, evaluate);
  add_evaluate_judge(program, evaluate);
  add_evaluate_passages(program, evaluate);
  add_evaluate_all(program, evaluate);
}

}  // namespace akin::cli
