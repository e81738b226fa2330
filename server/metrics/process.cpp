#include "server/metrics/process.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "base/folders.h"

namespace akin::metrics {

namespace {

/// Unix time of the start of the process, from the clock ticks in /proc/self/stat.
std::optional<double> start_time() {
  std::ifstream stat("/proc/self/stat");
  std::string text;
  std::getline(stat, text);
  // The second field is the program's name in brackets, and may contain anything.
  const auto bracket = text.rfind(')');
  if (bracket == std::string::npos) return std::nullopt;
  constexpr int kFieldsBetween = 20;
  std::size_t at = bracket + 1;
  for (int field = 0; field < kFieldsBetween; ++field) {
    at = text.find(' ', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  std::ifstream uptime("/proc/uptime");
  double up = 0;
  if (!(uptime >> up)) return std::nullopt;
  const double ticks = std::strtod(text.c_str() + at, nullptr);
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return now - up + ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

void append_process(std::vector<prometheus::MetricFamily>& families) {
  const auto add = [&](const char* name, const char* help, double value) {
    families.push_back(gauge_family(name, help));
    families.back().metric.push_back(gauge(value, {}));
  };
  static const std::optional<double> started = start_time();
  if (started) add("process_start_time_seconds", "Unix time at which the process began.", *started);

  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    families.push_back(counter_family("process_cpu_seconds_total", "Processor time used."));
    families.back().metric.push_back(counter(seconds(usage.ru_utime) + seconds(usage.ru_stime), {}));
  }
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0, resident = 0;
  if (statm >> pages >> resident) {
    const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    add("process_virtual_memory_bytes", "Address space, with files that are mapped.",
        static_cast<double>(pages) * page);
    add("process_resident_memory_bytes", "Memory in use, with pages of files that are mapped.",
        static_cast<double>(resident) * page);
  }
  if (const auto files = entry_names("/proc/self/fd"); files.has_value())
    add("process_open_fds", "Open files and sockets.", static_cast<double>(files->size()));
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    add("process_max_fds", "How many there may be.", static_cast<double>(limit.rlim_cur));
}

}  // namespace akin::metrics
