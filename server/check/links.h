// Links that open the report of one check without a key, until a date, and what authors state there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::check {

inline constexpr std::size_t kMaxLinks = 100;  ///< of one check, revoked ones included
inline constexpr std::size_t kMaxStatements = 20;
inline constexpr std::size_t kMaxStatementBytes = 10'000;
inline constexpr std::chrono::days kLongestLink{366};

struct NewLink {
  std::string token_sha256;  ///< in hex; the token itself is never stored
  std::string label;         ///< for people: whom it is for
  Time expires{};
  bool may_state = false;      ///< whether who opens it may leave a statement
  bool shows_sources = false;  ///< whether its report has the texts of documents
  std::string frame = {};      ///< origin of pages that may show the report in a frame; empty: none
  state::Actor by;
};

/// Members may be called from any number of threads, of any number of servers.
class Links {
 public:
  explicit Links(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Adds a link to a stored check, and returns it: {"id", "label", "created", "expires", "statement",
  /// "sources", "frame", "by", "revoked"}. Errors: not_found (the check), too_large (kMaxLinks).
  [[nodiscard]] Result<json::Json> add(std::string_view check, const NewLink& link, Time now);

  /// {"links", "statements"}, the oldest first. A statement is {"number", "time", "link", "label", "text"}.
  [[nodiscard]] Result<json::Json> list(std::string_view check) const;

  /// The link of the check with this token. Error: not_found (also if it has expired or was revoked).
  [[nodiscard]] Result<json::Json> open(std::string_view check, std::string_view token_sha256,
                                        Time now) const;

  /// Ends a link, and returns it; one that was revoked stays as it is. Error: not_found.
  [[nodiscard]] Result<json::Json> revoke(std::string_view check, std::string_view link,
                                          const state::Actor& by, Time now);

  /// Adds a statement by who opened the link, an object of open(), unless the same is there already.
  /// Errors: not_found (it has ended), forbidden (it takes none), too_large (kMaxStatements,
  /// kMaxStatementBytes), invalid_argument (empty).
  [[nodiscard]] Result<void> add_statement(std::string_view check, const json::Json& link,
                                           std::string_view text, const std::string& address, Time now);

 private:
  std::shared_ptr<state::State> state_;
};

/// Who opened a link, for the audit log.
[[nodiscard]] state::Actor actor_of_link(const json::Json& link, const std::string& address);

}  // namespace akin::check
