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
#include "base/waiting.h"
#include "index/opensearch/documents/layout.h"

namespace akin::opensearch {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kBeat(3);
constexpr std::chrono::seconds kEnded(30);
constexpr std::chrono::milliseconds kLookAgain(500);

/// Replaces the job's document by a version of this one, if it is that one.
Result<std::optional<Version>> beat(Client& client, const std::string& id, const Version& last,
                                    const std::string& token) {
  return change_catalog(client, id, last, {{"kind", "job"}, {"token", token}});
}

std::string token_of(const Answer& job) { return job.body.at("_source").value("token", ""); }

class RunningJob {
 public:
  RunningJob(std::shared_ptr<Client> client, std::string id, std::string token, Version begin)
      : client_(std::move(client)),
        id_(std::move(id)),
        token_(std::move(token)),
        last_(begin),
        thread_([this](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, stop, kBeat, [&] { return stop.stop_requested(); })) give_sign();
        }) {}
  ~RunningJob() {
    thread_.request_stop();
    thread_.join();
    if (!last_) return;
    // If that fails, others wait until it counts as ended.
    static_cast<void>(change_catalog(*client_, id_, *last_));
  }
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

 private:
  /// A sign that fails is made up for by the next. One that was given although nobody said so is this job's
  /// by its token.
  void give_sign() {
    if (!last_) return;
    const auto made = beat(*client_, id_, *last_, token_);
    if (made.has_error()) return;
    if (*made) {
      last_ = *made;
      return;
    }
    const Result<Answer> other = client_->try_ask({.path = catalog_path(*client_, id_)});
    if (other.has_error()) return;
    const bool is_own = other->status != 404 && token_of(*other) == token_;
    last_ = is_own ? std::optional(Version(other->body)) : std::nullopt;
  }

  std::shared_ptr<Client> client_;
  std::string id_;
  std::string token_;
  std::optional<Version> last_;  ///< nothing once another job took its place
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace

Result<Job> begin_job(std::shared_ptr<Client> client, std::string_view name) {
  const Waiting waiting;
  const std::string id = "j:" + std::string(name);
  const std::string token = process_name() + random_token();
  Version last;
  std::optional<Version> seen;
  for (const auto begin = steady_clock::now();; std::this_thread::sleep_for(kLookAgain)) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const std::optional<Version> made, beat(*client, id, last, token));
    if (made) return Job(std::make_shared<RunningJob>(std::move(client), id, token, *made));
    AKIN_TRY(const Answer other, client->try_ask({.path = catalog_path(*client, id)}));
    last = Version();
    if (other.status == 404) continue;  // another has ended, or was replaced by one that has
    const Version now(other.body);
    if (!seen) seen = now;
    if (now != *seen) break;
    if (has_ended(token_of(other)) || steady_clock::now() - begin >= kEnded) last = now;
  }
  return Error{Errc::busy, "collection '" + std::string(name) + "'", "it is being rebuilt or compacted",
               "wait until that is done"};
}

}  // namespace akin::opensearch
