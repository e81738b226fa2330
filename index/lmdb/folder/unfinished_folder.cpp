#include "index/lmdb/folder/unfinished_folder.h"

#include <string>
#include <utility>

#include "base/file_lock.h"
#include "index/lmdb/documents/kept_dictionary.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/store/store.h"

namespace akin {
namespace {

constexpr std::string_view kCopyingPrefix = ".copying-";

Generation first_generation() { return {1, random_token()}; }

class UnfinishedFolder final : public UnfinishedCollection {
 public:
  UnfinishedFolder(CollectionFolder folder, std::filesystem::path target, FileLock maintenance,
                   std::shared_ptr<LmdbStore> store)
      : folder_(std::move(folder)),
        target_(std::move(target)),
        maintenance_(std::move(maintenance)),
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
  FileLock maintenance_;
  std::shared_ptr<LmdbStore> store_;
};

Result<std::shared_ptr<LmdbStore>> open_or_make(const std::filesystem::path& path,
                                                const StoreIdentity& identity) {
  {
    auto left = LmdbStore::open(path);
    if (!left.has_error() && same_content((*left)->identity(), identity)) return *std::move(left);
  }
  std::error_code failure;
  std::filesystem::remove_all(path, failure);
  if (failure) return system_error(failure.value(), path.string(), "remove what was left over");
  return LmdbStore::create(path, identity);
}

}  // namespace

Result<std::unique_ptr<UnfinishedCollection>> begin_folder(const std::filesystem::path& collections,
                                                           std::string_view name,
                                                           const StoreIdentity& identity,
                                                           const std::optional<std::string>& packed) {
  const CollectionFolder folder(collections / (std::string(kCopyingPrefix) + std::string(name)));
  AKIN_CHECK(folder.make());
  AKIN_TRY(FileLock maintenance, folder.lock_maintenance(std::chrono::milliseconds(0)));
  AKIN_TRY(std::shared_ptr<LmdbStore> store, open_or_make(folder.store_path(first_generation()), identity));
  if (packed) {
    AKIN_CHECK(
        keep_dictionary(folder.store_path(first_generation()), shared_dictionaries(collections), *packed));
  }
  return std::unique_ptr<UnfinishedCollection>(std::make_unique<UnfinishedFolder>(
      folder, collections / name, std::move(maintenance), std::move(store)));
}

}  // namespace akin
