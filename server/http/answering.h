// How a request whose body has arrived gets its answer.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/http/served_request.h"

namespace akin::http {

/// A connection, with what it shares with others.
struct Answering {
  Shared& shared;
  IoThread& thread;
  Channel& channel;
  Connection& connection;
};

/// Runs the handler of `served.request`: at once, on the thread for probes, or on a worker when it is the
/// client's turn. A worker's work is given up as UnderWay says.
[[nodiscard]] boost::asio::awaitable<api::Response> make_answer(Answering on, ServedRequest& served);

/// What the request may have to wait for: its method and path, with the collection.
[[nodiscard]] std::string subject_of(const api::Request& request);

/// A transfer of this connection, which ends like one that has exceeded its time.
[[nodiscard]] FairPart::Transfer transfer_of(Channel& channel);

/// Counted refusals.
[[nodiscard]] api::Response busy(const char* reason);
[[nodiscard]] api::Response queue_full(Shared& shared);

}  // namespace akin::http
