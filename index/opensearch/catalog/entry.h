// What the catalog's index says of collections: which store each is in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "index/collection/collection.h"
#include "index/opensearch/documents/head.h"

namespace akin::opensearch {

/// Of a collection, or of one that is being copied.
struct Entry {
  StoreName store;       ///< empty until the collection exists
  StoreName unfinished;  ///< the one that a copy or reindex fills, or one that was killed; empty: none
  Generation generation;
  std::optional<Time> expires;
  Version version = {};
};

[[nodiscard]] bool is_expired(const Entry& entry);

/// Nothing if there is none with this name; it may have expired.
[[nodiscard]] Result<std::optional<Entry>> read_entry(Client& client, std::string_view name);
/// Error: not_found (the collection does not exist, or has expired).
[[nodiscard]] Result<Entry> current_entry(Client& client, std::string_view name);
/// The same. A store that has a successor is replaced by it first: a switch counts from the moment when the
/// old store was retired for it.
[[nodiscard]] Result<Entry> settled_entry(Client& client, std::string_view name);

/// Changes an entry. False if another process has changed it since it was read, or has made the
/// one that was to be new.
[[nodiscard]] Result<bool> write_entry(Client& client, std::string_view name, Entry& entry);
/// Changes that of a collection, whatever other processes change meanwhile. Error: as current_entry.
[[nodiscard]] Result<Entry> change_entry(Client& client, std::string_view name,
                                         const std::function<void(Entry&)>& change);

/// The collections that have not expired, in byte order.
[[nodiscard]] Result<std::vector<std::pair<std::string, Entry>>> all_entries(Client& client, bool expired);

/// Keeps what a store is built with, for all stores that are; the key for Head::dictionary.
[[nodiscard]] Result<std::string> keep_dictionary(Client& client, std::string_view packed);
/// Unchecked; nothing if the key is empty.
[[nodiscard]] Result<std::optional<std::string>> kept_dictionary(Client& client, const std::string& key);

/// Drops the stores that were retired ten minutes ago or earlier. A store of which no head is known stays:
/// its head may be in a newer snapshot.
[[nodiscard]] Result<void> drop_retired(const std::shared_ptr<Client>& client);

}  // namespace akin::opensearch
