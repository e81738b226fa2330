#include <cstdio>
#include <exception>

#include "cli/commands/commands.h"
#include "cli/frame/frame_commands.h"

namespace {

constexpr akin::cli::ProgramText kText = {
    "akin",
    "find every stored document that shares text with a given one",
    "akin finds every stored document that shares text with a given one, exactly and explainably,\n"
    "however word order, word forms and layout were changed.",
    "First steps:\n"
    "  akin index books/         store every text of the folder books\n"
    "  akin similar essay.txt    which stored documents share text with essay.txt?\n"
    "  akin check essay.txt      how much of essay.txt is in them, and is it too much?\n"
    "  akin serve                answer the same over HTTP\n"
    "\n"
    "\"akin help COMMAND\" explains a command, with examples. \"akin-lab help\" lists the commands that\n"
    "measure methods and train models.\n"
    "Exit codes: 0 success; 1 something was found (only with --exit-code); 2 error.",
    "  akin help                    all commands\n"
    "  akin help similar            the same as akin similar --help\n"
    "  akin help config check       a command below another one\n"
    "  akin help schemes            the kinds of features, for --scheme",
    true};

}  // namespace

int main(int argc, char** argv) {
  using namespace akin::cli;
  try {
    Program program(kText);
    program.heading("Ask");
    add_similar_command(program);
    add_check_command(program);
    add_compare_command(program);
    add_templates_command(program);
    add_pairs_command(program);
    add_groups_command(program);
    add_stream_command(program);
    add_dedup_command(program);
    add_features_command(program);
    program.heading("Store");
    add_index_command(program);
    add_import_command(program);
    add_export_command(program);
    add_gate_commands(program);
    add_document_commands(program);
    add_collections_command(program);
    add_ttl_command(program);
    program.heading("Serve");
    add_serve_command(program);
    add_key_command(program);
    add_person_command(program);
    add_audit_command(program);
    add_config_command(program);
    add_completion_command(program);
    program.heading("Look after");
    add_stats_command(program);
    add_verify_command(program);
    add_reindex_command(program);
    add_compact_command(program);
    add_erase_command(program);
    add_backup_commands(program);
    add_store_commands(program);
    add_dict_command(program);
    program.heading("Help");
    add_help_command(program);
    program.has_elsewhere({"calc", "evaluate", "train"}, "akin-lab");
    return program.run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "akin: internal error: %s\n", failure.what());
    return static_cast<int>(Exit::error);
  }
}
