// What persons decide of a check, beside what was computed: which findings count, what they are, and what
// becomes of the text. docs/checks.md describes the objects.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "index/store/store.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::check {

inline constexpr std::array<std::string_view, 4> kDecisionStates = {"open", "accepted", "returned",
                                                                    "refused"};
/// What a source or a passage is. Only a borrowing counts, unless its mark says otherwise.
inline constexpr std::array<std::string_view, 6> kMarkClasses = {
    "borrowing", "quotation", "own_earlier", "template", "common_knowledge", "false_alarm"};
inline constexpr std::size_t kMaxRemarkBytes = 10'000;

/// The decision of a check that nobody has looked at: everything counts as computed.
[[nodiscard]] json::Json open_decision(const json::Json& check);

/// Who changes a decision, and which version of it; the revision of a decision is the number of its entries.
struct Change {
  state::Actor by;
  Precondition version;
  Time now;
};

struct NewDecision {
  std::string state;  ///< one of kDecisionStates
  std::string remark;
};

/// The decisions about stored checks. Each change is an entry of the check's history, which nothing
/// overwrites. Members may be called from any number of threads, of any number of servers.
class Decisions {
 public:
  explicit Decisions(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Accepts, returns or refuses an open case, reopens a decided one, or adds a remark to an open one. If the
  /// policy asks for two readers, the first one proposes, and the same decision by another makes it. The same
  /// request once more changes nothing. Returns the check. Errors: not_found, precondition_failed,
  /// already_exists (decided already), forbidden (the second reader is the first one, or not known).
  [[nodiscard]] Result<json::Json> decide(std::string_view id, const NewDecision& decision,
                                          const Change& change);

  /// Merges marks into those of an open case, by merge_marks, and withdraws a proposal. Returns the check.
  /// Errors: also already_exists (decided already), invalid_argument.
  [[nodiscard]] Result<json::Json> mark(std::string_view id, const json::Json& marks, const Change& change);

  /// The entries, the oldest first.
  [[nodiscard]] Result<std::vector<json::Json>> history(const json::Json& check) const;

 private:
  template <class Make>
  [[nodiscard]] Result<json::Json> change(std::string_view id, const Change& change, const Make& make);

  std::shared_ptr<state::State> state_;
};

}  // namespace akin::check
