// A line of the table of paths.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "server/access/keys.h"
#include "server/api/call.h"
#include "server/api/idempotency.h"

namespace akin::api {

using access::Scope;

struct Method {
  std::string_view name;
  std::optional<Scope> scope;  ///< what a key must allow; kAnyone: no key is required
  Handler handler = nullptr;
  StreamHandler stream = nullptr;  ///< instead of `handler`
  Delivery delivery = Delivery::worker;
  Creation creation = Creation::none;
  std::string_view operation = {};  ///< its name in parameters_of(); empty: the handler reads the parameters
};

/// A part of a pattern in braces captures one part of a path, which is not empty; "{…*}" at the end captures
/// the rest, including its slashes.
struct Route {
  std::string_view pattern;
  std::array<Method, 4> methods;  ///< unused ones are empty

  [[nodiscard]] const Method* method(std::string_view name) const noexcept {
    for (const Method& offered : methods) {
      if (!offered.name.empty() && offered.name == name) return &offered;
    }
    return nullptr;
  }
};

inline constexpr std::nullopt_t kAnyone = std::nullopt;

/// Whether no pattern captures more parts of a path than Captures holds.
constexpr bool fit_captures(std::span<const Route> routes) noexcept {
  for (const Route& route : routes) {
    std::size_t captures = 0;
    for (const char c : route.pattern) captures += c == '{' ? 1 : 0;
    if (captures > Captures{}.places.size()) return false;
  }
  return true;
}

constexpr Method streaming(std::string_view name, Scope scope, StreamHandler handler) {
  return {name, scope, nullptr, handler, Delivery::stream};
}

/// The routes of the interface, which describe.py makes.
[[nodiscard]] std::span<const Route> interface_routes() noexcept;

}  // namespace akin::api
