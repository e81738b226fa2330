// Writes log lines to stderr, many in one write: a write for each would cost as much as a small request.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <memory>
#include <mutex>

namespace akin::http {

/// Buffers lines until flushed, at most 32 KiB.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  ~StderrSink() override;

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;

 private:
  spdlog::memory_buf_t held_;
};

}  // namespace akin::http
