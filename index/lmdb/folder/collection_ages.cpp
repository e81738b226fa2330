#include "index/lmdb/folder/collection_ages.h"

#include <utility>

#include "base/waiting.h"
#include "index/collection/readable.h"

namespace akin {

OutdatedCollections CollectionAges::outdated(const std::vector<std::string>& names,
                                             Dictionaries& dictionaries, const Source& source) {
  const auto lock = lock_waiting(mutex_);
  const std::uint64_t version = dictionaries.version();
  if (std::exchange(version_, version) != version) ages_.clear();
  auto before = std::exchange(ages_, {});
  OutdatedCollections found;
  for (const std::string& name : names) {
    const Result<Generation> generation = source.generation(name);
    if (generation.has_error()) {
      if (generation.error().code != Errc::not_found && source.exists(name))
        found.unreadable.push_back({name, generation.error()});
      continue;
    }
    auto known = before.extract(name);
    if (known.empty() || known.mapped().generation != *generation) {
      const Result<StoreIdentity> built = source.identity(name);
      if (built.has_error()) {
        if (is_of_contents(built.error()) || built.error().code == Errc::io)
          found.unreadable.push_back({name, built.error()});
        continue;
      }
      Age age{*generation, is_outdated(*built, dictionaries), std::nullopt};
      const Result<void> readable = age.outdated ? source.readable(name, *built) : Result<void>();
      if (readable.has_error() && !is_of_contents(readable.error())) continue;
      if (readable.has_error()) age.unreadable = readable.error();
      ages_.emplace(name, std::move(age));
    } else {
      ages_.insert(std::move(known));
    }
    const Age& age = ages_.find(name)->second;
    if (age.unreadable) {
      found.unreadable.push_back({name, *age.unreadable});
    } else if (age.outdated) {
      found.in_use.push_back(name);
    }
  }
  return found;
}

void CollectionAges::forget_unreadable(std::string_view name) {
  const auto lock = lock_waiting(mutex_);
  const auto known = ages_.find(name);
  if (known != ages_.end() && known->second.unreadable) ages_.erase(known);
}

}  // namespace akin
