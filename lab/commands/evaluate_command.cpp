#include "lab/commands/evaluate_commands.h"
#include "lab/commands/lab_commands.h"

namespace akin::cli {

namespace {

constexpr const char* kEvaluateExamples =
    "  akin-lab evaluate rank pairs.csv                       do measures rank pairs as an expert does?\n"
    "  akin-lab evaluate threshold texts/ --scheme sentences  pairs found and errors made at each threshold\n"
    "  akin-lab evaluate groups texts/ --groups groups.csv    the same for groups\n"
    "  akin-lab evaluate judge labelled.tsv                   F-measure by training set and criteria\n"
    "  akin-lab evaluate passages cases.tsv --texts susp/ --sources src/   passages against known ones\n"
    "  akin-lab evaluate experts anna.tsv boris.tsv           how far do experts agree?\n"
    "\n"
    "Evaluates methods on sets that people have labelled. Needs no collection.";

constexpr ProgramText kText = {
    "akin-lab",
    "measure how well methods find shared text, and train models",
    "akin-lab measures how well methods find shared text, on sets that people have labelled, and trains\n"
    "the models with which akin stream judges.",
    "First steps:\n"
    "  akin-lab features essay.txt             what akin sees in a text\n"
    "  akin-lab evaluate threshold texts/      pairs found and errors made at each threshold\n"
    "  akin-lab train --labels pairs.ndjson --model duplicate    a model for akin stream --model duplicate\n"
    "\n"
    "\"akin-lab help COMMAND\" explains a command, with examples.\n"
    "Exit codes: 0 success; 2 error.",
    "  akin-lab help                     all commands\n"
    "  akin-lab help train               the same as akin-lab train --help\n"
    "  akin-lab help evaluate rank       a command below another one\n"
    "  akin-lab help schemes             the kinds of features, for --scheme",
    false};

}  // namespace

const ProgramText& lab_text() noexcept { return kText; }

void add_evaluate_command(Program& program) {
  Command evaluate =
      program.command("evaluate", "Evaluate methods against labelled pairs of texts", kEvaluateExamples);
  evaluate.require_subcommand();
  add_evaluate_rank(program, evaluate);
  add_evaluate_threshold(program, evaluate);
  add_evaluate_groups(program, evaluate);
  add_evaluate_judge(program, evaluate);
  add_evaluate_passages(program, evaluate);
  add_evaluate_experts(program, evaluate);
}

}  // namespace akin::cli
