#include "index/lmdb/open_collections.h"

#include <utility>

namespace akin {

std::shared_ptr<Collection> OpenCollections::find(std::string_view name, const Generation& generation) {
  const std::lock_guard guard(mutex_);
  const auto entry = entries_.find(name);
  if (entry == entries_.end() || entry->second.generation != generation) return nullptr;
  entry->second.last_use = ++uses_;
  return entry->second.opened.collection;
}

void OpenCollections::add(std::string_view name, const Generation& generation, Opened opened) {
  std::vector<Opened> closed;  // destroyed without the mutex: closing an environment takes time
  const std::lock_guard guard(mutex_);
  Entry& entry = entries_[std::string(name)];
  closed.push_back(std::exchange(entry.opened, std::move(opened)));
  entry.generation = generation;
  entry.last_use = ++uses_;
  while (entries_.size() > limit_) {
    const auto oldest = least_recently_used();
    if (oldest == entries_.end()) break;
    closed.push_back(std::move(oldest->second.opened));
    entries_.erase(oldest);
  }
}

void OpenCollections::remove(std::string_view name) {
  Opened closed;
  const std::lock_guard guard(mutex_);
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) return;
  closed = std::move(entry->second.opened);
  entries_.erase(entry);
}

std::vector<std::shared_ptr<Collection>> OpenCollections::all() const {
  const std::lock_guard guard(mutex_);
  std::vector<std::shared_ptr<Collection>> collections;
  collections.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) collections.push_back(entry.opened.collection);
  return collections;
}

OpenCollections::Entries::iterator OpenCollections::least_recently_used() {
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    // Others get a reference only from find() and all(), so under the mutex a sole owner stays one.
    const bool is_idle =
        entry->second.opened.collection.use_count() == 1 && entry->second.opened.store->is_idle();
    if (is_idle && (oldest == entries_.end() || entry->second.last_use < oldest->second.last_use))
      oldest = entry;
  }
  return oldest;
}

}  // namespace akin
