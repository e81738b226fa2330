// Combines several catalogs: named collections are in stores of their own, all others in one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/collection/catalog.h"

namespace akin {

/// A store, and the collections that are in it, whether or not other stores have these names too.
struct Route {
  std::vector<std::string> names;
  std::shared_ptr<Catalog> catalog;
};

/// Each member forwards to the store of the collection. A collection with a routed name in another store is
/// invisible. `others` holds all collections without a route; if it is null, there are none, and none can be
/// made. No name may be in two routes. It differs from other catalogs in this:
/// - `backup` and `restore` are those of `others`. A request for a routed collection is `unsupported`, and
///   the error names it; so is a backup of all collections while there are routes.
[[nodiscard]] std::shared_ptr<Catalog> route_collections(std::shared_ptr<Catalog> others,
                                                         const std::vector<Route>& routes);

}  // namespace akin
