// The collections that a catalog has open: the least recently used ones are closed above a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/collection.h"
#include "index/lmdb/store/store.h"

namespace akin {

/// An open collection takes descriptors, address space and up to 3 MB of memory. Above `limit`, each further
/// one closes those that were not asked for for the longest time. One in use stays open: somebody else holds
/// it or a snapshot of it, or postings are being merged; so there may be more than `limit` for a while.
/// Thread-safe.
class OpenCollections {
 public:
  struct Opened {
    std::shared_ptr<Collection> collection;
    std::shared_ptr<const LmdbStore> store;  ///< the collection's
  };

  explicit OpenCollections(std::size_t limit) noexcept : limit_(limit) {}

  /// Null unless this generation is open.
  [[nodiscard]] std::shared_ptr<Collection> find(std::string_view name, const Generation& generation);
  /// Replaces the one with this name.
  void add(std::string_view name, const Generation& generation, Opened opened);
  /// Does nothing if it is not open. Its users keep it.
  void remove(std::string_view name);
  /// In byte order of their names.
  [[nodiscard]] std::vector<std::shared_ptr<Collection>> all() const;

 private:
  struct Entry {
    Generation generation;
    Opened opened;
    std::uint64_t last_use = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  /// The idle entry that was used least recently; requires the mutex.
  [[nodiscard]] Entries::iterator least_recently_used();

  const std::size_t limit_;
  mutable std::mutex mutex_;  ///< guards what follows
  Entries entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace akin
