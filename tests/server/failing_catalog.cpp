#include "tests/server/failing_catalog.h"

#include <utility>

#include "index/collection_folder.h"

namespace akin::testing {

namespace {

class FailingStore final : public Store {
 public:
  explicit FailingStore(Error error) : error_(std::move(error)) {}
  const StoreIdentity& identity() const noexcept override { return identity_; }
  Result<PutResult> put(const NewDocument&, const Precondition&) override { return error_; }
  Result<std::vector<PutResult>> put_instead(const std::vector<NewDocument>&,
                                             const std::vector<Version>&) override {
    return error_;
  }
  Result<std::vector<PutResult>> put_all(const std::vector<NewDocument>&) override { return error_; }
  Result<std::uint64_t> remove(const std::vector<std::string>&) override { return error_; }
  Result<bool> remove_if(std::string_view, const Precondition&) override { return error_; }
  Result<std::vector<Result<PutResult>>> apply(const std::vector<Change>&,
                                               const std::function<void()>&) override {
    return error_;
  }
  Result<void> continue_after(std::uint64_t) override { return error_; }
  Result<void> settle(bool) override { return error_; }
  Result<std::unique_ptr<Snapshot>> snapshot() const override { return error_; }

 private:
  Error error_;
  StoreIdentity identity_;
};

class FailingCatalog final : public Catalog {
 public:
  FailingCatalog(std::shared_ptr<Collection> collection, Error error)
      : collection_(std::move(collection)), error_(std::move(error)) {}

  Result<std::vector<std::string>> list() const override { return error_; }
  Result<std::shared_ptr<Collection>> create(std::string_view, std::string_view, bool) override {
    return error_;
  }
  Result<std::shared_ptr<Collection>> get(std::string_view) override {
    if (error_.code == Errc::mismatch) return error_;
    return collection_;
  }
  Result<void> drop(std::string_view) override { return error_; }
  Result<std::optional<Time>> expiry(std::string_view) const override { return error_; }
  Result<void> set_expiry(std::string_view, const std::optional<Time>&) override { return error_; }
  Result<std::vector<std::string>> drop_expired() override { return error_; }
  Result<StoreIdentity> identity(std::string_view) const override { return error_; }
  Result<void> reindex(std::string_view, std::string_view, const JobControl&) override { return error_; }
  Result<Compaction> compact(std::string_view, const JobControl&) override { return error_; }
  Result<BackupManifest> backup(const BackupRequest&) override { return error_; }
  Result<RestoreReport> restore(const RestoreRequest&) override { return error_; }

 private:
  std::shared_ptr<Collection> collection_;
  Error error_;
};

}  // namespace

std::shared_ptr<Catalog> failing_catalog(const std::filesystem::path& folder,
                                         std::shared_ptr<const Dictionary> dictionary, const Error& error) {
  const Generation generation{.number = 1, .token = "token"};
  const CollectionFolder files(folder / "broken");
  files.make().value();
  std::filesystem::create_directory(files.store_path(generation));
  files.switch_to(generation).value();
  return std::make_shared<FailingCatalog>(
      std::make_shared<Collection>(CollectionParts{.name = "broken",
                                                   .store = std::make_shared<FailingStore>(error),
                                                   .scheme = make_scheme(kDefaultScheme).value(),
                                                   .dictionary = std::move(dictionary),
                                                   .folder = files.path(),
                                                   .generation = generation,
                                                   .catalog = {}}),
      error);
}

}  // namespace akin::testing
