#include "server/run/expiry.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "server/api/idempotency.h"
#include "server/check/checks.h"
#include "server/run/collection_life.h"
#include "server/run/hand_ins.h"
#include "server/run/recheck.h"
#include "server/state/lived_time.h"

namespace akin::api {

namespace {

constexpr std::chrono::seconds kPause(10);
/// In one look; more would keep others from writing.
constexpr std::size_t kChecksAtOnce = 256;

void note(const Result<void>& outcome) {
  // A state that this process may not write, on a standby for example, is tidied by other servers.
  if (outcome.has_error() && outcome.error().code == Errc::forbidden) return;
  note_failure_of(Round::expiry, outcome);
}

/// Says so once for each jump.
void warn_of_jump(Time lived, const state::ClockReading& reading, const Expiry::Log& log) {
  static std::atomic<bool> warned = false;
  const bool jumped = reading.wall > lived;
  if (!log.warn || warned.exchange(jumped) || !jumped) return;
  const auto ahead = std::chrono::duration_cast<std::chrono::hours>(reading.wall - lived);
  log.warn("the clock is " + std::to_string(ahead.count()) +
           " hours ahead of the time that has passed since akin last looked: checks and temporary "
           "collections expire " +
           std::to_string(state::kCatchingUp) + " times as fast until that is made up for (set the clock)");
}

Result<void> forget_checks(check::Checks& checks, Time lived, const Expiry::Log& log) {
  AKIN_TRY(const std::size_t forgotten, checks.forget_expired(lived, kChecksAtOnce));
  if (forgotten > 0 && log.inform) log.inform("expired checks deleted: " + std::to_string(forgotten));
  return {};
}

Result<void> recheck_checks(const Service& service, const Expiry::Log& log) {
  AKIN_TRY(const std::size_t computed, recheck_standing(service, time_now()));
  if (computed > 0 && log.inform) log.inform("standing checks computed again: " + std::to_string(computed));
  return {};
}

Result<void> drop_collections(const Service& service, Time lived, const Expiry::Log& log) {
  AKIN_TRY(const auto dropped, service.catalog->drop_expired([&] { return Result<Time>(lived); }));
  for (const std::string& name : dropped) {
    if (log.inform) log.inform("expired collection deleted: " + name);
    if (service.state) note(forget_collection(service.state, name));
  }
  return {};
}

Result<Time> lived_until_now(const Service& service, const Expiry::Log& log) {
  const state::ClockReading reading = state::ClockReading::now();
  if (!service.state) return reading.wall;
  Result<Time> advanced = state::advance_lived_time(*service.state, reading);
  if (advanced.has_error() && advanced.error().code == Errc::forbidden)
    return state::lived_time(*service.state, reading);
  if (!advanced.has_error()) warn_of_jump(*advanced, reading, log);
  return advanced;
}

}  // namespace

Expiry::Expiry(const Service& service, Log log)
    : service_(service), log_(std::move(log)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Expiry::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    // After an error the next sweep tries again.
    note_failure_of(Round::expiry,
                    without_exceptions([this] { return sweep(service_, log_), Result<void>(); }));
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, kPause, [] { return false; });
  }
}

void Expiry::sweep(const Service& service, const Log& log) {
  if (service.state) {
    note(finish_removals(*service.catalog, service.state));
  }
  note_failure_of(Round::expiry, service.catalog->erase_leftovers());
  // After an error the next look tries again.
  const Result<Time> lived = lived_until_now(service, log);
  note_failure_of(Round::expiry, lived);
  if (lived.has_error()) return;
  if (service.state) note(forget_old_answers(*service.state, *lived));
  if (service.checks) note(forget_checks(*service.checks, *lived, log));
  note(forget_failed(service, *lived));
  if (service.checks && service.state) note(recheck_checks(service, log));
  note_failure_of(Round::expiry, drop_collections(service, *lived, log));
}

}  // namespace akin::api
