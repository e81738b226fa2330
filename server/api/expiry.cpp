#include "server/api/expiry.h"

#include <chrono>
#include <string>

namespace akin::api {

namespace {

constexpr std::chrono::seconds kPause(10);

}  // namespace

Result<void> forget_collection(const Service& service, const std::string& name) {
  if (service.watches) AKIN_CHECK(service.watches->forget(name));
  if (service.gates) AKIN_CHECK(service.gates->forget(name));
  if (service.state) AKIN_CHECK(service.state->erase(state::Table::labels, name));
  return {};
}

Expiry::Expiry(const Service& service)
    : service_(service), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Expiry::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    sweep(service_);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, kPause, [] { return false; });
  }
}

void Expiry::sweep(const Service& service) {
  const auto dropped = service.catalog->drop_expired();
  if (dropped.has_error()) return;  // the next sweep tries again
  for (const std::string& name : *dropped) static_cast<void>(forget_collection(service, name));
}

}  // namespace akin::api
