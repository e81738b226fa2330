// Sends events to their webhooks, and retries until they are acknowledged. The journal stores the pending
// events; this object only schedules them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/outbound/sender.h"
#include "server/watch/journal.h"
#include "server/watch/leadership.h"

namespace akin::watch {

struct DeliveryOptions {
  SendOptions send;
  /// The waits after each failed attempt; after the last of them an event is given up.
  std::vector<std::chrono::milliseconds> retries = {
      std::chrono::seconds(5), std::chrono::minutes(1), std::chrono::minutes(5), std::chrono::minutes(30),
      std::chrono::hours(2),   std::chrono::hours(6),   std::chrono::hours(12),  std::chrono::hours(24)};
  double jitter = 0.2;  ///< each wait is longer or shorter by a random share of up to this
  /// Exchanges at once with one receiver, which is a scheme, a host and a port; fewer if so many receivers
  /// are sent to that each gets less of the total.
  std::size_t per_host = 4;
  std::size_t at_once = 64;               ///< in total; half of it for those that are slow
  std::chrono::milliseconds slow{2'000};  ///< a receiver is, if its last exchange took longer
};

/// Attempts since the start of this server, by what came of them. Any thread.
struct DeliveryCounts {
  std::atomic<std::uint64_t> delivered = 0;
  std::atomic<std::uint64_t> failed = 0;    ///< to be repeated
  std::atomic<std::uint64_t> given_up = 0;  ///< the event's last attempt failed, or none was possible
};

/// Works while this server is the leader; each term begins with the pending events of the journal. Members
/// may be called from any number of threads.
class Deliveries {
 public:
  /// `leadership` outlives it. Error: as Sender::open.
  [[nodiscard]] static Result<std::unique_ptr<Deliveries>> open(std::shared_ptr<Journal> journal,
                                                                const DeliveryOptions& options,
                                                                const Leadership& leadership);
  Deliveries(const Deliveries&) = delete;
  Deliveries& operator=(const Deliveries&) = delete;
  /// Cancels the exchanges under way, whose events stay pending, and returns within moments.
  ~Deliveries();

  /// Sends this pending event when it is due, if this server is the leader.
  void add(const Journal::Place& place, Time when);
  [[nodiscard]] const DeliveryCounts& counts() const noexcept { return counts_; }

 private:
  using Place = Journal::Place;
  struct Attempt;
  struct Receiver;

  Deliveries(std::shared_ptr<Journal> journal, const DeliveryOptions& options, std::unique_ptr<Sender> sender,
             const Leadership& leadership);
  void work(const std::stop_token& ended);
  void note_term(const std::stop_token& ended);
  [[nodiscard]] bool asked_again();
  void load_pending(const std::stop_token& ended);
  void take_new();
  void take_due(Time now);
  void begin_waiting();
  [[nodiscard]] Receiver* next_receiver();
  void begin(const Place& place);
  void finish(std::uint64_t ticket, const Answer& answer);
  void count(const Delivery& delivery);
  void record(const Place& place, const Delivery& delivery);
  void give_up(const Event& event, const std::string& why);
  [[nodiscard]] std::chrono::milliseconds patience(Time now) const;
  [[nodiscard]] Time after_failure(std::uint64_t attempts, Time now);

  const std::shared_ptr<Journal> journal_;
  const DeliveryOptions options_;
  const std::unique_ptr<Sender> sender_;
  const Leadership& leadership_;
  DeliveryCounts counts_;
  std::mutex mutex_;
  std::vector<std::pair<Time, Place>> new_;  // guarded by mutex_

  // Used by the thread only.
  std::uint64_t term_ = 0;     ///< the term of the events below
  std::uint64_t retries_ = 0;  ///< Journal::retries when they were read
  bool load_again_ = false;    ///< events may have been lost
  std::chrono::steady_clock::time_point asked_;
  std::multimap<Time, Place> later_;
  std::map<std::string, Receiver> receivers_;
  std::size_t slow_running_ = 0;               ///< exchanges with slow receivers
  std::map<std::uint64_t, Attempt> attempts_;  ///< by ticket
  std::uint64_t next_ticket_ = 0, turns_ = 0;
  std::mt19937 random_{std::random_device{}()};

  std::jthread thread_;  // last: it uses all of the others
};

}  // namespace akin::watch
