// Whether a request may go on: by its key, and by how much that key asks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/access/keys.h"

namespace akin::access {

/// Limits of each key that has none of its own; 0 = none.
struct AccessLimits {
  double rate = 0;               ///< requests a second, on average; twice as many may come at once
  std::uint32_t concurrent = 0;  ///< requests at once
};

struct KeyUse;

/// Leave for one request; while it lives, the request counts as one at work.
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

/// A grant (null where no key is needed), or why there is none.
struct Decision {
  std::shared_ptr<const Grant> grant;
  std::optional<Error>
      refusal;  ///< unauthenticated, forbidden, rate_limited, or that the keys cannot be read
  std::uint32_t retry_seconds = 0;  ///< of rate_limited: when it is worth trying again
};

/// Members may be called from any number of threads.
class Access {
 public:
  /// With `always`, a key is needed even while there are none; else from the first key on.
  Access(std::shared_ptr<state::State> state, bool always, const AccessLimits& limits);

  /// `authorization` is the field's value, empty if there is none (RFC 6750: "Bearer …").
  [[nodiscard]] Decision decide(std::string_view authorization, Scope needed);
  /// Whether decide() needs no hashing.
  [[nodiscard]] bool decides_at_once(std::string_view authorization) const;

 private:
  [[nodiscard]] Decision count(KeyInfo key);

  Keys keys_;
  const bool always_;
  const AccessLimits limits_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<std::string, std::shared_ptr<KeyUse>> uses_;
};

}  // namespace akin::access
