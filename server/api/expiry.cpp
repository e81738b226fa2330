#include "server/api/expiry.h"

#include <chrono>
#include <string>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "server/api/idempotency.h"
#include "server/gate/gates.h"
#include "server/watch/journal.h"

namespace akin::api {

namespace {

constexpr std::chrono::seconds kPause(10);

}  // namespace

Result<void> forget_collection(const std::shared_ptr<state::State>& state, const std::string& name) {
  AKIN_CHECK(watch::Journal(state).forget(name));
  AKIN_CHECK(gate::Gates(state).forget(name));
  AKIN_CHECK(state->erase(state::Table::labels, name));
  return {};
}

namespace {

/// A state that this process may not write, on a standby for example, is tidied by other servers.
Result<void> forget_answers(state::State& state) {
  Result<void> forgotten = forget_old_answers(state);
  const bool others_do = forgotten.has_error() && forgotten.error().code == Errc::forbidden;
  return others_do ? Result<void>() : std::move(forgotten);
}

}  // namespace

Expiry::Expiry(const Service& service)
    : service_(service), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Expiry::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    // After an error the next sweep tries again.
    note_failure_of(Round::expiry, without_exceptions([this] { return sweep(service_), Result<void>(); }));
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, kPause, [] { return false; });
  }
}

void Expiry::sweep(const Service& service) {
  if (service.state) note_failure_of(Round::expiry, forget_answers(*service.state));
  note_failure_of(Round::expiry, service.catalog->erase_leftovers());
  const auto dropped = service.catalog->drop_expired();
  note_failure_of(Round::expiry, dropped);
  if (dropped.has_error() || !service.state) return;  // after an error the next sweep tries again
  for (const std::string& name : *dropped)
    note_failure_of(Round::expiry, forget_collection(service.state, name));
}

}  // namespace akin::api
