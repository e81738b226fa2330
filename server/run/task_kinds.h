// The work of this server's tasks.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "index/collection/catalog.h"
#include "server/state/state.h"
#include "server/tasks/tasks.h"

namespace akin::api {

/// The kinds of tasks on the collections of a catalog: pairs, groups, reindex, compact, train, stream, and
/// backup, which needs the folder in which backups are made.
[[nodiscard]] std::vector<tasks::TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog,
                                                      const std::shared_ptr<state::State>& state,
                                                      const std::filesystem::path& backups);

}  // namespace akin::api
