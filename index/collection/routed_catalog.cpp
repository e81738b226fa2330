#include "index/collection/routed_catalog.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace akin {

namespace {

class RoutedCatalog final : public Catalog {
 public:
  RoutedCatalog(std::shared_ptr<Catalog> others, const std::vector<Route>& routes)
      : others_(std::move(others)) {
    if (others_ != nullptr) stores_.push_back(others_);
    for (const Route& route : routes) {
      stores_.push_back(route.catalog);
      for (const std::string& name : route.names) by_name_.emplace(name, route.catalog.get());
    }
  }

  // Of one collection.
  Result<std::shared_ptr<Collection>> create(std::string_view name, std::string_view scheme, bool store_text,
                                             bool store_file, std::string_view languages) override {
    return forward(&Catalog::create, name, scheme, store_text, store_file, languages);
  }
  Result<std::shared_ptr<Collection>> get(std::string_view name) override {
    return forward(&Catalog::get, name);
  }
  Result<CollectionSummary> describe(std::string_view name) override {
    return forward(&Catalog::describe, name);
  }
  Result<void> drop(std::string_view name) override { return forward(&Catalog::drop, name); }
  Result<std::optional<Time>> expiry(std::string_view name) const override {
    return forward(&Catalog::expiry, name);
  }
  Result<void> set_expiry(std::string_view name, const std::optional<Time>& expires) override {
    return forward(&Catalog::set_expiry, name, expires);
  }
  Result<bool> end_quarantine(std::string_view name) override {
    return forward(&Catalog::end_quarantine, name);
  }
  Result<std::optional<ScrubPass>> scrub(std::string_view name, const ScrubControl& control) override {
    return forward(&Catalog::scrub, name, control);
  }
  std::optional<ScrubPass> last_scrub(std::string_view name) const override {
    const auto catalog = of(name);
    return catalog.has_value() ? (*catalog)->last_scrub(name) : std::nullopt;
  }
  Result<std::optional<std::string>> packed_dictionary(std::string_view name) const override {
    return forward(&Catalog::packed_dictionary, name);
  }
  Result<StoreIdentity> identity(std::string_view name) const override {
    return forward(&Catalog::identity, name);
  }
  Result<void> reindex(std::string_view name, std::string_view scheme, const JobControl& control) override {
    return forward(&Catalog::reindex, name, scheme, control);
  }
  Result<Compaction> compact(std::string_view name, const JobControl& control) override {
    return forward(&Catalog::compact, name, control);
  }
  Result<std::shared_ptr<Store>> open_store(std::string_view name) const override {
    return forward(&Catalog::open_store, name);
  }
  Result<std::shared_ptr<Store>> open_for_update(std::string_view name) override {
    return forward(&Catalog::open_for_update, name);
  }
  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity,
      const std::optional<std::string>& packed) override {
    return forward(&Catalog::begin_copy, name, identity, packed);
  }

  // Of all.
  Result<std::vector<std::string>> list() const override {
    return names_in([](const Catalog& catalog) { return catalog.list(); });
  }
  Result<std::vector<std::string>> quarantined() override {
    return names_in([](Catalog& catalog) { return catalog.quarantined(); });
  }
  Result<std::vector<std::string>> damaged() override {
    return names_in([](Catalog& catalog) { return catalog.damaged(); });
  }
  /// That of the oldest view.
  Result<std::optional<Staleness>> staleness() override {
    std::optional<Staleness> oldest;
    for (const auto& catalog : stores_) {
      AKIN_TRY(const std::optional<Staleness> one, catalog->staleness());
      if (one && (!oldest || one->age > oldest->age)) oldest = one;
    }
    return oldest;
  }
  Result<OutdatedCollections> outdated() override {
    OutdatedCollections all;
    for (const auto& catalog : stores_) {
      AKIN_TRY(OutdatedCollections own, catalog->outdated());
      std::erase_if(own.in_use, [&](const std::string& name) { return !is_in(*catalog, name); });
      std::erase_if(own.unreadable, [&](const auto& one) { return !is_in(*catalog, one.name); });
      std::ranges::move(own.in_use, std::back_inserter(all.in_use));
      std::ranges::move(own.unreadable, std::back_inserter(all.unreadable));
    }
    std::ranges::sort(all.in_use);
    std::ranges::sort(all.unreadable, {}, &UnreadableCollection::name);
    return all;
  }
  std::vector<std::shared_ptr<Collection>> open_now() override {
    std::vector<std::shared_ptr<Collection>> collections;
    for (const auto& catalog : stores_) {
      std::ranges::copy_if(catalog->open_now(), std::back_inserter(collections),
                           [&](const auto& collection) { return is_in(*catalog, collection->name()); });
    }
    std::ranges::sort(collections, {}, [](const auto& collection) { return collection->name(); });
    return collections;
  }
  /// In every store; an unreachable store does not stop the others.
  Result<std::vector<std::string>> drop_expired(const AskTime& lived) override {
    std::vector<std::string> names;
    Result<void> outcome;
    for (const auto& catalog : stores_) {
      const auto dropped = catalog->drop_expired(lived);
      if (dropped.has_error()) {
        outcome = dropped.error();
      } else {
        std::ranges::copy_if(*dropped, std::back_inserter(names),
                             [&](const std::string& name) { return is_in(*catalog, name); });
      }
    }
    if (names.empty()) AKIN_CHECK(outcome);
    return names;
  }
  /// In every store; an unreachable store does not stop the others.
  Result<void> erase_leftovers() override {
    Result<void> outcome;
    for (const auto& catalog : stores_) {
      if (auto erased = catalog->erase_leftovers(); erased.has_error()) outcome = std::move(erased);
    }
    return outcome;
  }

  Result<BackupManifest> backup(const BackupRequest& request) override {
    std::vector<std::string> asked = request.collections;
    if (asked.empty()) {
      AKIN_TRY(asked, list());
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
    return nothing_here("collection '" + std::string(name) + "'");
  }

  /// Calls a member of the store that a collection is in.
  template <class Member, class... Rest>
  [[nodiscard]] auto forward(Member member, std::string_view name, const Rest&... rest) const
      -> decltype((std::declval<Catalog&>().*member)(name, rest...)) {
    AKIN_TRY(Catalog* const catalog, of(name));
    return (catalog->*member)(name, rest...);
  }

  /// What `listed` returns for each store, of the collections that belong there.
  template <class Listed>
  [[nodiscard]] Result<std::vector<std::string>> names_in(const Listed& listed) const {
    std::vector<std::string> names;
    for (const auto& catalog : stores_) {
      AKIN_TRY(const std::vector<std::string> found, listed(*catalog));
      std::ranges::copy_if(found, std::back_inserter(names),
                           [&](const std::string& name) { return is_in(*catalog, name); });
    }
    std::ranges::sort(names);
    return names;
  }

  [[nodiscard]] bool is_in(const Catalog& catalog, std::string_view name) const {
    const auto routed = by_name_.find(name);
    return (routed != by_name_.end() ? routed->second : others_.get()) == &catalog;
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
  std::vector<std::shared_ptr<Catalog>> stores_;  ///< others_, if there is one, then those of the routes
  std::map<std::string, Catalog*, std::less<>> by_name_;
};

}  // namespace

std::shared_ptr<Catalog> route_collections(std::shared_ptr<Catalog> others,
                                           const std::vector<Route>& routes) {
  return std::make_shared<RoutedCatalog>(std::move(others), routes);
}

}  // namespace akin
