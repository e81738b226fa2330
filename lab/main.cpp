#include <cstdio>
#include <exception>

#include "cli/frame/frame_commands.h"
#include "lab/commands/lab_commands.h"

int main(int argc, char** argv) {
  using namespace akin::cli;
  try {
    Program program(lab_text());
    program.heading("Measure");
    add_evaluate_command(program);
    add_text_features_command(program);
    add_calc_command(program);
    program.heading("Train");
    add_train_command(program);
    program.heading("Help");
    add_completion_command(program);
    add_help_command(program);
    return program.run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "akin-lab: internal error: %s\n", failure.what());
    return static_cast<int>(Exit::error);
  }
}
