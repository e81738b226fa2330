// How old the answers of a server are whose database is a standby.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "index/collection/catalog.h"
#include "server/api/message.h"

namespace akin::api {

/// The field of an answer from a standby: the age of its view in seconds, with decimals.
inline constexpr const char* kStalenessField = "Akin-Staleness";

/// Asks on a thread of its own, so that a database that does not answer costs other requests a moment.
/// Members may be called from any thread.
class ViewAge {
 public:
  /// `most`: from which age on requests are refused; zero: never.
  ViewAge(std::shared_ptr<Catalog> catalog, std::chrono::microseconds most);

  /// As Catalog::staleness; asked at most once a second, and its age grows in between. If the answer takes
  /// more than half a second, what is known before it. Nothing also if the database has not answered.
  [[nodiscard]] std::optional<Staleness> now() const;
  /// Why a view of this age is not used; nothing if it may be.
  [[nodiscard]] std::optional<Error> refusal(const Staleness& staleness) const;
  [[nodiscard]] std::chrono::microseconds most() const noexcept { return most_; }

 private:
  [[nodiscard]] std::optional<Staleness> grown() const;
  void answer(const std::stop_token& stop);

  const std::shared_ptr<Catalog> catalog_;
  const std::chrono::microseconds most_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  mutable bool is_asked_ = false;                              ///< guarded by mutex_
  std::optional<Staleness> last_;                              ///< guarded by mutex_
  std::optional<std::chrono::steady_clock::time_point> read_;  ///< guarded by mutex_
  std::jthread thread_;                                        // last: it uses the other members
};

/// Seconds with three decimals.
[[nodiscard]] std::string seconds_text(std::chrono::microseconds age);

}  // namespace akin::api
