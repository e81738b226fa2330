#include "server/http/log.h"

#include <spdlog/async.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "server/api/write/objects.h"

namespace akin::http {

namespace {

/// Lines that wait to be written; the oldest gives way to another one.
constexpr std::size_t kWaitingLines = 4096;
/// How long the end of the server waits for whatever reads its log.
constexpr auto kLastWait = std::chrono::seconds(1);

constexpr std::array<std::string_view, kPhases> kPhaseNames = {"header", "authorize", "body",
                                                               "queue",  "handler",   "write"};
constexpr std::array<std::string_view, kPhases> kSlowReasons = {
    "the client sent its header slowly", "authorization took long",
    "the client sent its body slowly",   "no worker was free",
    "the work itself took long",         "the client took the answer slowly"};

std::atomic<bool> as_json = false;
std::atomic<std::uint64_t> omitted = 0;  ///< lines for which memory ran out

std::shared_ptr<spdlog::async_logger> make_logger(const std::shared_ptr<spdlog::details::thread_pool>& pool) {
  auto made =
      std::make_shared<spdlog::async_logger>("akin", std::make_shared<spdlog::sinks::stderr_sink_mt>(), pool,
                                             spdlog::async_overflow_policy::overrun_oldest);
  made->set_error_handler([](const std::string&) { ++omitted; });
  std::atexit(flush_log);
  return made;
}

/// The logger, and the thread that writes its lines. Never destroyed: while nothing reads stderr, the thread
/// cannot end.
struct Log {
  std::shared_ptr<spdlog::details::thread_pool> writer =
      std::make_shared<spdlog::details::thread_pool>(kWaitingLines, 1);
  std::shared_ptr<spdlog::async_logger> logger = make_logger(writer);
  std::atomic<std::size_t> reported = 0;  ///< dropped lines that the log has reported

