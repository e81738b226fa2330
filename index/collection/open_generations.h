// The collections that a catalog of a database or cluster has open, which take little where they are.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/collection.h"

namespace akin {

/// At most one generation of each collection. Thread-safe.
class OpenGenerations {
 public:
  /// Null unless this generation is open.
  [[nodiscard]] std::shared_ptr<Collection> find(std::string_view name, const Generation& generation) const;
  /// Replaces the one with its name.
  void add(const std::shared_ptr<Collection>& collection);
  /// Does nothing if it is not open. Its users keep it.
  void remove(std::string_view name);
  /// In byte order of their names.
  [[nodiscard]] std::vector<std::shared_ptr<Collection>> all() const;

 private:
  mutable std::mutex mutex_;  ///< guards open_
  std::map<std::string, std::shared_ptr<Collection>, std::less<>> open_;
};

}  // namespace akin
