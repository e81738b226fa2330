// Writes log lines to stderr, many in one write: a write for each would cost as much as a small request. It
// never waits for whatever reads them: a stopped reader of a pipe must not stop the server.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace akin::http {

/// Buffers lines, and writes as many bytes as the descriptor takes without waiting, when it is flushed and
/// when 32 KiB have gathered. Lines that find 1 MiB waiting are dropped and counted.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// Makes the message about dropped lines, which is written once there is room again.
  using Describe = std::function<std::string(std::uint64_t lines)>;

  /// Does not own `descriptor`.
  StderrSink(int descriptor, Describe describe);
  ~StderrSink() override;

  /// Waits up to `patience` until everything is written.
  void drain(std::chrono::milliseconds patience);

  /// Lines dropped so far. Any thread.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;

 private:
  void write_what_fits(std::chrono::milliseconds patience);
  void report_dropped();

  const int descriptor_;
  const Describe describe_;
  std::string held_;
  std::uint64_t unreported_ = 0;  ///< dropped lines that no line has reported
  std::atomic<std::uint64_t> dropped_ = 0;
  std::size_t piece_bytes_ = 0;  ///< of one write, which does not wait once poll has found room
  bool is_socket_ = false;
};

}  // namespace akin::http
