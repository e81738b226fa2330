// One request during a session, and what it holds of what all sessions share.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/channel.h"
#include "server/http/log.h"
#include "server/http/piece_body.h"
#include "server/http/session.h"

namespace akin::http {

/// Counts what moves on a channel for a share, which may be cut off meanwhile.
class Counting {
 public:
  Counting(Channel& channel, FairPart& part) : channel_(channel), part_(part) {
    channel_.count_for(&part_);
    part_.begin_transfer();
  }
  ~Counting() {
    part_.end_transfer();
    channel_.count_for(nullptr);
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 private:
  Channel& channel_;
  FairPart& part_;
};

/// One request during a session.
struct ServedRequest {
  explicit ServedRequest(Shared& shared) : in_flight(shared.metrics->load().in_flight) {}

  /// Adds the time since the last call to `phase`.
  void passed(Phase phase, Clock::duration elsewhere = {}) {
    const auto now = Clock::now();
    phases[static_cast<std::size_t>(phase)] += now - since - elsewhere;
    since = now;
  }

  metrics::Counted in_flight;

  const Clock::time_point start = Clock::now();
  Clock::time_point since = start;
  std::array<Clock::duration, kPhases> phases{};
  Parser parser;
  api::Request request;
  std::optional<FairPart> body, answer;  ///< of the memory, while it is in use
  std::optional<api::Response> response;
  std::string_view route;  ///< for log and metrics; empty after a Refusal
  std::size_t bytes_in = 0, bytes_out = 0;
};

}  // namespace akin::http
