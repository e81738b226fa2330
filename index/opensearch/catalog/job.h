// Long jobs on collections, one at a time on each, in any process.
#pragma once

#include <memory>
#include <string_view>

#include "index/opensearch/client/client.h"

namespace akin::opensearch {

/// Held while it exists. It says so in the cluster every few seconds: a job that has not done so for minutes
/// has ended with its process.
class Job {
 public:
  virtual ~Job() = default;
};

/// Error: busy (another job works on the collection).
[[nodiscard]] Result<std::unique_ptr<Job>> begin_job(std::shared_ptr<Client> client, std::string_view name);

}  // namespace akin::opensearch
