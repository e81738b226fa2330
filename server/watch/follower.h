// The thread that matches each new document of the watched collections against their watches.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/watch/arrivals.h"
#include "server/watch/journal.h"
#include "server/watch/leadership.h"
#include "server/watch/percolator.h"

namespace akin::watch {

struct FollowOptions {
  std::chrono::milliseconds poll{1'000};   ///< how often it polls without being woken
  std::chrono::milliseconds pause{20};     ///< between two steps that are not full: writes share them
  std::chrono::milliseconds trim{60'000};  ///< how often old events are trimmed
  std::size_t step_documents = 256;
  std::uint64_t memory = std::uint64_t{512} << 20U;  ///< for the watches of all collections
  std::size_t step_text = std::size_t{4} << 20U;     ///< bytes of watches' texts that one step analyses
  Retention retention;
};

/// Follows while this server is the leader, from the positions in the journal, so it sees what other
/// processes write and what was written before a crash. A step's events and the new position are written in
/// one transaction. Members may be called from any number of threads.
class Follower {
 public:
  /// Called for each event to deliver.
  using Deliver = std::function<void(const Journal::Place&, Time when)>;

  /// `leadership` outlives it, and nothing else calls its keep().
  Follower(std::shared_ptr<Journal> journal, OpenArrivals open, const FollowOptions& options, Deliver deliver,
           Leadership& leadership);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  /// Call after a write: the next step follows soon.
  void wake() noexcept;
  /// The error that prevents this server from following the collection, until it recovers.
  [[nodiscard]] std::optional<Error> trouble(const std::string& collection) const;

 private:
  struct Standing;
  struct Followed;

  void work(const std::stop_token& ended);
  [[nodiscard]] bool is_leader();
  [[nodiscard]] bool step_all(const std::stop_token& ended);
  [[nodiscard]] Result<bool> step(const std::string& collection);
  [[nodiscard]] Result<bool> has_work(const std::string& collection, const Arrivals& arrivals) const;
  [[nodiscard]] Result<void> check_memory(const std::string& collection);
  [[nodiscard]] Result<bool> load(Followed& followed, const std::string& collection,
                                  const Arrivals& arrivals);
  static void add_queries(Followed& followed, const Standing& standing, const Arrivals& arrivals,
                          std::vector<StandingQuery>& queries);
  template <class Wants>
  [[nodiscard]] Result<void> add_events(Step& step, Followed& followed, const Arrivals& arrivals,
                                        const Arrival& arrival, const Wants& wants) const;
  [[nodiscard]] Result<bool> follow(Followed& followed, const std::string& collection,
                                    const Arrivals& arrivals);
  [[nodiscard]] Result<bool> catch_up(Followed& followed, const std::string& collection,
                                      const Arrivals& arrivals);
  [[nodiscard]] Result<bool> write(Step& step);
  void trim_all();
  void note(const std::string& collection, const Result<bool>& outcome);

  const std::shared_ptr<Journal> journal_;
  const OpenArrivals open_;
  const FollowOptions options_;
  const Deliver deliver_;
  Leadership& leadership_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool woken_ = true;                     // guarded by mutex_
  std::map<std::string, Error> trouble_;  // guarded by mutex_
  // Used by the thread only.
  std::uint64_t term_ = 0;  ///< in which `followed_` was read
  std::map<std::string, Followed> followed_;
  std::jthread thread_;  // last: it uses all of the others
};

}  // namespace akin::watch
