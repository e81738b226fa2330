// Erasing what watches have of a document.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "server/state/state.h"

namespace akin::watch {

/// Removes the events that name the document, delivered or not, and the watches that were made from it;
/// returns how many of both.
[[nodiscard]] Result<std::uint64_t> forget_document(const std::shared_ptr<state::State>& state,
                                                    const std::string& collection,
                                                    const std::string& document);

}  // namespace akin::watch
