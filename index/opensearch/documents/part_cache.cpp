#include "index/opensearch/documents/part_cache.h"

namespace akin::opensearch {

void PartCache::note_committed(std::int64_t turns) {
  const std::lock_guard guard(mutex_);
  if (turns < committed_) {
    recent_.clear();
    older_.clear();
    held_ = 0;
  }
  committed_ = turns;
}

PartCache::Bytes PartCache::find(std::int64_t number, PartKind kind) {
  const std::lock_guard guard(mutex_);
  if (const auto found = recent_.find({number, kind}); found != recent_.end()) return found->second;
  const auto found = older_.extract({number, kind});
  return found.empty() ? nullptr : add(found.key(), std::move(found.mapped()));
}

void PartCache::keep(std::int64_t number, PartKind kind, std::string bytes) {
  const std::lock_guard guard(mutex_);
  add({number, kind}, std::make_shared<const std::string>(std::move(bytes)));
}

PartCache::Bytes PartCache::add(const Key& key, Bytes bytes) {
  if (held_ + bytes->size() > kMostBytes / 2) {
    older_ = std::exchange(recent_, {});
    held_ = 0;
  }
  if (recent_.emplace(key, bytes).second) held_ += bytes->size();
  return bytes;
}

}  // namespace akin::opensearch
