// Persons: who works with the server, in which roles. A person signs in with a secret, which is an access key
// of the person's; what it allows follows from the roles at each request.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/access/keys.h"
#include "server/state/state.h"

namespace akin::access {

enum class Role : std::uint8_t {
  author,         ///< hands in texts, and sees their checks: scope check
  reader,         ///< sees all checks, and marks findings: scope review
  decider,        ///< also decides about checks: scope decide
  administrator,  ///< everything: scope admin
};

[[nodiscard]] std::string_view role_name(Role role) noexcept;
/// Error: invalid_argument lists the names.
[[nodiscard]] Result<Role> parse_role(std::string_view name);

struct PersonSpec {
  std::string name;  ///< for people
  std::vector<Role> roles;
  std::vector<std::string> collections;  ///< their names; none = all
  bool disabled = false;                 ///< whether the person's secret is refused
};

struct Person {
  std::string id;  ///< 1 to 64 of a-z 0-9 . _ - @
  PersonSpec spec;
  Time created;
};

/// Changes are recorded in the audit log, with who made them. Members may be called from any number of
/// threads.
class Persons {
 public:
  explicit Persons(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Makes or changes a person; whether it is new. A change takes effect with the next request. Errors:
  /// invalid_argument (the id, no name, no role).
  [[nodiscard]] Result<bool> put(std::string_view id, const PersonSpec& spec, const state::Actor& by = {});
  /// Error: not_found.
  [[nodiscard]] Result<Person> find(std::string_view id) const;
  /// In the order of their ids.
  [[nodiscard]] Result<std::vector<Person>> list() const;
  /// Removes a person and all secrets of the person. Error: not_found.
  [[nodiscard]] Result<void> erase(std::string_view id, Keys& keys, const state::Actor& by = {});
  /// A new secret, in place of those that the person had. Error: not_found.
  [[nodiscard]] Result<NewKey> renew_secret(std::string_view id, Keys& keys, const state::Actor& by = {});

  /// Gives the key of a person what the roles allow, and the person's name. Error: unauthenticated (the
  /// person was removed or disabled).
  [[nodiscard]] static Result<void> empower(const state::State& state, KeyInfo& key);

 private:
  std::shared_ptr<state::State> state_;
};

}  // namespace akin::access
