// The page of what the documents of a collection share with each other: groups of duplicates, and pairs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// Documents that share text, directly or through others.
struct DuplicateGroup {
  std::uint64_t number = 0;           ///< from 1, in the order of the result
  std::uint64_t size = 0;             ///< documents in it when it was found
  std::vector<json::Json> documents;  ///< those that are still there, the earliest first; the first of them
};

struct DuplicatesView {
  std::string collection;
  bool may_start = false, may_remove = false;
  json::Json task = nullptr;  ///< the newest task that looks for groups, as the interface has it; null: none
  std::uint64_t total = 0;    ///< groups that it found
  std::vector<DuplicateGroup> groups;
  std::string next = {};  ///< the path of the page with the groups after these; empty: none are left
  std::vector<json::Json> pairs = {};  ///< the newest tasks that look for pairs, the newest first
};
[[nodiscard]] std::string duplicates_page(const Reader& reader, const DuplicatesView& view);

/// `/desk/collections/COLLECTION/duplicates`.
[[nodiscard]] std::string duplicates_path(std::string_view collection);

}  // namespace akin::desk
