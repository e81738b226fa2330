// A catalog that answers only when the test lets it: /readyz then takes as long as the test wants.
#pragma once

#include <atomic>
#include <chrono>
#include <semaphore>

#include "index/collection/catalog.h"

namespace akin::test {

class BlockingCatalog final : public Catalog {
 public:
  /// Waits until somebody is waiting for the list.
  void await_listing() { entered_.acquire(); }
  /// Lets one list be given.
  void let_list() { released_.release(); }

  /// Lets the age of the view be given once.
  void let_tell_age(std::chrono::microseconds age) {
    age_ = age;
    told_.release();
  }

  Result<std::optional<Staleness>> staleness() override {
    told_.acquire();
    return std::optional(Staleness{age_, 0});
  }
  Result<std::vector<std::string>> list() const override {
    entered_.release();
    released_.acquire();
    return std::vector<std::string>();
  }
  Result<std::shared_ptr<Collection>> create(std::string_view, std::string_view, bool, bool,
                                             std::string_view) override {
    return refused();
  }
  Result<std::shared_ptr<Collection>> get(std::string_view) override { return refused(); }
  Result<void> drop(std::string_view) override { return refused(); }
  Result<std::optional<Time>> expiry(std::string_view) const override { return refused(); }
  Result<void> set_expiry(std::string_view, const std::optional<Time>&) override { return refused(); }
  Result<std::vector<std::string>> drop_expired(const AskTime&) override { return refused(); }
  Result<StoreIdentity> identity(std::string_view) const override { return refused(); }
  Result<void> reindex(std::string_view, std::string_view, const JobControl&) override { return refused(); }
  Result<Compaction> compact(std::string_view, const JobControl&) override { return refused(); }
  Result<std::shared_ptr<Store>> open_store(std::string_view) const override { return refused(); }
  Result<std::shared_ptr<Store>> open_for_update(std::string_view) override { return refused(); }
  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(std::string_view, const StoreIdentity&,
                                                           const std::optional<std::string>&) override {
    return refused();
  }
  Result<BackupManifest> backup(const BackupRequest&) override { return refused(); }
  Result<RestoreReport> restore(const RestoreRequest&) override { return refused(); }

 private:
  static Error refused() { return Error{Errc::unsupported, "catalog", "can only be listed", "list it"}; }

  mutable std::counting_semaphore<> entered_{0};
  mutable std::counting_semaphore<> released_{0};
  std::atomic<std::chrono::microseconds> age_ = std::chrono::microseconds(0);
  std::counting_semaphore<> told_{0};
};

}  // namespace akin::test
