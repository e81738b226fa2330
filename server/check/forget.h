// Erasing what stored checks have of a document or a person.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::check {

struct Forgotten {
  std::uint64_t deleted = 0;  ///< checks
  std::uint64_t changed = 0;  ///< checks that remain without what was to be erased
};

/// Deletes the checks whose text is that of the document (they were made from it, or admitted as it); takes
/// its title and the passages of its text out of those that have it as a source.
[[nodiscard]] Result<Forgotten> forget_document(const std::shared_ptr<state::State>& state,
                                                std::string_view collection, std::string_view id,
                                                const state::Actor& by);

/// Deletes the checks of the owner's texts; takes the person's id and name out of the decisions and links of
/// all others.
[[nodiscard]] Result<Forgotten> forget_person(const std::shared_ptr<state::State>& state, std::string_view id,
                                              const state::Actor& by);

}  // namespace akin::check
