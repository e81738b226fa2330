// One catalog of several: named collections are in stores of their own, all others in one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/catalog.h"

namespace akin {

/// A store, and the collections that are in it whatever the other stores have by these names.
struct Route {
  std::vector<std::string> names;
  std::shared_ptr<Catalog> catalog;
};

/// Each member asks the store that a collection is in. A collection that another store has by a routed name
/// is not seen. `others` is where all collections without a route are; with none there are none, and none can
/// be made. No name stands in two routes. But for these it is as Catalog:
/// - `backup` and `restore` are those of `others`. What would need a routed collection is `unsupported`, and
/// names it: so is a backup of all while there are any.
[[nodiscard]] std::shared_ptr<Catalog> route_collections(std::shared_ptr<Catalog> others,
                                                         std::vector<Route> routes);

}  // namespace akin
