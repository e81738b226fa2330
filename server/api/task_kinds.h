// What this server's tasks do.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "index/catalog.h"
#include "server/state/state.h"
#include "server/tasks/tasks.h"

namespace akin::api {

/// Folders of the server that clients may name things in; empty = they may not.
struct TaskFolders {
  std::filesystem::path data;     ///< the catalog's own
  std::filesystem::path backups;  ///< where backups are made
  std::filesystem::path inbox;    ///< below which texts are loaded from
};

/// The kinds of tasks on the collections of a catalog: pairs, groups, reindex, compact, load, backup.
[[nodiscard]] std::vector<tasks::TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog,
                                                      const std::shared_ptr<state::State>& state,
                                                      const TaskFolders& folders);

}  // namespace akin::api
