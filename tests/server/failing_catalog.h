// A catalog whose one collection, "broken", fails every operation with a given error, for what cannot be
// provoked at will.
#pragma once

#include <filesystem>
#include <memory>

#include "index/collection.h"

namespace akin::testing {

/// `folder` is an empty one, for the collection's lock.
std::shared_ptr<Catalog> failing_catalog(const std::filesystem::path& folder,
                                         std::shared_ptr<const Dictionary> dictionary, const Error& error);

}  // namespace akin::testing
