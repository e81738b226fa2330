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

/// Those that were used last. A document is never changed, and no other has its number, so that what is kept
/// is never out of date, unless an older snapshot of the cluster is restored. Any number of threads.
class PartCache {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  /// Forgets all if fewer turns were committed (head.h) than at the last call: then numbers are given again.
  void note_committed(std::int64_t turns) {
    const std::lock_guard guard(mutex_);
    if (turns >= std::exchange(committed_, turns)) return;
    recent_.clear();
    older_.clear();
    held_ = 0;
  }
  /// Null if it is not kept.
  [[nodiscard]] Bytes find(std::int64_t number, PartKind kind) {
    const std::lock_guard guard(mutex_);
    if (const auto found = recent_.find({number, kind}); found != recent_.end()) return found->second;
    const auto found = older_.extract({number, kind});
    return found.empty() ? nullptr : add(found.key(), std::move(found.mapped()));
  }
  void keep(std::int64_t number, PartKind kind, std::string bytes) {
    const std::lock_guard guard(mutex_);
    add({number, kind}, std::make_shared<const std::string>(std::move(bytes)));
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
  using Key = std::pair<std::int64_t, PartKind>;
  /// Requires mutex_.
  Bytes add(const Key& key, Bytes bytes) {
    if (held_ + bytes->size() > kMostBytes / 2) {
      older_ = std::exchange(recent_, {});
      held_ = 0;
    }
    if (recent_.emplace(key, bytes).second) held_ += bytes->size();
    return bytes;
  }

  std::mutex mutex_;                     ///< guards the members below
  std::map<Key, Bytes> recent_, older_;  ///< the newer half of kMostBytes, and what has been in it
  std::size_t held_ = 0;                 ///< bytes of the recent ones
  std::int64_t committed_ = 0;
};

}  // namespace akin::opensearch
