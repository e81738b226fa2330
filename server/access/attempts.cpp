#include "server/access/attempts.h"

#include <algorithm>

namespace akin::access {

namespace {

/// Buckets that are kept before those without attempts are removed.
constexpr std::size_t kManyBuckets = 4096;

/// No id contains a space.
std::string place_of(std::string_view id, std::string_view address) {
  return std::string(id) + ' ' + std::string(address);
}

}  // namespace

double Attempts::Bucket::left(double rate, Clock::time_point now) const {
  return std::max(0.0, used - rate * std::chrono::duration<double>(now - since).count());
}

void Attempts::Bucket::drain(double rate, Clock::time_point now) {
  used = left(rate, now);
  since = now;
}

void Attempts::forget_drained(Buckets& buckets, double rate, Clock::time_point now) {
  if (buckets.size() < kManyBuckets) return;
  std::erase_if(buckets, [&](const auto& entry) { return entry.second.left(rate, now) <= 0; });
}

bool Attempts::begin(std::string_view id, std::string_view address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  forget_drained(keys_, kKeyRate, now);
  forget_drained(addresses_, kAddressRate, now);
  Bucket& key = keys_.try_emplace(std::string(id), Bucket{0, now}).first->second;
  Bucket& place = addresses_.try_emplace(place_of(id, address), Bucket{0, now}).first->second;
  key.drain(kKeyRate, now);
  place.drain(kAddressRate, now);
  if (key.used + 1 > kKeyBurst || place.used + 1 > kAddressBurst) return false;
  key.used += 1;
  place.used += 1;
  return true;
}

void Attempts::succeeded(std::string_view id, std::string_view address) {
  const std::lock_guard lock(mutex_);
  const auto refund = [](Buckets& buckets, const std::string& name) {
    if (const auto found = buckets.find(name); found != buckets.end())
      found->second.used = std::max(0.0, found->second.used - 1);
  };
  refund(keys_, std::string(id));
  refund(addresses_, place_of(id, address));
}

}  // namespace akin::access
