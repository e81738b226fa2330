// Waiting for the server: others work meanwhile, and a server that does not answer does not keep a request.
#include "base/waiting.h"

#include <libpq-fe.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "index/pg/client/connection.h"

namespace akin::pg {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How often a wait looks whether its work was stopped.
constexpr milliseconds kPause(100);
/// Most statements are answered by then: others need not begin to work meanwhile.
constexpr milliseconds kShort(2);

}  // namespace

bool Connection::await_bytes(bool has_more_to_send, milliseconds patience) {
  pollfd socket{PQsocket(connection_), static_cast<short>(has_more_to_send ? POLLIN | POLLOUT : POLLIN), 0};
  return ::poll(&socket, 1, static_cast<int>(patience.count())) != 0;
}

bool Connection::await_answer(Await what, milliseconds patience) {
  if (!broken_off_.empty()) return false;
  const auto step = [&](milliseconds at_most) -> std::optional<bool> {
    const int unsent = PQflush(connection_);
    if (unsent < 0 || (unsent == 0 && (what == Await::sent || PQisBusy(connection_) == 0))) return true;
    if (!await_bytes(unsent > 0, at_most)) return std::nullopt;
    // A broken connection has its error as its answer.
    if (PQconsumeInput(connection_) == 0) return true;
    return false;
  };
  auto progress = steady_clock::now();
  for (auto result = step(kShort); result; result = step(kShort)) {
    if (*result) return true;
  }
  const Waiting waiting;
  const std::stop_token& stop = stop_of_work();
  for (;;) {
    if (const auto result = step(kPause)) {
      if (*result) return true;
      progress = steady_clock::now();
      continue;
    }
    const auto waited = steady_clock::now() - progress;
    if (stop.stop_requested()) {
      break_off("the request that it works for was given up");
    } else if (patience.count() > 0 && waited >= patience) {
      break_off("it has not answered for " +
                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(waited).count()) + " s");
    } else {
      continue;
    }
    return false;
  }
}

milliseconds Connection::request_patience() {
  return stop_of_work().stop_possible() ? kRequestPatience : milliseconds(0);
}

void Connection::break_off(std::string reason) {
  broken_off_ = std::move(reason);
  ::shutdown(PQsocket(connection_), SHUT_RDWR);
  static_cast<void>(PQconsumeInput(connection_));
}

bool Connection::await_sent() { return await_answer(Await::sent, request_patience()); }

Rows Connection::next_rows() {
  return Rows(await_answer(Await::result, request_patience()) ? PQgetResult(connection_) : nullptr);
}

/// The last answer to what was sent, as PQexec gives it.
Rows Connection::last_rows(int sent) {
  Rows last(nullptr);
  if (sent == 0) return last;
  for (;;) {
    Rows rows = next_rows();
    if (rows.raw() == nullptr) return last;
    const bool copies = PQresultStatus(rows.raw()) == PGRES_COPY_IN;
    last = std::move(rows);
    if (copies || !is_sound()) return last;
  }
}

bool Connection::answers_within(milliseconds patience) {
  if (PQsendQuery(connection_, "SELECT") == 0) return false;
  while (await_answer(Await::result, patience)) {
    const Rows rows(PQgetResult(connection_));
    if (rows.raw() == nullptr) return is_sound();
  }
  return false;
}

}  // namespace akin::pg
