// The page of a collection's watches, and of the documents that they found.
#pragma once

#include <string>
#include <string_view>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

struct WatchList {
  std::string collection;
  bool may_write = false;  ///< make watches and remove them
  json::Json watches;      ///< of GET …/watches
  json::Json events;       ///< of GET …/events, the newest first
  std::string older = {};  ///< the path of the page with the events before these; empty: there are none
};
[[nodiscard]] std::string watches_page(const Reader& reader, const WatchList& list);

/// `/desk/collections/COLLECTION/watches`.
[[nodiscard]] std::string watches_path(std::string_view collection);

}  // namespace akin::desk
