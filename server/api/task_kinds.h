// The work of this server's tasks.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "index/catalog.h"
#include "server/state/state.h"
#include "server/tasks/tasks.h"

namespace akin::api {

/// Folders of the server in which clients may name files and folders; empty: they may not.
struct TaskFolders {
  std::filesystem::path data;     ///< the catalog's own folder
  std::filesystem::path backups;  ///< where backups are made
  std::filesystem::path inbox;    ///< texts are loaded from folders below it
};

/// The kinds of tasks on the collections of a catalog: pairs, groups, reindex, compact, load, backup.
[[nodiscard]] std::vector<tasks::TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog,
                                                      const std::shared_ptr<state::State>& state,
                                                      const TaskFolders& folders);

}  // namespace akin::api
