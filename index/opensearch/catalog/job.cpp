#include "index/opensearch/catalog/job.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/process_name.h"
#include "index/opensearch/documents/layout.h"

namespace akin::opensearch {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kBeat(3);
constexpr std::chrono::seconds kEnded(30);
constexpr std::chrono::milliseconds kLookAgain(500);

/// Of a process, in "change": so each change of the job's document is known to be its own.
Json job_of(const std::string& token) { return {{"kind", "job"}, {"change", token}}; }

/// Gives signs until it is to stop, or another job took its place.
void give_signs(const std::stop_token& stop, const std::shared_ptr<Client>& client, const std::string& id,
                const std::string& token, Version last) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  bool is_own = true;
  while (is_own && !wake.wait_for(lock, stop, kBeat, [&] { return stop.stop_requested(); })) {
    // A sign that fails is made up for by the next.
    const Result<bool> given = change_catalog(*client, id, last, job_of(token));
    is_own = given.has_error() || *given;
  }
  // If that fails, others wait until it counts as ended.
  if (is_own) static_cast<void>(change_catalog(*client, id, last));
}

}  // namespace

Result<Job> begin_job(const Client& others, std::string_view name) {
  const std::shared_ptr<Client> client = others.for_job();
  const std::string id = "j:" + std::string(name);
  const std::string token = process_name() + random_token();
  std::optional<Version> seen;
  Version last;  // at first of none
  for (const auto begin = steady_clock::now();;) {
    AKIN_TRY(const bool made, change_catalog(*client, id, last, job_of(token)));
    if (made) return Job{client, std::make_shared<std::jthread>(give_signs, client, id, token, last)};
    AKIN_TRY(const auto other, read_catalog(*client, id));
    last = Version();
    if (other) {  // otherwise it has ended meanwhile
      if (!seen) seen = other->version;
      if (other->version != *seen) break;
      const bool is_late = steady_clock::now() - begin >= kEnded;
      if (is_late || has_ended(other->body.value("change", ""))) last = *seen;
    }
    AKIN_CHECK(pause_work(kLookAgain));
  }
  return Error{Errc::busy, "collection '" + std::string(name) + "'", "it is being rebuilt or compacted",
               "wait until that is done"};
}

}  // namespace akin::opensearch
