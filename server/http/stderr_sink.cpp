#include "server/http/stderr_sink.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace akin::http {

namespace {

constexpr std::size_t kHeldBytes = std::size_t{32} << 10U;

}  // namespace

StderrSink::~StderrSink() { StderrSink::flush_(); }

void StderrSink::sink_it_(const spdlog::details::log_msg& message) {
  formatter_->format(message, held_);
  if (held_.size() >= kHeldBytes) flush_();
}

void StderrSink::flush_() {
  const char* at = held_.data();
  std::size_t left = held_.size();
  while (left > 0) {
    const ssize_t written = ::write(STDERR_FILENO, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;  // nobody reads it
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  held_.clear();
}

}  // namespace akin::http
