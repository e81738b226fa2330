// Policies that are kept under names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/check/policy.h"
#include "server/state/state.h"

namespace akin::check {

/// Members may be called from any number of threads.
class Policies {
 public:
  explicit Policies(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Errors: not_found (the default policy is always there), invalid_argument (not a name), corrupt.
  [[nodiscard]] Result<Policy> get(std::string_view name) const;
  /// All by their names; the default among them.
  [[nodiscard]] Result<std::vector<std::pair<std::string, Policy>>> list() const;
  /// Stores or replaces; whether it was new. Errors: invalid_argument (not a name).
  [[nodiscard]] Result<bool> put(std::string_view name, const Policy& policy);
  /// Whether one was stored. Without a stored one the default is the built-in one again.
  [[nodiscard]] Result<bool> erase(std::string_view name);

 private:
  std::shared_ptr<state::State> state_;
};

}  // namespace akin::check
