// Parts of a store's documents, kept between searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "index/opensearch/documents/layout.h"

namespace akin::opensearch {

/// The parts of a store's documents that were used last, kept between searches. A document is never changed,
/// and no other has its number, so that what is kept is never out of date, unless an older snapshot of the
/// cluster is restored. Any number of threads.
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
  /// Requires mutex_.
  Bytes add(const Key& key, Bytes bytes);

  std::mutex mutex_;                     ///< guards the members below
  std::map<Key, Bytes> recent_, older_;  ///< the newer half of kMostBytes, and what has been in it
  std::size_t held_ = 0;                 ///< bytes of the recent ones
  std::int64_t committed_ = 0;
};

}  // namespace akin::opensearch
