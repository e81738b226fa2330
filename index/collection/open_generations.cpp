#include "index/collection/open_generations.h"

namespace akin {

std::shared_ptr<Collection> OpenGenerations::find(std::string_view name, const Generation& generation) const {
  const std::lock_guard guard(mutex_);
  const auto known = open_.find(name);
  const bool is_open = known != open_.end() && known->second->generation() == generation;
  return is_open ? known->second : nullptr;
}

void OpenGenerations::add(const std::shared_ptr<Collection>& collection) {
  const std::lock_guard guard(mutex_);
  open_.insert_or_assign(std::string(collection->name()), collection);
}

void OpenGenerations::remove(std::string_view name) {
  const std::lock_guard guard(mutex_);
  if (const auto known = open_.find(name); known != open_.end()) open_.erase(known);
}

std::vector<std::shared_ptr<Collection>> OpenGenerations::all() const {
  const std::lock_guard guard(mutex_);
  std::vector<std::shared_ptr<Collection>> collections;
  collections.reserve(open_.size());
  for (const auto& [name, collection] : open_) collections.push_back(collection);
  return collections;
}

}  // namespace akin
