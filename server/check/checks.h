// Stored checks: the object that each was answered with, and its text.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::check {

/// The error of a check that does not exist, or that the caller may not see.
[[nodiscard]] Error no_check(std::string_view id);

/// Members may be called from any number of threads.
class Checks {
 public:
  /// Checks older than `keep_days` are deleted when the next one is added; 0 keeps them forever.
  Checks(std::shared_ptr<state::State> state, unsigned keep_days) noexcept;

  /// Stores a check and its text, durable when it returns. Its object then begins with `id` ("check-" and 20
  /// hex digits, which ascend with time) and `created`, and ends with `admitted`: null.
  [[nodiscard]] Result<json::Json> add(const json::Json& check, std::string_view text, Time now);

  /// Errors: not_found, corrupt.
  [[nodiscard]] Result<json::Json> get(std::string_view id) const;
  [[nodiscard]] Result<std::string> text(std::string_view id) const;

  /// The oldest `limit` checks with ids after `after`, by id.
  [[nodiscard]] Result<std::vector<json::Json>> list(std::string_view after, std::size_t limit) const;
  [[nodiscard]] Result<std::uint64_t> count() const;

  /// Sets `admitted`, and returns the changed check. Error: not_found.
  [[nodiscard]] Result<json::Json> set_admitted(std::string_view id, const json::Json& admitted);

  /// While this lives nobody else can admit the check, so that it is admitted only once. Error: busy.
  struct Admission {
    std::unique_lock<std::mutex> threads;
    std::unique_ptr<state::Lease> servers;
  };
  [[nodiscard]] Result<Admission> lock_admission(std::string_view id);

  /// Error: not_found.
  [[nodiscard]] Result<void> erase(std::string_view id);

 private:
  [[nodiscard]] Result<void> forget_old(Time now);

  std::shared_ptr<state::State> state_;
  std::chrono::days keep_;
  std::mutex admission_;
};

}  // namespace akin::check
