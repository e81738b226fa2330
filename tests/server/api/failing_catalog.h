// A catalog whose one collection, "broken", fails every operation with a given error, for what cannot be
// provoked at will.
#pragma once

#include <memory>

#include "index/collection/catalog.h"

namespace akin::test {

std::shared_ptr<Catalog> failing_catalog(std::shared_ptr<const Dictionary> dictionary, const Error& error);

}  // namespace akin::test
