// A running task. Only tasks.cpp and task_work.cpp include this.
#pragma once

#include <memory>
#include <stop_token>

#include "server/tasks/tasks.h"

namespace akin::tasks {

struct Tasks::Execution {
  TaskInfo info;
  std::unique_ptr<state::Lease> lease;  ///< used by the watching thread alone
  std::unique_ptr<ResultSink> sink;     ///< of the thread at work
  std::stop_source stop;
  bool cancelled = false;  ///< by a client; a shutdown also stops the run
  bool lost = false;       ///< another server may be running the task
  bool ended = false;      ///< by its own write; of the thread at work
};

}  // namespace akin::tasks
