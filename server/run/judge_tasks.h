// Tasks that train a model on a collection's labels, and judge its documents in the order of their arrival.
#pragma once

#include <memory>
#include <optional>

#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"
#include "server/filter/filter.h"
#include "server/judge/models.h"
#include "server/tasks/tasks.h"

namespace akin::api {

/// What the tasks of the judge work with.
struct JudgeWork {
  std::shared_ptr<Catalog> catalog;
  std::shared_ptr<Dictionaries> dictionaries;
  std::shared_ptr<state::State> state;
  std::shared_ptr<judge::Models> models;
};

/// The filter in the parameters of a task, which the request has checked.
[[nodiscard]] Result<std::optional<filter::Filter>> task_filter(const tasks::TaskInfo& task);

/// Work of the type "train": its parameters are those that train_model has checked.
[[nodiscard]] Result<void> train(const JudgeWork& with, const tasks::TaskInfo& task,
                                 tasks::TaskContext& context);
/// Work of the type "stream": its parameters are those that judge_stream has checked.
[[nodiscard]] Result<void> judge_in_order(const JudgeWork& with, const tasks::TaskInfo& task,
                                          tasks::TaskContext& context);

}  // namespace akin::api
