// One request whose body is worked on while it arrives, and whose answer goes out meanwhile.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "server/http/channel.h"
#include "server/http/session.h"

namespace akin::http {

struct StreamResult {
  int status = 0;
  bool keep_open = false;  ///< the body was read whole and the answer sent whole
  bool linger = false;     ///< the answer was sent, but the client may still be sending
  std::uint64_t bytes_in = 0, bytes_out = 0;
};

/// Runs the stream that `request` asks for, whose header `parser` has read. The caller holds a place among
/// Shared::streams.
[[nodiscard]] boost::asio::awaitable<StreamResult> run_stream(Shared& shared, Channel& channel,
                                                              Connection& connection, Parser& parser,
                                                              const api::Request& request);

}  // namespace akin::http
