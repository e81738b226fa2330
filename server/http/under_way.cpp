#include "server/http/under_way.h"

#include <poll.h>

#include <string>

#include "server/http/log.h"
#include "server/http/session.h"

namespace akin::http {

namespace {

constexpr auto kPause = std::chrono::milliseconds(200);

bool has_gone(Wire& wire) noexcept {
  pollfd socket{wire.socket().native_handle(), POLLRDHUP, 0};
  return ::poll(&socket, 1, 0) == 1;
}

}  // namespace

void UnderWay::give_up(GivenUp reason) noexcept {
  if (given_up != GivenUp::no) return;
  given_up = reason;
  stop.request_stop();
}

void watch_under_way(IoThread& thread) {
  if (thread.looks) return;
  thread.look.expires_after(kPause);
  thread.look.async_wait([&thread](const boost::system::error_code& cancelled) {
    thread.looks = false;
    if (cancelled) return;
    bool more = false;
    const auto now = std::chrono::steady_clock::now();
    for (Connection* const connection : thread.open) {
      UnderWay* const work = connection->work;
      if (work == nullptr || work->given_up != GivenUp::no) continue;
      if (has_gone(*connection->wire)) {
        work->give_up(GivenUp::client_gone);
      } else if (now >= work->until) {
        work->give_up(GivenUp::too_long);
      } else {
        more = true;
      }
    }
    if (more) watch_under_way(thread);
  });
  thread.looks = true;
}

void give_up_all(const IoThread& thread) noexcept {
  for (const Connection* const connection : thread.open) {
    if (connection->work != nullptr) connection->work->give_up(GivenUp::server_ends);
    if (connection->stream != nullptr) connection->stream->stop();
  }
}

api::Response given_up_answer(GivenUp reason, const ServerOptions& options) {
  switch (reason) {
    case GivenUp::too_long: {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options.request_timeout).count();
      return api::error_response(Error{Errc::busy, "request",
                                       "it took longer than the " + std::to_string(seconds) + " s allowed",
                                       "ask for less at once, or have --request-timeout raised"});
    }
    case GivenUp::server_ends:
      return api::error_response(
          Error{Errc::busy, "server", "it is stopping", "send the request again in a moment"});
    case GivenUp::client_gone:
    case GivenUp::no:
      break;
  }
  auto response = api::error_response(
      Error{Errc::busy, "request", "its connection was closed before the answer", "keep it open until then"});
  response.status = kClientGone;  // nobody reads it but the log
  return response;
}

}  // namespace akin::http
