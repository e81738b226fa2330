#include <filesystem>
#include <utility>

#include "base/files.h"
#include "index/collection.h"
#include "index/copy/place.h"
#include "index/lmdb/collection_folder.h"
#include "index/lmdb/store.h"

namespace akin {
namespace {

constexpr const char* kCopyingPrefix = ".copying-";
/// Of opening a generation that somebody else replaces meanwhile.
constexpr int kAttempts = 10;

Generation first_generation() { return {1, random_token()}; }

class UnfinishedFolder final : public UnfinishedStore {
 public:
  UnfinishedFolder(CollectionFolder folder, std::filesystem::path target, FolderLock workshop,
                   std::shared_ptr<LmdbStore> store)
      : folder_(std::move(folder)),
        target_(std::move(target)),
        workshop_(std::move(workshop)),
        store_(std::move(store)) {}

  [[nodiscard]] Store& store() const noexcept override { return *store_; }

  Result<void> finish(const std::optional<Time>& expires) override {
    AKIN_CHECK(store_->sync());
    store_.reset();
    AKIN_CHECK(folder_.set_expiry(expires));
    AKIN_CHECK(folder_.switch_to(first_generation()));
    return rename_new(folder_.path(), target_);
  }

 private:
  CollectionFolder folder_;
  std::filesystem::path target_;
  FolderLock workshop_;
  std::shared_ptr<LmdbStore> store_;
};

class DataFolder final : public Place {
 public:
  DataFolder(std::filesystem::path collections, std::shared_ptr<Catalog> catalog)
      : collections_(std::move(collections)), catalog_(std::move(catalog)) {}

  Result<std::vector<std::string>> list() const override { return catalog_->list(); }

  Result<std::optional<PlacedStore>> find(const std::string& name) const override {
    AKIN_CHECK(check_collection_name(name));
    const CollectionFolder folder(collections_ / name);
    for (int attempt = 1;; ++attempt) {
      const Result<Generation> current = folder.current();
      if (current.has_error() && current.error().code == Errc::not_found) return std::optional<PlacedStore>();
      if (current.has_error()) return current.error();
      auto store = LmdbStore::open(folder.store_path(*current));
      if (store.has_error() && store.error().code == Errc::not_found && attempt < kAttempts) continue;
      if (store.has_error()) return store.error();
      AKIN_TRY(std::optional<Time> expires, folder.expiry());
      return std::optional(PlacedStore{*std::move(store), expires});
    }
  }

  Result<std::unique_ptr<UnfinishedStore>> begin(const std::string& name,
                                                 const StoreIdentity& identity) override {
    AKIN_CHECK(check_collection_name(name));
    const CollectionFolder folder(collections_ / (kCopyingPrefix + name));
    AKIN_CHECK(folder.make());
    AKIN_TRY(FolderLock workshop, folder.lock_workshop(std::chrono::milliseconds(0)));
    AKIN_TRY(std::shared_ptr<LmdbStore> store, open_or_make(folder.store_path(first_generation()), identity));
    return std::unique_ptr<UnfinishedStore>(std::make_unique<UnfinishedFolder>(
        folder, collections_ / name, std::move(workshop), std::move(store)));
  }

 private:
  static Result<std::shared_ptr<LmdbStore>> open_or_make(const std::filesystem::path& path,
                                                         const StoreIdentity& identity) {
    {
      auto left = LmdbStore::open(path);
      if (!left.has_error() && same_identity((*left)->identity(), identity)) return *std::move(left);
    }
    std::error_code failure;
    std::filesystem::remove_all(path, failure);
    if (failure) return system_error(failure.value(), path.string(), "remove what was left over");
    return LmdbStore::create(path, identity);
  }

  std::filesystem::path collections_;
  std::shared_ptr<Catalog> catalog_;
};

}  // namespace

Result<std::unique_ptr<Place>> open_data_folder(const std::string& folder, bool create) {
  AKIN_TRY(std::shared_ptr<Catalog> catalog, Catalog::open(folder, nullptr, "", create));
  return std::unique_ptr<Place>(
      std::make_unique<DataFolder>(std::filesystem::path(folder) / "collections", std::move(catalog)));
}

}  // namespace akin
