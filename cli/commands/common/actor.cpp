#include "cli/commands/common/actor.h"

#include <unistd.h>

#include <utility>

#include "cli/frame/owner.h"
#include "server/run/shown_texts.h"

namespace akin::cli {

namespace {

Result<bool> keeps_log(const state::State* state, Catalog& catalog) {
  if (state == nullptr) return false;
  AKIN_TRY(const auto staleness, catalog.staleness());
  return !staleness.has_value();
}

}  // namespace

state::Actor actor_of_command() { return {.kind = "command", .id = user_name(geteuid())}; }

Result<void> record_reading(state::State* state, Catalog& catalog, std::string action, std::string about) {
  AKIN_TRY(const bool keeps, keeps_log(state, catalog));
  if (!keeps) return {};
  return audit::record(*state,
                       {.by = actor_of_command(), .action = std::move(action), .about = std::move(about)});
}

Result<void> record_and_do(const CommonOptions& options, Catalog& catalog, const audit::Event& event,
                           const std::function<Result<void>(bool is_recorded)>& act) {
  const auto into_log = [&](const std::function<Result<void>(state::State&)>& write) -> Result<bool> {
    AKIN_TRY(const auto state, find_state(options));
    AKIN_TRY(const bool keeps, keeps_log(state.get(), catalog));
    if (keeps) AKIN_CHECK(write(*state));
    return keeps;
  };
  AKIN_TRY(const bool is_recorded,
           into_log([&](state::State& state) { return audit::record(state, event); }));
  Result<void> done = act(is_recorded);
  if (done.has_error()) {
    AKIN_CHECK(
        into_log([&](state::State& state) { return audit::record_failure(state, event, done.error()); }));
  }
  return done;
}

Result<void> TextReadings::note(std::string_view collection, const DocumentRecord& document) {
  AKIN_TRY(const bool is_restricted, api::hides_text(state_.get(), collection, document));
  if (!is_restricted) return {};
  const auto [about, is_new] = noted_.insert(std::string(collection) + "/" + document.id);
  return is_new ? record_reading(state_.get(), *catalog_, "document.read", *about) : Result<void>();
}

std::function<Result<bool>(std::string_view, const DocumentRecord&)> TextReadings::noting() {
  return [this](std::string_view collection, const DocumentRecord& document) -> Result<bool> {
    AKIN_CHECK(note(collection, document));
    return false;
  };
}

}  // namespace akin::cli
