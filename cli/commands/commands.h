// akin's main commands. Each function registers one family of commands, implemented in the file of the same
// name.
#pragma once

#include "cli/frame/program.h"

namespace akin::cli {

void add_serve_command(Program& program);
void add_index_command(Program& program);
void add_reindex_command(Program& program);
void add_compact_command(Program& program);
void add_erase_command(Program& program);
void add_backup_commands(Program& program);  ///< backup, restore
void add_export_command(Program& program);
void add_import_command(Program& program);
void add_similar_command(Program& program);
void add_check_command(Program& program);
void add_compare_command(Program& program);
void add_templates_command(Program& program);
void add_pairs_command(Program& program);
void add_groups_command(Program& program);
void add_dedup_command(Program& program);
void add_features_command(Program& program);
void add_stream_command(Program& program);
void add_document_commands(Program& program);  ///< show, delete
void add_verify_command(Program& program);
void add_stats_command(Program& program);
void add_ttl_command(Program& program);
void add_collections_command(Program& program);
void add_store_commands(Program& program);  ///< store init, check, roles, copy
void add_gate_commands(Program& program);
void add_key_command(Program& program);
void add_person_command(Program& program);
void add_audit_command(Program& program);
void add_dict_command(Program& program);

}  // namespace akin::cli
