// Making and removing collections together with what the state has about them, so that no collection inherits
// from an earlier one of its name.
#pragma once

#include <memory>
#include <string>

#include "index/collection/catalog.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::api {

/// What to make: Catalog::create.
struct NewCollection {
  std::string name;
  std::string scheme;
  bool store_text = true;
  bool store_file = false;
  std::string languages = {};  ///< empty: those configured
};

/// As Catalog::create, after what an earlier collection of this name has left in the state is removed: a
/// process may have died, or the state been unwritable, after that one was dropped. `state` may be null.
/// Errors also: busy (another process makes or removes it), those of State.
[[nodiscard]] Result<std::shared_ptr<Collection>> make_collection(Catalog& catalog,
                                                                  const std::shared_ptr<state::State>& state,
                                                                  const NewCollection& wanted);

/// Removes a collection, and what is stored about it: its watches and their events, gate, groups and labels.
/// It is noted first, also in the audit log, so that finish_removals completes what is interrupted. `state`
/// may be null. Errors: not_found (what an earlier one left is removed all the same), busy, those of State.
[[nodiscard]] Result<void> remove_collection(Catalog& catalog, const std::shared_ptr<state::State>& state,
                                             const std::string& name, const state::Actor& by);

/// Removes what is stored about a collection that has been dropped already.
[[nodiscard]] Result<void> forget_collection(const std::shared_ptr<state::State>& state,
                                             const std::string& name);

/// Completes removals that were interrupted after the collection itself was gone.
[[nodiscard]] Result<void> finish_removals(Catalog& catalog, const std::shared_ptr<state::State>& state);

}  // namespace akin::api
