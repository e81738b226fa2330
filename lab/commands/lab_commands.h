// The commands of akin-lab, which measure methods and train models. Each function registers the command of
// the file of its name.
#pragma once

#include "cli/frame/program.h"

namespace akin::cli {

[[nodiscard]] const ProgramText& lab_text() noexcept;

void add_calc_command(Program& program);
void add_evaluate_command(Program& program);
void add_text_features_command(Program& program);
void add_train_command(Program& program);

}  // namespace akin::cli
