// `akin evaluate`, and the commands below it, each in the file of its name.
#pragma once

#include "server/cli/commands.h"

namespace akin::cli {

void add_evaluate_all(Program& program, CLI::App& evaluate);
void add_evaluate_groups(Program& program, CLI::App& evaluate);
void add_evaluate_judge(Program& program, CLI::App& evaluate);
void add_evaluate_rank(Program& program, CLI::App& evaluate);
void add_evaluate_threshold(Program& program, CLI::App& evaluate);

}  // namespace akin::cli
