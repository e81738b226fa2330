#include "server/run/collection_life.h"

#include <chrono>
#include <cstdint>
#include <string_view>

#include "server/audit/audit_log.h"
#include "server/gate/gates.h"
#include "server/watch/journal.h"

namespace akin::api {
namespace {

constexpr auto kRemovals = state::Table::removals;
constexpr std::chrono::seconds kPatience(10);
constexpr std::string_view kHolder = "the making or removal of this collection by another akin";

std::string lease_name(const std::string& name) { return "collection/" + name; }

/// Whether there is none; an expired one is none.
Result<bool> is_gone(const Catalog& catalog, const std::string& name) {
  const auto expiry = catalog.expiry(name);
  if (!expiry.has_error()) return false;
  if (expiry.error().code == Errc::not_found) return true;
  return expiry.error();
}

}  // namespace

Result<void> forget_collection(const std::shared_ptr<state::State>& state, const std::string& name) {
  AKIN_CHECK(watch::Journal(state).forget(name));
  AKIN_CHECK(gate::Gates(state).forget(name));
  AKIN_CHECK(state->erase(state::Table::labels, name));
  AKIN_CHECK(state->erase(kRemovals, name));
  return {};
}

Result<std::shared_ptr<Collection>> make_collection(Catalog& catalog,
                                                    const std::shared_ptr<state::State>& state,
                                                    const NewCollection& wanted) {
  std::unique_ptr<state::Lease> alone;
  if (state != nullptr) {
    AKIN_TRY(alone, state->lease(lease_name(wanted.name), kPatience, kHolder));
    AKIN_TRY(const bool gone, is_gone(catalog, wanted.name));
    if (gone) {
      AKIN_CHECK(forget_collection(state, wanted.name));
      // Not when it is removed: checks may still keep passages of its documents.
      AKIN_CHECK(state->erase(state::Table::restrictions, wanted.name));
    }
  }
  return catalog.create(wanted.name, wanted.scheme, wanted.store_text, wanted.store_file, wanted.languages);
}

namespace {

Result<void> remove_once(Catalog& catalog, const std::shared_ptr<state::State>& state,
                         const std::string& name, const state::Actor& by) {
  if (state == nullptr) return catalog.drop(name);
  AKIN_TRY(const auto alone, state->lease(lease_name(name), kPatience, kHolder));
  AKIN_TRY(const bool gone, is_gone(catalog, name));
  const audit::Event removal{.by = by, .action = "collection.deleted", .about = name};
  if (!gone) {
    const auto noted = state->write([&](state::Writer& writer) -> Result<void> {
      AKIN_CHECK(writer.put(kRemovals, name, "begun"));
      return audit::append(writer, removal);
    });
    AKIN_CHECK(noted);
  }
  Result<void> dropped = catalog.drop(name);
  if (!gone && dropped.has_error()) AKIN_CHECK(audit::record_failure(*state, removal, dropped.error()));
  if (dropped.has_error() && dropped.error().code != Errc::not_found) return dropped;
  AKIN_CHECK(forget_collection(state, name));
  return dropped;
}

}  // namespace

Result<void> remove_collection(Catalog& catalog, const std::shared_ptr<state::State>& state,
                               const std::string& name, const state::Actor& by) {
  return state::remove_for_room(state.get(), [&] { return remove_once(catalog, state, name, by); });
}

Result<void> finish_removals(Catalog& catalog, const std::shared_ptr<state::State>& state) {
  AKIN_TRY(const auto begun, state->list(kRemovals, "", "", SIZE_MAX));
  for (const state::Entry& removal : begun) {
    AKIN_TRY(const auto alone, state->try_lease(lease_name(removal.key)));
    if (alone == nullptr) continue;  // it is being removed
    AKIN_TRY(const bool gone, is_gone(catalog, removal.key));
    // If it is there, it was not removed, or it was made again, without anything of the old one.
    if (gone) {
      AKIN_CHECK(forget_collection(state, removal.key));
    } else {
      AKIN_CHECK(state->erase(kRemovals, removal.key));
    }
  }
  return {};
}

}  // namespace akin::api
