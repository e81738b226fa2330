// Parts of a store's documents, kept between searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "index/opensearch/documents/layout.h"

namespace akin::opensearch {

/// Those that were used last. A document is never changed, and no other has its number, so that what is kept
/// is never out of date, unless an older snapshot of the cluster is restored. Any number of threads.
class PartCache {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  /// Forgets all if fewer turns were committed (head.h) than at the last call: then numbers are given again.
  void note_committed(std::int64_t turns);
  /// Null if it is not kept.
  [[nodiscard]] Bytes find(std::int64_t number, PartKind kind);
  void keep(std::int64_t number, PartKind kind, std::string bytes);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
  using Key = std::pair<std::int64_t, PartKind>;
  using Entries = std::list<std::pair<Key, Bytes>>;

  std::mutex mutex_;  ///< guards the members below
  Entries entries_;   ///< the one used last first
  std::map<Key, Entries::iterator> by_key_;
  std::size_t held_ = 0;  ///< bytes of them
  std::int64_t committed_ = 0;
};

}  // namespace akin::opensearch
