// Long jobs on collections, one at a time on each, in any process.
#pragma once

#include <memory>
#include <string_view>
#include <thread>

#include "index/opensearch/client/client.h"

namespace akin::opensearch {

/// Held while a copy of it exists. It gives a sign in the cluster every few seconds: a job of which another
/// has seen none for half a minute has ended with its process, and the other takes its place.
struct Job {
  std::shared_ptr<Client> client;  ///< the job's own (Client::for_job)
  std::shared_ptr<std::jthread> signs;
};

/// Waits for the next sign of a job that is there, or until it counts as ended; no clocks of two machines are
/// compared. Error: busy (another job works on the collection, or the work was stopped).
[[nodiscard]] Result<Job> begin_job(const Client& client, std::string_view name);

}  // namespace akin::opensearch
