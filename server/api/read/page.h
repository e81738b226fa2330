// Lists that are read page by page.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "server/api/parameters.h"
#include "server/json/json.h"

namespace akin::api {

/// Leaves the page of the list that `cursor` and `limit` ask for; returns `next`, a cursor or null. The list
/// is sorted by `key_of` an entry.
template <class Entry, class KeyOf>
[[nodiscard]] json::Json take_page(std::vector<Entry>& list, const Parameters& parameters,
                                   const KeyOf& key_of) {
  const std::string_view after = parameters.key_of_cursor();
  const auto is_before = [&](const Entry& entry) { return std::string_view(key_of(entry)) <= after; };
  if (!after.empty()) list.erase(list.begin(), std::ranges::partition_point(list, is_before));
  const std::uint64_t limit = *parameters.integer("limit");
  if (list.size() <= limit) return nullptr;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(limit), list.end());
  return cursor_after(key_of(list.back()));
}

}  // namespace akin::api
