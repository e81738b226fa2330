// Who runs a command, and what it reads, for the audit log.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "cli/frame/workspace.h"
#include "index/collection/catalog.h"
#include "server/audit/audit_log.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::cli {

/// The user of the system that the process runs as.
[[nodiscard]] state::Actor actor_of_command();

/// Records in the audit log an act of the command that only reads. Nothing without a state (null), where
/// nobody keeps a log, and at a standby, which takes no writes.
[[nodiscard]] Result<void> record_reading(state::State* state, Catalog& catalog, std::string action,
                                          std::string about);

/// Does something with whole collections of a place and records it first, as audit::record_and_do. The state
/// is closed while `act` runs, which may open it: a process does so once at a time. Without a
/// state nothing is recorded; an `act` that makes one, such as a restore, records the event there. Nothing
/// where record_reading records nothing.
[[nodiscard]] Result<void> record_and_do(const CommonOptions& options, Catalog& catalog,
                                         const audit::Event& event,
                                         const std::function<Result<void>(bool is_recorded)>& act);

/// Records in the audit log each restricted text that a command prints, once, as record_reading does.
class TextReadings {
 public:
  /// `state` may be null.
  TextReadings(std::shared_ptr<state::State> state, std::shared_ptr<Catalog> catalog) noexcept
      : state_(std::move(state)), catalog_(std::move(catalog)) {}

  /// Call it before the text is printed.
  [[nodiscard]] Result<void> note(std::string_view collection, const DocumentRecord& document);
  /// The same as Question::hides_text, which hides nothing. Must not outlive this.
  [[nodiscard]] std::function<Result<bool>(std::string_view, const DocumentRecord&)> noting();

 private:
  std::shared_ptr<state::State> state_;
  std::shared_ptr<Catalog> catalog_;
  std::set<std::string> noted_;  ///< "COLLECTION/ID"
};

}  // namespace akin::cli
