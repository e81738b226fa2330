// What this server's tasks do.
#pragma once

#include <memory>
#include <vector>

#include "index/collection.h"
#include "server/api/tasks.h"

namespace akin::api {

/// The kinds of tasks on the collections of a catalog: pairs, groups.
[[nodiscard]] std::vector<TaskKind> task_kinds(const std::shared_ptr<Catalog>& catalog);

}  // namespace akin::api
