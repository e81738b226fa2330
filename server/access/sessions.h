// Sessions of the desk: a browser keeps a random token in place of the key that it signed in with.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "server/state/state.h"

namespace akin::access {

/// Members may be called from any number of threads, of any number of servers.
class Sessions {
 public:
  /// A session ends when nothing is asked in it for so long, and in any case so long after it began.
  static constexpr std::chrono::minutes kIdle{60};
  static constexpr std::chrono::hours kLongest{12};
  /// An invitation that nobody has taken ends so long after it was made.
  static constexpr std::chrono::minutes kInvitation{10};

  explicit Sessions(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Begins a session of a key: a new token of 256 random bits, of which the SHA-256 digest is stored.
  /// Removes sessions that have ended.
  [[nodiscard]] Result<std::string> begin(std::string_view key, Time now);
  /// The id of the session's key; nothing if the session is unknown or has ended.
  [[nodiscard]] Result<std::optional<std::string>> key_of(std::string_view token, Time now);
  [[nodiscard]] Result<void> end(std::string_view token);

  /// A token that begins one session of a key, in place of the key itself. Stored as a session's.
  [[nodiscard]] Result<std::string> invite(std::string_view key, Time now);
  /// Begins that session, and returns its token; nothing if the invitation is unknown, taken or too old.
  [[nodiscard]] Result<std::optional<std::string>> take(std::string_view invitation, Time now);

 private:
  [[nodiscard]] Result<std::string> add(std::string_view key, Time now, bool is_invitation);

  std::shared_ptr<state::State> state_;
};

}  // namespace akin::access
