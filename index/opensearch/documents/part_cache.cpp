#include "index/opensearch/documents/part_cache.h"

namespace akin::opensearch {

void PartCache::note_committed(std::int64_t turns) {
  const std::lock_guard guard(mutex_);
  if (turns < committed_) {
    by_key_.clear();
    entries_.clear();
    held_ = 0;
  }
  committed_ = turns;
}

PartCache::Bytes PartCache::find(std::int64_t number, PartKind kind) {
  const std::lock_guard guard(mutex_);
  const auto found = by_key_.find({number, kind});
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

void PartCache::keep(std::int64_t number, PartKind kind, std::string bytes) {
  const std::lock_guard guard(mutex_);
  const Key key{number, kind};
  if (by_key_.contains(key)) return;
  held_ += bytes.size();
  entries_.emplace_front(key, std::make_shared<const std::string>(std::move(bytes)));
  by_key_.emplace(key, entries_.begin());
  while (held_ > kMostBytes) {
    const auto& [oldest, its_bytes] = entries_.back();
    held_ -= its_bytes->size();
    by_key_.erase(oldest);
    entries_.pop_back();
  }
}

}  // namespace akin::opensearch
