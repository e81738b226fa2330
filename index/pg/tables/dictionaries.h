// The dictionaries that stores were built with, in the database, where all servers find them.
//
//   akin.dictionaries        what Dictionary::packed gave, by its fingerprint
//   akin.store_dictionaries  which of them a store was built with
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "dict/dictionary.h"
#include "index/collection/catalog.h"
#include "index/collection/readable.h"
#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// Records what a store is built with, in the transaction of `connection` if there is one.
[[nodiscard]] Result<void> keep_dictionary(Connection& connection, StoreNumber store,
                                           std::string_view packed);

/// The dictionaries of a store, unchecked; nothing if it has none.
[[nodiscard]] Result<std::optional<std::string>> kept_dictionary(Connection& connection, StoreNumber store);

/// Remembers the fingerprints of kept dictionaries, which many stores share: reading one takes milliseconds.
/// Members may be called from any number of threads.
class KnownDictionaries {
 public:
  /// Those of the dictionaries that a store was built with. Errors also: those of the database.
  [[nodiscard]] KeptFingerprints fingerprints(Connection& connection, StoreNumber store);

 private:
  std::mutex mutex_;
  std::map<std::string, KeptFingerprints, std::less<>> known_;  ///< by their key in the database
};

/// As Catalog::outdated.
[[nodiscard]] Result<OutdatedCollections> outdated_collections(Connection& connection,
                                                               Dictionaries& dictionaries,
                                                               KnownDictionaries& known);

/// Drops those that no store has.
[[nodiscard]] Result<void> drop_unused_dictionaries(Connection& connection);

}  // namespace akin::pg
