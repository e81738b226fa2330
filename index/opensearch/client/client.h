// Requests to a cluster of OpenSearch or Elasticsearch over HTTP.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/opensearch/client/address.h"

namespace akin::opensearch {

using Json = nlohmann::json;

/// Lines of more bytes are sent in several requests. One document may have 22 MB more; a node refuses 100 MB
/// by default, and what is longer than a tenth of its heap.
inline constexpr std::size_t kRequestBytes = std::size_t{3} << 20U;

/// How long the engine waits for copies that a write needs and that are not there: a parameter of its path.
inline constexpr const char* kWriteWait = "timeout=10s";

/// How long a job waits for a cluster that takes no change: a node may come back, or others replace it.
inline constexpr std::chrono::seconds kJobPatience(90);

struct Request {
  std::string method = "GET";
  std::string path = {};  ///< with its parameters: "/akin-catalog/_doc/c:books?refresh=true"
  std::string body = {};  ///< JSON, or lines of it
  /// Whether it must not be made twice, nor be given up with the work that it is for: it is repeated only if
  /// it has certainly had no effect.
  bool is_change = false;
};

struct Answer {
  int status = 0;
  Json body;
};

enum class Product { opensearch, elasticsearch };

/// Any number of threads may use it; each waits for its own answer, and others work meanwhile. Errors of all
/// members: unavailable (no node answers, the cluster is overloaded, or a shard is missing), timed out
/// requests included; busy (the work was stopped); disk_full (the flood stage); io (access refused).
class Client {
 public:
  /// Connects. Error also: unsupported (a version that akin was not made for).
  [[nodiscard]] static Result<std::shared_ptr<Client>> open(const Address& address);
  /// One of its own for a job of many steps: kJobPatience after the first of its requests that fails, all
  /// others fail at once, unless the catalog has taken a change of the job meanwhile.
  [[nodiscard]] std::shared_ptr<Client> for_job() const;
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The answer with a status of 2xx. Error also: not_found, too_large, internal.
  [[nodiscard]] Result<Json> ask(const Request& request);
  /// The same; 404 (nothing there) and 409 (changed meanwhile) are answers too.
  [[nodiscard]] Result<Answer> try_ask(const Request& request);
  /// Searches an index as it is now, and makes sure that every shard has answered.
  [[nodiscard]] Result<Json> search(const std::string& index, const Json& body);

  [[nodiscard]] const std::string& prefix() const noexcept { return address_.prefix; }
  [[nodiscard]] Product product() const noexcept { return product_; }
  /// Requests sent by this process.
  [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Transfer;
  explicit Client(Address address) noexcept;
  [[nodiscard]] Result<Answer> send(const Request& request);
  /// How long a request may take; 0: it fails at once.
  [[nodiscard]] std::chrono::milliseconds rest() const noexcept;
  [[nodiscard]] std::unique_ptr<Transfer> take();

  Address address_;
  Product product_ = Product::opensearch;
  bool is_for_job_ = false;
  /// When the first request began that has failed since the last change of the catalog; max: none.
  std::atomic<Clock::time_point> failing_since_ = Clock::time_point::max();
  std::atomic<std::uint64_t> requests_ = 0;
  std::atomic<std::size_t> node_ = 0;  ///< the one that is asked
  std::mutex mutex_;                   ///< guards idle_
  std::vector<std::unique_ptr<Transfer>> idle_;
};

/// Whether the same request may succeed in a moment: the cluster is overloaded, looks for a new master, or
/// moves a shard.
[[nodiscard]] bool is_passing(const Answer& answer);
/// What an answer means to akin whose status is not 2xx: the errors of Client::ask.
[[nodiscard]] Error error_of(const Answer& answer);
/// No node answers.
[[nodiscard]] Error no_answer(std::string reason);
/// Whether all shards have answered, and in time: an engine that lacks one would give a part of the answer.
/// Error: unavailable.
[[nodiscard]] Result<void> check_shards(const Json& answer);

}  // namespace akin::opensearch
