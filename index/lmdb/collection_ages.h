// Which collections were built with other dictionaries than those configured.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "index/collection.h"

namespace akin {

/// Remembers what it found out about each generation: a collection is opened once, not at every call. Members
/// may be called from any number of threads.
class CollectionAges {
 public:
  using GenerationOf = std::function<Result<Generation>(const std::string& name)>;
  using IdentityOf = std::function<Result<StoreIdentity>(const std::string& name)>;

  /// Those of `names` that are outdated (is_outdated), in the order given; unreadable ones are not.
  [[nodiscard]] std::vector<std::string> outdated(std::vector<std::string> names,
                                                  const Dictionary& configured,
                                                  const GenerationOf& generation_of,
                                                  const IdentityOf& identity_of);

 private:
  struct Age {
    Generation generation;
    bool outdated = false;
  };
  std::mutex mutex_;
  std::string configured_;           ///< fingerprint of the dictionaries that `ages_` compares with
  std::map<std::string, Age> ages_;  ///< by collection; both guarded by mutex_
};

}  // namespace akin
