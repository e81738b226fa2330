#include "server/cli/commands.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin evaluate judge labelled.tsv          F-measure by training set and criteria\n"
    "\n"
    "Measures methods against labelled data.";

}  // namespace

void add_evaluate_command(Program& program) {
  auto& evaluate = program.command("evaluate", "Measure methods against labelled data", kExamples);
  evaluate.require_subcommand(1);
  add_evaluate_judge(program, evaluate);
}

}  // namespace akin::cli
