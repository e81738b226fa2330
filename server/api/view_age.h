// How old the answers of a server are whose database is a standby.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "index/catalog.h"
#include "server/api/message.h"

namespace akin::api {

/// The field of an answer from a standby: the age of its view in seconds, with decimals.
inline constexpr const char* kStalenessField = "Akin-Staleness";

/// Members may be called from any thread.
class ViewAge {
 public:
  /// `most`: from which age on requests are refused; zero: never.
  ViewAge(std::shared_ptr<Catalog> catalog, std::chrono::microseconds most)
      : catalog_(std::move(catalog)), most_(most) {}

  /// As Catalog::staleness; asked at most once a second, and its age grows in between. Nothing also if the
  /// database does not answer.
  [[nodiscard]] std::optional<Staleness> now() const;
  /// Why a view of this age is not used; nothing if it may be.
  [[nodiscard]] std::optional<Error> refusal(const Staleness& staleness) const;
  [[nodiscard]] std::chrono::microseconds most() const noexcept { return most_; }

 private:
  const std::shared_ptr<Catalog> catalog_;
  const std::chrono::microseconds most_;
  mutable std::mutex mutex_;
  mutable std::optional<Staleness> last_;                              ///< guarded by mutex_
  mutable std::optional<std::chrono::steady_clock::time_point> read_;  ///< guarded by mutex_
};

/// Seconds with three decimals.
[[nodiscard]] std::string seconds_text(std::chrono::microseconds age);

}  // namespace akin::api
