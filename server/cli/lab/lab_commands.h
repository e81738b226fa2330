// The commands that measure methods and train models.
#pragma once

#include "server/cli/frame/program.h"

namespace akin::cli {

void add_calc_command(Program& program);
void add_train_command(Program& program);
void add_stream_command(Program& program);
void add_evaluate_command(Program& program);

}  // namespace akin::cli
