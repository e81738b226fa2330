// The commands about the program itself.
#pragma once

#include "cli/frame/program.h"

namespace akin::cli {

void add_config_command(Program& program);
void add_help_command(Program& program);
void add_completion_command(Program& program);  ///< and the hidden command that writes the manual

}  // namespace akin::cli
