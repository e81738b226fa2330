#include "server/run/recheck.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/check/standing.h"
#include "server/run/checking.h"

namespace akin::api {

namespace {

/// The last revisions of collections, each read once.
class LastRevisions {
 public:
  explicit LastRevisions(Catalog& catalog) : catalog_(catalog) {}

  /// What there is to see for a check. A collection that is gone or cannot be read has nothing new.
  std::map<std::string, std::uint64_t> for_check(const check::StandingCheck& check) {
    std::map<std::string, std::uint64_t> last;
    for (const auto& [name, seen] : check.seen) last[name] = std::max(seen, of(name));
    return last;
  }

 private:
  std::uint64_t of(const std::string& name) {
    const auto [known, is_new] = known_.try_emplace(name, 0);
    if (!is_new) return known->second;
    const auto summary = catalog_.describe(name);
    if (summary.has_value()) known->second = summary->stats.last_revision.value;
    return known->second;
  }

  Catalog& catalog_;
  std::map<std::string, std::uint64_t> known_;
};

/// The outcome as of now, if its share is not that of the last one.
Result<std::optional<Json>> changed_outcome(const Service& service, const std::string& id) {
  AKIN_TRY(const Json check, service.checks->get(id));
  AKIN_TRY(std::string text, service.checks->text(id));
  AKIN_TRY(check::CheckRequest request, request_of(check, std::move(text)));
  AKIN_TRY(Json outcome, outcome_of(*service.catalog, request));
  const Json& last = check.contains("later") ? check.at("later") : check;
  if (outcome.at("share") == last.at("share")) return std::optional<Json>();
  return std::optional(std::move(outcome));
}

/// Whether it was computed. `last`: what it then has seen.
Result<bool> recheck_one(const Service& service, check::StandingCheck check,
                         std::map<std::string, std::uint64_t> last, Time now) {
  // An admission stores the text before the check names it.
  AKIN_TRY(const auto alone, service.state->try_lease("admission/" + check.id));
  if (alone == nullptr) return false;
  const auto outcome = changed_outcome(service, check.id);
  check.looked = now;
  // What could not be computed, such as for want of memory, is tried again after a pause.
  if (outcome.has_value()) check.seen = std::move(last);
  AKIN_CHECK(check::note_look(*service.state, check, outcome.has_value() ? *outcome : std::nullopt));
  return true;
}

}  // namespace

Result<std::size_t> recheck_standing(const Service& service, Time now, const Rechecking& how) {
  constexpr std::size_t kPage = 1000;
  std::size_t computed = 0;
  AKIN_TRY(const auto alone, service.state->try_lease("standing checks"));
  if (alone == nullptr) return computed;
  LastRevisions revisions(*service.catalog);
  for (std::string after;;) {
    AKIN_TRY(auto page, check::standing_checks(*service.state, after, kPage));
    for (check::StandingCheck& check : page) {
      after = check.id;
      if (check.until <= now) {
        AKIN_CHECK(check::end_standing(*service.state, check.id));
        continue;
      }
      if (now - check.looked < how.pause) continue;
      auto last = revisions.for_check(check);
      if (last == check.seen) continue;
      AKIN_TRY(const bool done, recheck_one(service, std::move(check), std::move(last), now));
      computed += done ? 1 : 0;
      if (computed == how.at_once) return computed;
    }
    if (page.size() < kPage) return computed;
  }
}

}  // namespace akin::api
