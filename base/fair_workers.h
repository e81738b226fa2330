// Threads that do the work of clients, a few pieces at a time. A client's work waits for the client's own,
// not for that of others.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/waiting.h"

namespace akin {

/// Clients begin in turns. As many pieces are worked on as there are cores for; those that wait (Waiting) do
/// not count, and go on at once when they have waited. When all places are taken, a client of which nothing
/// has begun within the last tenth of a second may begin a piece at one of a few further places, as long as
/// it holds no more than are free: long work delays short work, of other clients and of its own, by less than
/// that. Threads without a piece do parts of those that share theirs (WorkPlace::share), one after another,
/// as long as no piece may begin. Thread-safe.
class FairWorkers {
 public:
  struct Limits {
    std::size_t working = 1;  ///< pieces
    std::size_t further = 0;  ///< places beside them
    std::size_t waiting = 0;  ///< threads for pieces that wait
  };
  struct Piece {
    std::string client;
    /// What it may have to wait for, for instance a collection: its pieces get another thread only as long
    /// as they have fewer than are free.
    std::string subject = {};
    std::stop_token stop = {};   ///< stop_of_work() while it runs
    std::function<void()> work;  ///< must not throw
  };

  explicit FairWorkers(const Limits& limits);
  FairWorkers(const FairWorkers&) = delete;
  FairWorkers& operator=(const FairWorkers&) = delete;
  /// As stop_and_join.
  ~FairWorkers();

  void add(Piece piece);
  /// Pieces that have not begun are dropped with this object; waits for those that have.
  void stop_and_join() noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  class Place;
  struct Client {
    std::string name;
    std::deque<Piece> pieces = {};  ///< that have not begun
    std::size_t threads = 0;        ///< with its pieces
    std::size_t working = 0;        ///< of these, those that do not wait
    const Place* newest = nullptr;  ///< the last that began, while it works
  };
  using Clients = std::list<Client>;
  struct Subject {
    std::size_t pieces = 0, threads = 0;
  };
  /// Work that a piece shares.
  struct Shared {
    const std::function<bool()>& part;
    const Clients::iterator client;
    const std::stop_token& stop;
    std::size_t helpers = 0;         ///< other threads with a part of it
    std::condition_variable left{};  ///< there are none any more
  };
  struct Next {
    Clients::iterator client;
    std::deque<Piece>::iterator piece;
  };

  // All of these require the mutex.
  [[nodiscard]] bool may_begin(const Client& client, Clock::time_point now) const noexcept;
  [[nodiscard]] std::optional<Next> find_next() noexcept;
  void begin_work(Place& place) noexcept;
  void end_work(const Place& place) noexcept;
  void forget_if_absent(Clients::iterator client) noexcept;
  /// Starts a thread if there are too few for the pieces that may begin.
  void provide_thread() noexcept;
  void do_piece(std::unique_lock<std::mutex>& lock, const Next& next) noexcept;
  /// Lets other threads do parts of it until it is taken out of shared_.
  void offer(Shared& shared) noexcept;
  void do_part(std::unique_lock<std::mutex>& lock, Shared& shared) noexcept;

  void run() noexcept;

  const Limits limits_;
  const std::size_t most_threads_;
  std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  Clients clients_;  ///< those that have pieces, in the order of their turns
  std::map<std::string, Subject> subjects_;
  std::vector<Shared*> shared_;  ///< of which parts are left
  std::size_t queued_ = 0;       ///< pieces that have not begun
  std::size_t working_ = 0;      ///< those that have, and do not wait
  std::size_t occupied_ = 0;     ///< threads with a piece or a part of one
  bool watched_ = false;         ///< a thread looks again soon for pieces that may begin by then
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace akin