  static Log& shared() {
    static Log* const made = new Log;
    return *made;
  }
};

spdlog::logger& logger() { return *Log::shared().logger; }

std::string printable(std::string_view target) {
  constexpr std::size_t kShown = 200;
  constexpr std::string_view kLinks = "/desk/links/", kSignIn = "/desk/sign-in/";
  if (target.empty()) return "-";  // a request that could not be read
  target = target.substr(0, target.find('?'));
  // What follows is the token that opens a report, or that signs in.
  if (const std::size_t link = target.find(kLinks); link != std::string_view::npos)
    target = target.substr(0, target.find('/', link + kLinks.size()));
  if (const std::size_t link = target.find(kSignIn); link != std::string_view::npos)
    target = target.substr(0, link + kSignIn.size() - 1);
  std::string path(target.substr(0, kShown));
  std::ranges::replace_if(
      path, [](char c) { return c < 0x21 || c > 0x7e || c == '"' || c == '\\'; }, '?');
  return path;
}

double milliseconds(std::chrono::microseconds time) { return static_cast<double>(time.count()) / 1000.0; }

/// The members of the entry's JSON object; printable characters need no escapes.
std::string members(std::string_view event, const AccessEntry& entry) {
  return fmt::format(
      R"("event":"{}","id":"{}","peer":"{}",{}"method":"{}","path":"{}","route":"{}","status":{},"ms":{:.3f},"bytes_in":{},"bytes_out":{})",
      event, entry.id, entry.peer, entry.key.empty() ? "" : fmt::format(R"("key":"{}",)", entry.key),
      printable(entry.method), printable(entry.target), entry.route, entry.status,
      milliseconds(entry.duration), entry.bytes_in, entry.bytes_out);
}

std::string line(const AccessEntry& entry) {
  return fmt::format("{} {} {} {:.1f} ms, {} B in, {} B out, id {}{}{}", printable(entry.method),
                     printable(entry.target), entry.status, milliseconds(entry.duration), entry.bytes_in,
                     entry.bytes_out, entry.id, entry.key.empty() ? "" : ", key ", entry.key);
}

std::string message_member(std::string_view message) {
  return R"("event":"message","message":)" + json::compact(message);
}

/// Unformatted: clients' input must never be used as a format string.
void write(spdlog::level::level_enum level, std::string_view text) {
  logger().log(level, spdlog::string_view_t(text.data(), text.size()));
}

std::string in_format(std::string_view message) {
  return as_json ? message_member(message) : std::string(message);
}

/// Reports how many lines were dropped, once lines are written again.
void report_dropped() {
  Log& log = Log::shared();
  const std::size_t dropped = log.writer->overrun_counter();
  std::size_t reported = log.reported;
  if (dropped == reported || log.writer->queue_size() > kWaitingLines / 2) return;
  if (!log.reported.compare_exchange_strong(reported, dropped)) return;
  write(spdlog::level::warn, in_format(std::to_string(dropped - reported) +
                                       " lines of the log were dropped, since nothing read them"));
}

/// A line is omitted if memory for it runs out: a log must not end what it reports.
template <class Write>
void if_logged(spdlog::level::level_enum level, const Write& write_line) noexcept {
  try {
    if (!logger().should_log(level)) return;
    report_dropped();
    write_line();
  } catch (...) {
    ++omitted;
  }
}

void write_message(spdlog::level::level_enum level, std::string_view message) noexcept {
  if_logged(level, [&] { write(level, in_format(message)); });
}

void write_slow(const AccessEntry& entry) {
  const auto longest = std::ranges::max_element(entry.phases);
  const auto reason = kSlowReasons[static_cast<std::size_t>(longest - entry.phases.begin())];
  std::string phases;
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    if (phase > 0) phases += as_json ? "," : ", ";
    const double taken = milliseconds(entry.phases[phase]);
    phases += as_json ? fmt::format(R"("{}_ms":{:.3f})", kPhaseNames[phase], taken)
                      : fmt::format("{} {:.1f}", kPhaseNames[phase], taken);
  }
  if (as_json) {
    logger().warn(R"({},"slow":"{}",{}{})", members("slow_request", entry), reason, phases,
                  entry.work.empty() ? "" : R"(,"work":)" + json::compact(entry.work));
  } else {
    logger().warn("slow, as {}: {}; ms: {}; route {}{}{}", reason, line(entry), phases, entry.route,
                  entry.work.empty() ? "" : "; ", entry.work);
  }
}

}  // namespace

void configure_log(const LogOptions& options) {
  as_json = options.json;
  logger().set_level(spdlog::level::from_str(options.level));
  if (options.json) {
    logger().set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                         spdlog::pattern_time_type::utc);
  } else {
    logger().set_pattern("[%Y-%m-%dT%H:%M:%S.%e%z] [%l] %v");
  }
}

void log_access(const AccessEntry& entry) noexcept {
  if_logged(spdlog::level::info,
            [&] { write(spdlog::level::info, as_json ? members("request", entry) : line(entry)); });
}

void log_slow(const AccessEntry& entry) noexcept {
  if_logged(spdlog::level::warn, [&] { write_slow(entry); });
}

void log_trouble(const AccessEntry& entry, std::string_view trouble) noexcept {
  // The server did nothing wrong if the client left: alarms look for errors.
  const auto level = entry.status == kClientGone ? spdlog::level::info : spdlog::level::err;
  if_logged(level, [&] {
    write(level,
          in_format(fmt::format("request {} from {}, {} {}: {}: {}", entry.id, entry.peer,
                                printable(entry.method), printable(entry.target), entry.status, trouble)));
  });
}

void log_info(std::string_view message) noexcept { write_message(spdlog::level::info, message); }

void log_warning(std::string_view message) noexcept { write_message(spdlog::level::warn, message); }

void flush_log() noexcept {
  try {
    const auto end = std::chrono::steady_clock::now() + kLastWait;
    // Its turn comes when all lines before it are written.
    logger().flush();
    while (Log::shared().writer->queue_size() > 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } catch (...) {
    ++omitted;
  }
}

std::uint64_t dropped_log_lines() noexcept {
  try {
    return Log::shared().writer->overrun_counter() + omitted;
  } catch (...) {
    return omitted;
  }
}

}  // namespace akin::http
