#include "server/http/log.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "server/api/objects.h"
#include "server/http/stderr_sink.h"

namespace akin::http {

namespace {

constexpr auto kHeldFor = std::chrono::seconds(1);
/// How long the end of the server waits for whatever reads its log.
constexpr auto kLastWait = std::chrono::seconds(1);

constexpr std::array<std::string_view, kPhases> kPhaseNames = {"header", "admit",   "body",
                                                               "queue",  "handler", "write"};
constexpr std::array<std::string_view, kPhases> kSlowReasons = {
    "the client sent its header slowly", "admission took long",
    "the client sent its body slowly",   "no worker was free",
    "the work itself took long",         "the client took the answer slowly"};

std::atomic<bool> as_json = false;
std::atomic<std::uint64_t> omitted = 0;  ///< lines for which memory ran out

std::string dropped_message(std::uint64_t lines) {
  const std::string text = std::to_string(lines) + " lines of the log were dropped, since nothing read them";
  return as_json ? R"("event":"message","message":")" + text + '"' : text;
}

/// Never destroyed: spdlog's thread may flush it while the process ends.
StderrSink& sink() {
  static StderrSink* const shared = [] {
    auto* const made = new StderrSink(STDERR_FILENO, dropped_message);
    std::atexit([] { sink().flush(); });
    return made;
  }();
  return *shared;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> shared = [] {
    auto made = std::make_shared<spdlog::logger>("akin", std::shared_ptr<StderrSink>(&sink(), [](auto*) {}));
    spdlog::initialize_logger(made);
    made->flush_on(spdlog::level::warn);
    spdlog::flush_every(kHeldFor);
    return made;
  }();
  return *shared;
}

std::string printable(std::string_view target) {
  constexpr std::size_t kShown = 200;
  if (target.empty()) return "-";  // a request that could not be read
  std::string path(target.substr(0, std::min(target.find('?'), kShown)));
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

/// A line is omitted if memory for it runs out: a log must not end what it reports.
template <class Write>
void if_possible(const Write& write_line) noexcept {
  try {
    write_line();
  } catch (...) {
    ++omitted;
  }
}

void write_message(spdlog::level::level_enum level, std::string_view message) noexcept {
  if_possible([&] {
    if (!logger().should_log(level)) return;
    write(level, as_json ? message_member(message) : std::string(message));
  });
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
    logger().warn(R"({},"slow":"{}",{})", members("slow_request", entry), reason, phases);
  } else {
    logger().warn("slow, as {}: {}; ms: {}; route {}", reason, line(entry), phases, entry.route);
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
    logger().set_pattern("[%Y-%m-%d %H:%M:%S.%e] [%l] %v");
  }
}

void log_access(const AccessEntry& entry) noexcept {
  if_possible([&] {
    if (logger().should_log(spdlog::level::info))
      write(spdlog::level::info, as_json ? members("request", entry) : line(entry));
  });
}

void log_slow(const AccessEntry& entry) noexcept {
  if_possible([&] {
    if (logger().should_log(spdlog::level::warn)) write_slow(entry);
  });
}

void log_trouble(const AccessEntry& entry, std::string_view trouble) noexcept {
  if_possible([&] { log_warning("request " + std::string(entry.id) + ": " + std::string(trouble)); });
}

void log_info(std::string_view message) noexcept { write_message(spdlog::level::info, message); }

void log_warning(std::string_view message) noexcept { write_message(spdlog::level::warn, message); }

void flush_log() noexcept {
  if_possible([] { sink().drain(kLastWait); });
}

std::uint64_t dropped_log_lines() noexcept { return sink().dropped() + omitted; }

}  // namespace akin::http
