#include "server/http/stderr_sink.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <utility>

namespace akin::http {

namespace {

constexpr std::size_t kHeldBytes = std::size_t{32} << 10U;
constexpr std::size_t kMostHeldBytes = std::size_t{1} << 20U;

bool has_room(int descriptor, std::chrono::milliseconds patience) {
  pollfd wanted{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return ::poll(&wanted, 1, static_cast<int>(patience.count())) > 0;  // an error shows when it is written to
}

}  // namespace

StderrSink::StderrSink(int descriptor, Describe describe)
    : descriptor_(descriptor), describe_(std::move(describe)) {
  struct stat status = {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  is_socket_ = known && S_ISSOCK(status.st_mode);
  // A pipe with room takes this much (pipe(7)).
  piece_bytes_ = known && S_ISREG(status.st_mode) ? kMostHeldBytes : PIPE_BUF;
}

StderrSink::~StderrSink() { write_what_fits(std::chrono::milliseconds(0)); }

void StderrSink::drain(std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  write_what_fits(patience);
}

void StderrSink::sink_it_(const spdlog::details::log_msg& message) {
  if (held_.size() >= kMostHeldBytes) write_what_fits(std::chrono::milliseconds(0));
  if (held_.size() >= kMostHeldBytes) {
    ++dropped_;
    ++unreported_;
    return;
  }
  report_dropped();
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  const std::size_t before = held_.size();
  held_.append(line.data(), line.size());
  // Another attempt for each 32 KiB, not for each line: a pipe without a reader has to be asked each time.
  if (before / kHeldBytes != held_.size() / kHeldBytes) write_what_fits(std::chrono::milliseconds(0));
}

void StderrSink::flush_() { write_what_fits(std::chrono::milliseconds(0)); }

void StderrSink::report_dropped() {
  if (unreported_ == 0) return;
  const std::string text = describe_(std::exchange(unreported_, 0));
  spdlog::memory_buf_t line;
  formatter_->format({"akin", spdlog::level::warn, text}, line);
  held_.append(line.data(), line.size());
}

void StderrSink::write_what_fits(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::size_t at = 0;
  while (at < held_.size()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (!has_room(descriptor_, std::max(left, std::chrono::milliseconds(0)))) break;
    const std::size_t bytes = std::min(held_.size() - at, piece_bytes_);
    const ssize_t written = is_socket_ ? ::send(descriptor_, held_.data() + at, bytes, MSG_DONTWAIT)
                                       : ::write(descriptor_, held_.data() + at, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (written <= 0) {  // nobody can ever read it
      held_.clear();
      return;
    }
    at += static_cast<std::size_t>(written);
  }
  held_.erase(0, at);
}

}  // namespace akin::http
