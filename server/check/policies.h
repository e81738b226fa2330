// Policies that are stored under names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/check/policy.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::check {

/// Members may be called from any number of threads.
class Policies {
 public:
  explicit Policies(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Errors: not_found (the default policy always exists), invalid_argument (not a name), corrupt.
  [[nodiscard]] Result<Policy> get(std::string_view name) const;
  /// All policies by name, including the default.
  [[nodiscard]] Result<std::vector<std::pair<std::string, Policy>>> list() const;
  /// Stores or replaces a policy; returns whether it is new. Errors: invalid_argument (not a name).
  [[nodiscard]] Result<bool> put(std::string_view name, const Policy& policy, const state::Actor& by = {});
  /// Replaces a policy by what `make` makes of it, while no other writer can change it; an error of `make`
  /// leaves it as it is. `make` may be called again. Errors: as get.
  [[nodiscard]] Result<void> change(std::string_view name, const std::function<Result<Policy>(Policy)>& make,
                                    const state::Actor& by = {});
  /// Returns whether one was stored. If no default is stored, the built-in one applies again.
  [[nodiscard]] Result<bool> erase(std::string_view name, const state::Actor& by = {});

 private:
  std::shared_ptr<state::State> state_;
};

}  // namespace akin::check
