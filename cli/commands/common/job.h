// Long jobs as commands run them: a progress line, and Ctrl-C.
#pragma once

#include <functional>
#include <string_view>

#include "base/error.h"
#include "index/store/job.h"

namespace akin::cli {

/// Runs `job` with a progress line that starts with `verb` and shows the phase; the first Ctrl-C asks it to
/// stop. `last`, if given, receives the last progress that the job reported.
[[nodiscard]] Result<void> run_job(std::string_view verb,
                                   const std::function<Result<void>(const JobControl&)>& job,
                                   JobProgress* last = nullptr);

}  // namespace akin::cli
