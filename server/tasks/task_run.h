// A task at work: of tasks.cpp and task_work.cpp alone.
#pragma once

#include <memory>
#include <stop_token>

#include "server/tasks/tasks.h"

namespace akin::tasks {

struct Tasks::Run {
  TaskInfo info;
  std::unique_ptr<state::Lease> lease;  ///< used by the watching thread alone
  std::unique_ptr<ResultSink> sink;     ///< of the thread at work
  std::stop_source stop;
  bool cancelled = false;  ///< by a client; the server's end stops it too
  bool lost = false;       ///< another server may be doing it
};

}  // namespace akin::tasks
