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

/// Replaces the job's document by a version of this one, if the conditions hold.
Result<Answer> beat(Client& client, const std::string& id, const std::string& conditions,
                    const std::string& token) {
  return change_catalog(client, id, conditions, {{"kind", "job"}, {"token", token}});
}

std::string token_of(const Answer& job) { return job.body.at("_source").value("token", ""); }

class RunningJob final : public Job {
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
  ~RunningJob() override {
    thread_.request_stop();
    thread_.join();
    if (!last_) return;
    // If that fails, others wait until it counts as ended.
    static_cast<void>(change_catalog(*client_, id_, last_->condition()));
  }
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

 private:
  /// A sign that fails is made up for by the next. One that was given although nobody said so is this job's
  /// by its token.
  void give_sign() {
    if (!last_) return;
    const Result<Answer> made = beat(*client_, id_, last_->condition(), token_);
    if (made.has_error()) return;
    if (made->status != 409) {
      last_ = Version(made->body);
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

Result<std::unique_ptr<Job>> begin_job(std::shared_ptr<Client> client, std::string_view name) {
  const Waiting waiting;
  const std::string id = "j:" + std::string(name);
  const std::string token = process_name() + random_token();
  const std::string is_new = "op_type=create";
  std::string condition = is_new;
  std::optional<Version> seen;
  for (const auto begin = steady_clock::now();; std::this_thread::sleep_for(kLookAgain)) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const Answer made, beat(*client, id, condition, token));
    if (made.status != 409) {
      return std::unique_ptr<Job>(
          std::make_unique<RunningJob>(std::move(client), id, token, Version(made.body)));
    }
    AKIN_TRY(const Answer other, client->try_ask({.path = catalog_path(*client, id)}));
    if (other.status == 404) {
      condition = is_new;  // another has ended, or was replaced by one that has
      continue;
    }
    const Version last(other.body);
    if (!seen) seen = last;
    if (last != *seen) break;
    if (has_ended(token_of(other)) || steady_clock::now() - begin >= kEnded) condition = last.condition();
  }
  return Error{Errc::busy, "collection '" + std::string(name) + "'", "it is being rebuilt or compacted",
               "wait until that is done"};
}

}  // namespace akin::opensearch
