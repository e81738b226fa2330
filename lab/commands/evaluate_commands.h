// `akin-lab evaluate`, and the commands below it, each in the file of its name.
#pragma once

#include "cli/frame/command.h"
#include "lab/commands/lab_commands.h"

namespace akin::cli {

void add_evaluate_experts(Program& program, Command evaluate);
void add_evaluate_groups(Program& program, Command evaluate);
void add_evaluate_judge(Program& program, Command evaluate);
void add_evaluate_passages(Program& program, Command evaluate);
void add_evaluate_rank(Program& program, Command evaluate);
void add_evaluate_threshold(Program& program, Command evaluate);

}  // namespace akin::cli
