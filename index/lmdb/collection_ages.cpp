#include "index/lmdb/collection_ages.h"

#include <utility>

#include "index/dictionaries.h"

namespace akin {

std::vector<std::string> CollectionAges::outdated(std::vector<std::string> names,
                                                  const Dictionary& configured,
                                                  const GenerationOf& generation_of,
                                                  const IdentityOf& identity_of) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(configured_, configured.synonym_fingerprint()) != configured.synonym_fingerprint())
    ages_.clear();
  std::map<std::string, Age> before = std::exchange(ages_, {});
  std::erase_if(names, [&](const std::string& name) {
    const Result<Generation> generation = generation_of(name);
    if (generation.has_error()) return true;
    auto known = before.extract(name);
    if (known.empty() || known.mapped().generation != *generation) {
      const Result<StoreIdentity> built = identity_of(name);
      if (built.has_error()) return true;
      return !ages_.emplace(name, Age{*generation, is_outdated(*built, configured)}).first->second.outdated;
    }
    return !ages_.insert(std::move(known)).position->second.outdated;
  });
  return names;
}

}  // namespace akin
