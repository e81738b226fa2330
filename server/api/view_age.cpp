#include "server/api/view_age.h"

#include <array>
#include <cstdio>
#include <utility>

namespace akin::api {

namespace {

constexpr std::chrono::seconds kTrusted(1);

}  // namespace

std::optional<Staleness> ViewAge::now() const {
  const std::lock_guard lock(mutex_);
  const auto moment = std::chrono::steady_clock::now();
  if (!read_ || moment - *read_ >= kTrusted) {
    const auto staleness = catalog_->staleness();
    last_ = staleness.has_value() ? *staleness : std::nullopt;
    read_ = std::chrono::steady_clock::now();
    return last_;
  }
  std::optional<Staleness> grown = last_;
  if (grown) grown->age += std::chrono::duration_cast<std::chrono::microseconds>(moment - *read_);
  return grown;
}

std::optional<Error> ViewAge::refusal(const Staleness& staleness) const {
  if (most_.count() == 0 || staleness.age <= most_) return std::nullopt;
  return Error{Errc::busy, "standby database",
               "its view is " + seconds_text(staleness.age) + " s old, and --max-staleness allows " +
                   seconds_text(most_),
               "use another server, or try again"};
}

std::string seconds_text(std::chrono::microseconds age) {
  std::array<char, 32> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%.3f", std::chrono::duration<double>(age).count());
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace akin::api
