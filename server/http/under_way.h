// Requests that are worked on: what ends the work early.
#pragma once

#include <chrono>
#include <stop_token>

#include "server/api/message.h"

namespace akin::http {

struct IoThread;
struct ServerOptions;

enum class GivenUp { no, client_gone, too_long, server_ends };

/// The work on a connection's request. Used on the connection's thread; its token on any.
struct UnderWay {
  std::chrono::steady_clock::time_point until;  ///< when it has taken too long
  std::stop_source stop = {};
  GivenUp given_up = GivenUp::no;

  void give_up(GivenUp reason) noexcept;
};

/// From now on, until nothing is under way on the thread's connections, looks five times a second for those
/// whose client has closed its side, also behind bytes that nobody has read, and for work that takes too
/// long, and stops that work.
void watch_under_way(IoThread& thread);

/// Gives up all that is under way on the thread's connections, because the server ends.
void give_up_all(const IoThread& thread) noexcept;

/// The answer of work that was given up, in place of the error that the handler made of it.
[[nodiscard]] api::Response given_up_answer(GivenUp reason, const ServerOptions& options);

}  // namespace akin::http
