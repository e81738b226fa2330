#include "index/routed_catalog.h"

#include <algorithm>
#include <map>
#include <utility>

namespace akin {

namespace {

class RoutedCatalog final : public Catalog {
 public:
  RoutedCatalog(std::shared_ptr<Catalog> others, std::vector<Route> routes)
      : others_(std::move(others)), routes_(std::move(routes)) {
    for (const Route& route : routes_) {
      for (const std::string& name : route.names) by_name_.emplace(name, route.catalog.get());
    }
  }

  Result<std::vector<std::string>> list() const override {
    std::vector<std::string> names;
    AKIN_CHECK(add_names(others_.get(), names));
    for (const Route& route : routes_) AKIN_CHECK(add_names(route.catalog.get(), names));
    std::ranges::sort(names);
    return names;
  }

  Result<std::shared_ptr<Collection>> create(std::string_view name, std::string_view scheme, bool store_text,
                                             bool store_file) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->create(name, scheme, store_text, store_file);
  }
  Result<std::shared_ptr<Collection>> get(std::string_view name) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->get(name);
  }
  Result<CollectionSummary> describe(std::string_view name) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->describe(name);
  }
  Result<void> drop(std::string_view name) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->drop(name);
  }
  Result<std::optional<Time>> expiry(std::string_view name) const override {
    AKIN_TRY(const Catalog* catalog, of(name));
    return catalog->expiry(name);
  }
  Result<void> set_expiry(std::string_view name, const std::optional<Time>& expires) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->set_expiry(name, expires);
  }
  /// That of the oldest view.
  Result<std::optional<Staleness>> staleness() override {
    std::optional<Staleness> oldest;
    const auto add = [&](Catalog* catalog) -> Result<void> {
      if (catalog == nullptr) return {};
      AKIN_TRY(const std::optional<Staleness> one, catalog->staleness());
      if (one && (!oldest || one->age > oldest->age)) oldest = one;
      return {};
    };
    AKIN_CHECK(add(others_.get()));
    for (const Route& route : routes_) AKIN_CHECK(add(route.catalog.get()));
    return oldest;
  }
  Result<OutdatedCollections> outdated() override {
    OutdatedCollections all;
    const auto add = [&](Catalog* catalog) -> Result<void> {
      if (catalog == nullptr) return {};
      AKIN_TRY(OutdatedCollections own, catalog->outdated());
      std::erase_if(own.in_use, [&](const std::string& name) { return !is_in(catalog, name); });
      std::erase_if(own.unreadable, [&](const auto& one) { return !is_in(catalog, one.name); });
      std::ranges::move(own.in_use, std::back_inserter(all.in_use));
      std::ranges::move(own.unreadable, std::back_inserter(all.unreadable));
      return {};
    };
    AKIN_CHECK(add(others_.get()));
    for (const Route& route : routes_) AKIN_CHECK(add(route.catalog.get()));
    std::ranges::sort(all.in_use);
    std::ranges::sort(all.unreadable, {}, &UnreadableCollection::name);
    return all;
  }
  Result<std::vector<std::string>> quarantined() override {
    return of_all([](Catalog& catalog) { return catalog.quarantined(); });
  }
  Result<std::vector<std::string>> damaged() override {
    return of_all([](Catalog& catalog) { return catalog.damaged(); });
  }
  Result<bool> end_quarantine(std::string_view name) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->end_quarantine(name);
  }
  Result<std::optional<ScrubPass>> scrub(std::string_view name, const ScrubControl& control) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->scrub(name, control);
  }
  std::optional<ScrubPass> last_scrub(std::string_view name) const override {
    const auto catalog = of(name);
    return catalog.has_value() ? (*catalog)->last_scrub(name) : std::nullopt;
  }
  Result<std::optional<std::string>> packed_dictionary(std::string_view name) const override {
    AKIN_TRY(const Catalog* catalog, of(name));
    return catalog->packed_dictionary(name);
  }
  Result<StoreIdentity> identity(std::string_view name) const override {
    AKIN_TRY(const Catalog* catalog, of(name));
    return catalog->identity(name);
  }
  Result<void> reindex(std::string_view name, std::string_view scheme, const JobControl& control) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->reindex(name, scheme, control);
  }
  Result<Compaction> compact(std::string_view name, const JobControl& control) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->compact(name, control);
  }

  Result<std::shared_ptr<Store>> open_store(std::string_view name) const override {
    AKIN_TRY(const Catalog* catalog, of(name));
    return catalog->open_store(name);
  }
  Result<std::shared_ptr<Store>> open_for_update(std::string_view name) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->open_for_update(name);
  }
  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity,
      const std::optional<std::string>& packed) override {
    AKIN_TRY(Catalog * catalog, of(name));
    return catalog->begin_copy(name, identity, packed);
  }

  std::vector<std::shared_ptr<Collection>> open_now() override {
    std::vector<std::shared_ptr<Collection>> collections;
    const auto add = [&](Catalog* catalog) {
      if (catalog == nullptr) return;
      for (auto& collection : catalog->open_now()) {
        if (is_in(catalog, collection->name())) collections.push_back(std::move(collection));
      }
    };
    add(others_.get());
    for (const Route& route : routes_) add(route.catalog.get());
    std::ranges::sort(collections, {}, [](const auto& collection) { return collection->name(); });
    return collections;
  }

  /// In every store; an unreachable store does not stop the others.
  Result<std::vector<std::string>> drop_expired() override {
    std::vector<std::string> names;
    Result<void> outcome;
    const auto add = [&](Catalog* catalog) {
      if (catalog == nullptr) return;
      const auto dropped = catalog->drop_expired();
      if (dropped.has_error()) {
        outcome = dropped.error();
        return;
      }
      for (const std::string& name : *dropped) {
        if (is_in(catalog, name)) names.push_back(name);
      }
    };
    add(others_.get());
    for (const Route& route : routes_) add(route.catalog.get());
    if (names.empty()) AKIN_CHECK(outcome);
    return names;
  }

  /// In every store; an unreachable store does not stop the others.
  Result<void> erase_leftovers() override {
    Result<void> outcome;
    const auto erase = [&](Catalog* catalog) {
      if (catalog == nullptr) return;
      if (auto erased = catalog->erase_leftovers(); erased.has_error()) outcome = std::move(erased);
    };
    erase(others_.get());
    for (const Route& route : routes_) erase(route.catalog.get());
    return outcome;
  }

  Result<BackupManifest> backup(const BackupRequest& request) override {
    std::vector<std::string> asked = request.collections;
    if (asked.empty()) {
      for (const Route& route : routes_) AKIN_CHECK(add_names(route.catalog.get(), asked));
    }
    AKIN_CHECK(refuse_routed("backup", asked));
    if (others_ == nullptr) return nothing_here("backup");
    return others_->backup(request);
  }

  Result<RestoreReport> restore(const RestoreRequest& request) override {
    std::vector<std::string> asked = request.collections;
    if (!request.as.empty()) asked = {request.as};
    AKIN_CHECK(refuse_routed("restore", asked));
    if (others_ == nullptr) return nothing_here("restore");
    RestoreRequest of_others = request;
    if (asked.empty()) {
      of_others.allow = [this](const std::vector<std::string>& names) {
        return refuse_routed("restore", names);
      };
    }
    return others_->restore(of_others);
  }

 private:
  static Error nothing_here(std::string what) {
    return Error{Errc::not_found, std::move(what), "there is no data folder", "name it with --data"};
  }

  [[nodiscard]] Result<Catalog*> of(std::string_view name) const {
    const auto routed = by_name_.find(name);
    if (routed != by_name_.end()) return routed->second;
    if (others_ != nullptr) return others_.get();
    return Error{Errc::not_found, "collection '" + std::string(name) + "'", "there is no data folder",
                 "name it with --data"};
  }

  /// What `names_in` returns for each store, of the collections that belong there.
  template <class NamesIn>
  [[nodiscard]] Result<std::vector<std::string>> of_all(const NamesIn& names_in) {
    std::vector<std::string> names;
    const auto add = [&](Catalog* catalog) -> Result<void> {
      if (catalog == nullptr) return {};
      AKIN_TRY(const std::vector<std::string> found, names_in(*catalog));
      std::ranges::copy_if(found, std::back_inserter(names),
                           [&](const std::string& name) { return is_in(catalog, name); });
      return {};
    };
    AKIN_CHECK(add(others_.get()));
    for (const Route& route : routes_) AKIN_CHECK(add(route.catalog.get()));
    std::ranges::sort(names);
    return names;
  }

  [[nodiscard]] bool is_in(const Catalog* catalog, std::string_view name) const {
    const auto routed = by_name_.find(name);
    return (routed != by_name_.end() ? routed->second : others_.get()) == catalog;
  }

  [[nodiscard]] Result<void> add_names(const Catalog* catalog, std::vector<std::string>& names) const {
    if (catalog == nullptr) return {};
    AKIN_TRY(const std::vector<std::string> listed, catalog->list());
    std::ranges::copy_if(listed, std::back_inserter(names),
                         [&](const std::string& name) { return is_in(catalog, name); });
    return {};
  }

  [[nodiscard]] Result<void> refuse_routed(std::string what, const std::vector<std::string>& asked) const {
    std::string names;
    for (const std::string& name : asked) {
      if (by_name_.contains(name)) names += (names.empty() ? "'" : ", '") + name + "'";
    }
    if (names.empty()) return {};
    return Error{Errc::unsupported, std::move(what), "these collections are in databases: " + names,
                 "name the others with --only; databases are copied by their own tools (pg_dump -n akin)"};
  }

  const std::shared_ptr<Catalog> others_;
  const std::vector<Route> routes_;
  std::map<std::string, Catalog*, std::less<>> by_name_;
};

}  // namespace

std::shared_ptr<Catalog> route_collections(std::shared_ptr<Catalog> others, std::vector<Route> routes) {
  return std::make_shared<RoutedCatalog>(std::move(others), std::move(routes));
}

}  // namespace akin
