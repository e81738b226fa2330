#include "index/opensearch/catalog/job.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/time.h"
#include "index/opensearch/documents/layout.h"

namespace akin::opensearch {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr seconds kBeat(10);
constexpr seconds kEnded(120);

std::string beat() { return Json{{"kind", "job"}, {"beat", time_now().time_since_epoch().count()}}.dump(); }

class RunningJob final : public Job {
 public:
  RunningJob(std::shared_ptr<Client> client, std::string path)
      : client_(std::move(client)), path_(std::move(path)), thread_([this](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          // A beat that fails is made up for by the next.
          while (!wake_.wait_for(lock, stop, kBeat, [&] { return stop.stop_requested(); }))
            static_cast<void>(client_->ask({.method = "PUT", .path = path_, .body = beat()}));
        }) {}
  ~RunningJob() override {
    thread_.request_stop();
    thread_.join();
    // If that fails, others wait until it counts as ended.
    static_cast<void>(client_->try_ask({.method = "DELETE", .path = path_, .must_finish = true}));
  }
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

 private:
  std::shared_ptr<Client> client_;
  std::string path_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace

Result<std::unique_ptr<Job>> begin_job(std::shared_ptr<Client> client, std::string_view name) {
  const std::string path = catalog_path(*client, "j:" + std::string(name));
  std::string condition = "?op_type=create";
  for (int attempt = 0; attempt < 2; ++attempt) {
    AKIN_TRY(const Answer made, client->try_ask({.method = "PUT",
                                                 .path = path + condition,
                                                 .body = beat(),
                                                 .repeatable = false,
                                                 .must_finish = true}));
    if (made.status != 409)
      return std::unique_ptr<Job>(std::make_unique<RunningJob>(std::move(client), path));
    AKIN_TRY(const Answer other, client->try_ask({.path = path}));
    if (other.status == 404) continue;
    const microseconds last(other.body.at("_source").value("beat", std::int64_t{0}));
    if (time_now().time_since_epoch() - last < kEnded) break;
    condition = "?if_seq_no=" + std::to_string(other.body.at("_seq_no").get<std::int64_t>()) +
                "&if_primary_term=" + std::to_string(other.body.at("_primary_term").get<std::int64_t>());
  }
  return Error{Errc::busy, "collection '" + std::string(name) + "'", "it is being rebuilt or compacted",
               "wait until that is done"};
}

}  // namespace akin::opensearch
