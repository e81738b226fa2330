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

/// A version of the job's document, which each beat replaces.
struct Beat {
  std::int64_t sequence = 0, term = 0;

  explicit Beat(const Json& answer) : sequence(answer.at("_seq_no")), term(answer.at("_primary_term")) {}
  bool operator==(const Beat&) const = default;
  [[nodiscard]] std::string condition() const {
    return "?if_seq_no=" + std::to_string(sequence) + "&if_primary_term=" + std::to_string(term);
  }
};

Request beat(const std::string& path, const std::string& condition, const std::string& token) {
  return {.method = "PUT",
          .path = path + condition,
          .body = Json{{"kind", "job"}, {"token", token}}.dump(),
          .repeatable = false,
          .must_finish = true};
}

class RunningJob final : public Job {
 public:
  RunningJob(std::shared_ptr<Client> client, std::string path, std::string token, Beat begin)
      : client_(std::move(client)),
        path_(std::move(path)),
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
    static_cast<void>(
        client_->try_ask({.method = "DELETE", .path = path_ + last_->condition(), .must_finish = true}));
  }
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

 private:
  /// A sign that fails is made up for by the next. One that was given although nobody said so is this job's
  /// by its token.
  void give_sign() {
    if (!last_) return;
    const Result<Answer> made = client_->try_ask(beat(path_, last_->condition(), token_));
    if (made.has_error()) return;
    if (made->status != 409) {
      last_ = Beat(made->body);
      return;
    }
    const Result<Answer> other = client_->try_ask({.path = path_});
    if (other.has_error()) return;
    const bool is_own = other->status != 404 && other->body.at("_source").value("token", "") == token_;
    last_ = is_own ? std::optional(Beat(other->body)) : std::nullopt;
  }

  std::shared_ptr<Client> client_;
  std::string path_;
  std::string token_;
  std::optional<Beat> last_;  ///< nothing once another job took its place
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace

Result<std::unique_ptr<Job>> begin_job(std::shared_ptr<Client> client, std::string_view name) {
  const Waiting waiting;
  const std::string path = catalog_path(*client, "j:" + std::string(name));
  const std::string token = process_name() + random_token();
  const std::string is_new = "?op_type=create";
  std::string condition = is_new;
  std::optional<Beat> seen;
  for (const auto begin = steady_clock::now();; std::this_thread::sleep_for(kLookAgain)) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const Answer made, client->try_ask(beat(path, condition, token)));
    if (made.status != 409) {
      return std::unique_ptr<Job>(
          std::make_unique<RunningJob>(std::move(client), path, token, Beat(made.body)));
    }
    AKIN_TRY(const Answer other, client->try_ask({.path = path}));
    if (other.status == 404) {
      condition = is_new;  // another has ended, or was replaced by one that has
      continue;
    }
    const Beat last(other.body);
    if (!seen) seen = last;
    if (last != *seen) break;
    const bool is_left = has_ended(other.body.at("_source").value("token", ""));
    if (is_left || steady_clock::now() - begin >= kEnded) condition = last.condition();
  }
  return Error{Errc::busy, "collection '" + std::string(name) + "'", "it is being rebuilt or compacted",
               "wait until that is done"};
}

}  // namespace akin::opensearch
