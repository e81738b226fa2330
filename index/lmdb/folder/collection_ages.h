// Which collections were built with other dictionaries than those configured, or by another akin.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"

namespace akin {

/// Remembers what it found out about each generation: a collection is examined once, not at every call.
/// Members may be called from any number of threads.
class CollectionAges {
 public:
  /// What a catalog knows of a collection.
  struct Source {
    /// Whether there is, or may be, a collection of this name.
    std::function<bool(const std::string& name)> exists;
    std::function<Result<Generation>(const std::string& name)> generation;
    std::function<Result<StoreIdentity>(const std::string& name)> identity;
    /// check_readable.
    std::function<Result<void>(const std::string& name, const StoreIdentity& built)> readable;
  };

  /// As Catalog::outdated, of `names`, in the order given.
  [[nodiscard]] OutdatedCollections outdated(const std::vector<std::string>& names,
                                             Dictionaries& dictionaries, const Source& source);
  /// Call after a collection could be opened: what made it unreadable may have been repaired in its files.
  void forget_unreadable(std::string_view name);

 private:
  struct Age {
    Generation generation;
    bool outdated = false;
    std::optional<Error> unreadable;
  };
  std::mutex mutex_;
  std::uint64_t version_ = 0;                     ///< of the dictionaries that `ages_` compares with
  std::map<std::string, Age, std::less<>> ages_;  ///< by collection; both guarded by mutex_
};

}  // namespace akin
