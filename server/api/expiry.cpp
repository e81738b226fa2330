#include "server/api/expiry.h"

#include <chrono>
#include <string>

namespace akin::api {

namespace {

constexpr std::chrono::seconds kPause(10);

}  // namespace

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
  if (dropped.has_error()) return;  // the next time
  for (const std::string& name : *dropped) {
    if (service.watches) static_cast<void>(service.watches->forget(name));
    if (service.gates) static_cast<void>(service.gates->forget(name));
  }
}

}  // namespace akin::api
