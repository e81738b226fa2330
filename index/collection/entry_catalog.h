// What the catalogs of databases and clusters do alike: a name leads to an entry, and the entry to the store
// in use.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/turns_by_name.h"
#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"
#include "index/collection/generation_switch.h"
#include "index/collection/open_generations.h"

namespace akin {

/// Why collections of a database or cluster have no backup and restore of akin's, and what is to be used.
struct OwnCopies {
  const char *reason, *backup, *restore;
};

/// `Entries` is copied into what may outlive the catalog, and has
/// - current(name): the entry of a collection, with its `generation` and `expires`, or not_found;
/// - settled(name): the same, after a switch that another process has begun;
/// - open(entry), identity(entry) and dictionary(entry) of its store: a shared pointer to it, its identity,
///   and as Catalog::packed_dictionary;
/// - kCopies.
template <class Entries>
class EntryCatalog : public Catalog, public std::enable_shared_from_this<EntryCatalog<Entries>> {
 public:
  EntryCatalog(Entries entries, std::shared_ptr<Dictionaries> dictionaries)
      : entries_(std::move(entries)), dictionaries_(std::move(dictionaries)) {}

  Result<std::shared_ptr<Collection>> get(std::string_view name) override {
    AKIN_TRY(auto entry, entries_.current(name));
    if (auto known = open_.find(name, entry.generation)) return known;
    const TurnsByName::Turn turn(opening_, name);
    AKIN_TRY(entry, entries_.settled(name));
    if (auto known = open_.find(name, entry.generation)) return known;
    AKIN_TRY(std::shared_ptr<Store> store, entries_.open(entry));
    auto guard = make_write_guard([entries = entries_, name = std::string(name)]() -> Result<Generation> {
      AKIN_TRY(const auto in_use, entries.settled(name));
      return in_use.generation;
    });
    AKIN_TRY(std::shared_ptr<Collection> collection,
             Collection::open({std::string(name), std::move(store), nullptr, nullptr, std::move(guard),
                               entry.generation, this->weak_from_this()},
                              *dictionaries_, [&] { return entries_.dictionary(entry); }));
    open_.add(collection);
    return collection;
  }

  Result<BackupManifest> backup(const BackupRequest&) override {
    return Error{Errc::unsupported, "backup", Entries::kCopies.reason, Entries::kCopies.backup};
  }
  Result<RestoreReport> restore(const RestoreRequest&) override {
    return Error{Errc::unsupported, "restore", Entries::kCopies.reason, Entries::kCopies.restore};
  }

  std::vector<std::shared_ptr<Collection>> open_now() override { return open_.all(); }

  Result<std::optional<Time>> expiry(std::string_view name) const override {
    AKIN_TRY(const auto entry, entries_.current(name));
    return entry.expires;
  }

  Result<std::optional<std::string>> packed_dictionary(std::string_view name) const override {
    AKIN_TRY(const auto entry, entries_.settled(name));
    return entries_.dictionary(entry);
  }

  Result<StoreIdentity> identity(std::string_view name) const override {
    AKIN_TRY(const auto entry, entries_.settled(name));
    return entries_.identity(entry);
  }

  Result<std::shared_ptr<Store>> open_store(std::string_view name) const override {
    AKIN_TRY(const auto entry, entries_.settled(name));
    AKIN_TRY(std::shared_ptr<Store> store, entries_.open(entry));
    return store;
  }

 protected:
  const Entries entries_;
  const std::shared_ptr<Dictionaries> dictionaries_;
  OpenGenerations open_;

 private:
  TurnsByName opening_;
};

}  // namespace akin
