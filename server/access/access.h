// Whether a request may proceed: by its key, and by the rate of that key's requests.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/access/keys.h"
#include "server/access/persons.h"
#include "server/access/sessions.h"

namespace akin::access {

/// The desk's own scheme of Authorization, which its cookie stands for.
inline constexpr std::string_view kSessionScheme = "Session ";

/// The limits of a key that has none of its own; 0 = no limit.
struct AccessLimits {
  double rate = 0;               ///< requests a second, on average; bursts may be twice as large
  std::uint32_t concurrent = 0;  ///< requests at the same time
};

struct KeyUse;

/// Permission for one request, which counts as one at work while the grant lives.
class Grant {
 public:
  Grant(KeyInfo key, std::shared_ptr<KeyUse> use) noexcept : key_(std::move(key)), use_(std::move(use)) {}
  ~Grant();
  Grant(const Grant&) = delete;
  Grant& operator=(const Grant&) = delete;
  [[nodiscard]] const KeyInfo& key() const noexcept { return key_; }

 private:
  KeyInfo key_;
  std::shared_ptr<KeyUse> use_;
};

/// A grant (null if no key is needed), or the reason for its refusal.
struct Decision {
  std::shared_ptr<const Grant> grant;
  std::optional<Error>
      refusal;  ///< unauthenticated, forbidden, rate_limited, or an error of reading the keys
  std::uint32_t retry_seconds = 0;  ///< of rate_limited: when a retry may succeed
};

/// Members may be called from any number of threads.
class Access {
 public:
  /// With `always` a key is needed even while none exists; otherwise from the first key on, and keys that
  /// come before are ignored.
  Access(std::shared_ptr<state::State> state, bool always, const AccessLimits& limits);

  /// As if made with `always`. Call before decide().
  void always_require() noexcept { always_ = true; }

  /// `authorization` is the value of the header field, empty if it is absent (RFC 6750: "Bearer …"), or
  /// kSessionScheme and the token of a session;
  /// `address` is the client's, by which wrong secrets are limited.
  [[nodiscard]] Decision decide(std::string_view authorization, Scope needed, std::string_view address = {});
  /// The same for a person who signed on at a trusted proxy, whatever the case of the id's letters. One who
  /// is not known becomes a person with the role of let_sign_on().
  [[nodiscard]] Decision decide_for_person(std::string_view id, Scope needed, std::string_view address);
  /// Persons who sign on at a trusted proxy for the first time become persons with this role; without it,
  /// they are refused. Call before decide_for_person().
  void let_sign_on(Role first_role) noexcept { first_role_ = first_role; }
  /// Whether decide() needs no hashing.
  [[nodiscard]] bool decides_at_once(std::string_view authorization) const;
  [[nodiscard]] Keys& keys() noexcept { return keys_; }
  [[nodiscard]] Sessions& sessions() noexcept { return sessions_; }

 private:
  [[nodiscard]] Decision decide_by_key(std::string_view authorization, Scope needed,
                                       std::string_view address);
  /// The decision about a key that is valid.
  [[nodiscard]] Decision decide_for(KeyInfo key, Scope needed);
  [[nodiscard]] Decision count(KeyInfo key);
  [[nodiscard]] Result<KeyInfo> signed_on(std::string_view id, std::string_view address);

  [[nodiscard]] Result<KeyInfo> authenticate(std::string_view authorization, std::string_view address);

  const std::shared_ptr<state::State> state_;
  Keys keys_;
  Sessions sessions_;
  std::optional<Role> first_role_;
  bool always_;
  const AccessLimits limits_;
  std::mutex mutex_;  // guards the following members
  std::unordered_map<std::string, std::shared_ptr<KeyUse>> uses_;
};

}  // namespace akin::access
