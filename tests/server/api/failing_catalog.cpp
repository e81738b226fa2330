#include "tests/server/api/failing_catalog.h"

#include <utility>

namespace akin::test {

namespace {

class FailingStore final : public Store {
 public:
  explicit FailingStore(Error error) : error_(std::move(error)) {}
  const StoreIdentity& identity() const noexcept override { return identity_; }
  Result<PreparedDocument> prepare(NewDocument) const override { return PreparedDocument(); }
  Result<WriteResults> write(std::span<Change>, WriteMode) override { return error_; }
  Result<void> continue_after(Revision) override { return error_; }
  Result<void> flush_and_merge(bool) override { return error_; }
  Result<std::unique_ptr<Snapshot>> snapshot() const override { return error_; }

 private:
  Error error_;
  StoreIdentity identity_;
};

class OpenGuard final : public WriteGuard {
 public:
  Result<std::shared_ptr<void>> enter(const Generation&) const override {
    return std::shared_ptr<void>(std::make_shared<int>(0));
  }
  Result<bool> is_replaced(const Generation&) const override { return false; }
};

class FailingCatalog final : public Catalog {
 public:
  FailingCatalog(std::shared_ptr<Collection> collection, Error error)
      : collection_(std::move(collection)), error_(std::move(error)) {}

  Result<std::vector<std::string>> list() const override { return error_; }
  Result<std::shared_ptr<Collection>> create(std::string_view, std::string_view, bool, bool,
                                             std::string_view) override {
    return error_;
  }
  Result<std::shared_ptr<Collection>> get(std::string_view) override {
    if (error_.code == Errc::mismatch) return error_;
    return collection_;
  }
  Result<void> drop(std::string_view) override { return error_; }
  Result<std::optional<Time>> expiry(std::string_view) const override { return error_; }
  Result<void> set_expiry(std::string_view, const std::optional<Time>&) override { return error_; }
  Result<std::vector<std::string>> drop_expired(const AskTime&) override { return error_; }
  Result<StoreIdentity> identity(std::string_view) const override { return error_; }
  Result<void> reindex(std::string_view, std::string_view, const JobControl&) override { return error_; }
  Result<Compaction> compact(std::string_view, const JobControl&) override { return error_; }
  Result<std::shared_ptr<Store>> open_store(std::string_view) const override { return error_; }
  Result<std::shared_ptr<Store>> open_for_update(std::string_view) override { return error_; }
  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(std::string_view, const StoreIdentity&,
                                                           const std::optional<std::string>&) override {
    return error_;
  }
  Result<BackupManifest> backup(const BackupRequest&) override { return error_; }
  Result<RestoreReport> restore(const RestoreRequest&) override { return error_; }

 private:
  std::shared_ptr<Collection> collection_;
  Error error_;
};

}  // namespace

std::shared_ptr<Catalog> failing_catalog(std::shared_ptr<const Dictionary> dictionary, const Error& error) {
  return std::make_shared<FailingCatalog>(
      std::make_shared<Collection>(CollectionParts{.name = "broken",
                                                   .store = std::make_shared<FailingStore>(error),
                                                   .scheme = make_scheme(kDefaultScheme).value(),
                                                   .dictionary = std::move(dictionary),
                                                   .guard = std::make_shared<OpenGuard>(),
                                                   .generation = {.number = 1, .token = "token"},
                                                   .catalog = {}}),
      error);
}

}  // namespace akin::test
