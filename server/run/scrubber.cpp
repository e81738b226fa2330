#include "server/run/scrubber.h"

#include <algorithm>
#include <utility>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "base/time.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

/// Findings of one pass that are logged one by one.
constexpr std::uint64_t kMostLogged = 10;

}  // namespace

Scrubber::Scrubber(const Service& service, Options options)
    : service_(service), options_(std::move(options)), thread_([this](const std::stop_token& stop) {
        if (options_.bytes_per_second > 0) run(stop);
      }) {}

bool Scrubber::wait(const std::stop_token& stop, std::chrono::microseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

void Scrubber::run(const std::stop_token& stop) {
  while (wait(stop, options_.pause)) {
    // After an error the next look tries again.
    note_failure_of(Round::scrub, without_exceptions([&] { return scrub_all(stop); }));
  }
}

Result<void> Scrubber::scrub_all(const std::stop_token& stop) {
  std::unique_ptr<state::Lease> lease;
  if (service_.state != nullptr) {
    AKIN_TRY(lease, service_.state->try_lease("scrub"));
    if (lease == nullptr) return {};
  }
  AKIN_TRY(const auto names, service_.catalog->list());
  for (const std::string& name : names) {
    if (stop.stop_requested()) return {};
    const auto last = service_.catalog->last_scrub(name);
    if (!last || *last->ended + options_.period <= time_now()) scrub(name, stop);
  }
  return {};
}

void Scrubber::scrub(const std::string& name, const std::stop_token& stop) {
  std::uint64_t found = 0;
  const ScrubControl control{
      .pace =
          [&](std::uint64_t bytes) {
            const double seconds =
                static_cast<double>(bytes) / static_cast<double>(options_.bytes_per_second);
            return wait(stop, std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6)));
          },
      .report =
          [&](const Finding& finding) {
            if (++found <= kMostLogged)
              options_.warn("collection " + json::in_quotes(name) + " is damaged: " + finding.where + ": " +
                            finding.broken);
          }};
  const auto pass = service_.catalog->scrub(name, control);
  note_failure_of(Round::scrub, pass);
  if (pass.has_error() || !*pass || (*pass)->findings == 0) return;
  options_.warn("the scrub of collection " + json::in_quotes(name) + " ended with " +
                std::to_string((*pass)->findings) +
                " findings: run `akin verify`, and restore a backup or reindex");
}

}  // namespace akin::api
