#include <cstdio>
#include <exception>

#include "server/cli/commands/commands.h"
#include "server/cli/frame/frame_commands.h"
#include "server/cli/lab/lab_commands.h"

int main(int argc, char** argv) {
  using namespace akin::cli;
  try {
    Program program;
    program.heading("Ask");
    add_similar_command(program);
    add_check_command(program);
    add_compare_command(program);
    add_pairs_command(program);
    add_groups_command(program);
    add_stream_command(program);
    program.heading("Store");
    add_index_command(program);
    add_import_command(program);
    add_export_command(program);
    add_gate_commands(program);
    add_document_commands(program);
    add_ttl_command(program);
    program.heading("Serve");
    add_serve_command(program);
    add_key_command(program);
    add_config_command(program);
    add_completion_command(program);
    program.heading("Look after");
    add_stats_command(program);
    add_verify_command(program);
    add_reindex_command(program);
    add_compact_command(program);
    add_backup_commands(program);
    add_store_commands(program);
    program.heading("Measure");
    add_features_command(program);
    add_dict_command(program);
    add_calc_command(program);
    add_train_command(program);
    add_evaluate_command(program);
    program.heading("Help");
    add_help_command(program);
    return program.run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "akin: internal error: %s\n", failure.what());
    return static_cast<int>(Exit::error);
  }
}
