// A task as a record in the server's state.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/tasks/tasks.h"

namespace akin::tasks {

/// JSON, without the id.
[[nodiscard]] std::string write_task(const TaskInfo& task);

/// Error: corrupt.
[[nodiscard]] Result<TaskInfo> read_task(std::string_view id, std::string_view text);

}  // namespace akin::tasks
