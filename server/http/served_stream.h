// One request whose body is processed as it arrives, while its answer is sent.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>

#include "server/http/channel.h"
#include "server/http/session.h"

namespace akin::http {

struct StreamResult {
  int status = 0;
  bool keep_open = false;  ///< the whole body was read and the whole answer sent
  bool linger = false;     ///< the answer was sent, but the client may still be sending
  std::uint64_t bytes_in = 0, bytes_out = 0;
  std::string trouble = {};  ///< Response::trouble
};

/// A request whose header `parser` has read, with its place among Shared::streams.
struct StreamRequest {
  const api::Request& head;
  Parser& parser;
  FairPart& place;
};

/// Runs the stream of a request.
[[nodiscard]] boost::asio::awaitable<StreamResult> run_stream(Shared& shared, Channel& channel,
                                                              Connection& connection, StreamRequest request);

}  // namespace akin::http
