// Ids that name no document of a collection.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "cli/frame/format.h"
#include "index/store/store.h"

namespace akin::cli {

/// Ids of documents that are not in the collection, each once.
class MissingIds {
 public:
  explicit MissingIds(const Snapshot& snapshot) : snapshot_(snapshot) {}

  /// Whether both are in the collection.
  Result<bool> check(const std::pair<std::string, std::string>& pair) {
    bool there = true;
    for (const std::string* id : {&pair.first, &pair.second}) {
      AKIN_TRY(const auto record, snapshot_.find(*id));
      if (record) continue;
      missing_.insert(*id);
      there = false;
    }
    return there;
  }

  /// "'a', 'b' and 3 more"
  [[nodiscard]] std::string names() const {
    constexpr std::size_t kShown = 10;
    std::string list;
    std::size_t shown = 0;
    for (const std::string& id : missing_) {
      if (shown == kShown) return list + " and " + grouped(missing_.size() - kShown) + " more";
      list += (shown++ == 0 ? "'" : ", '") + one_line(id, kMaxIdBytes) + "'";
    }
    return list;
  }

 private:
  const Snapshot& snapshot_;
  std::set<std::string> missing_;
};

}  // namespace akin::cli
