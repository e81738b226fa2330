#include "server/http/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <string>

namespace akin::http {

namespace {

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> shared = [] {
    auto existing = spdlog::get("akin");
    return existing ? existing : spdlog::stderr_logger_mt("akin");
  }();
  return *shared;
}

std::string printable(std::string_view target) {
  constexpr std::size_t kShown = 200;
  if (target.empty()) return "-";  // a request that could not be read
  std::string path(target.substr(0, std::min(target.find('?'), kShown)));
  std::ranges::replace_if(
      path, [](char c) { return c < 0x21 || c > 0x7e; }, '?');
  return path;
}

}  // namespace

void log_access(const AccessEntry& entry) {
  const double milliseconds = static_cast<double>(entry.duration.count()) / 1000.0;
  logger().info("{} {} {} {:.1f} ms, {} B in, {} B out, id {}", printable(entry.method),
                printable(entry.target), entry.status, milliseconds, entry.bytes_in, entry.bytes_out,
                entry.id);
}

void log_info(std::string_view message) { logger().info("{}", message); }

void log_warning(std::string_view message) { logger().warn("{}", message); }

}  // namespace akin::http
