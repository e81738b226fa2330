// A task as the server's state keeps it.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/tasks.h"

namespace akin::api {

/// JSON, without the id.
[[nodiscard]] std::string write_task(const TaskInfo& task);

/// Error: corrupt.
[[nodiscard]] Result<TaskInfo> read_task(std::string_view id, std::string_view text);

}  // namespace akin::api
