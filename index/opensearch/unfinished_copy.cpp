#include "index/opensearch/unfinished_copy.h"

#include <utility>

#include "base/files.h"
#include "index/opensearch/catalog/entry.h"
#include "index/opensearch/catalog/job.h"
#include "index/opensearch/store.h"

namespace akin::opensearch {
namespace {

class UnfinishedCopy final : public UnfinishedCollection {
 public:
  UnfinishedCopy(std::shared_ptr<Client> client, std::string name, std::unique_ptr<Job> job)
      : client_(std::move(client)), name_(std::move(name)), job_(std::move(job)) {}

  Result<void> open_or_make(const StoreIdentity& identity, const std::optional<std::string>& packed) {
    AKIN_TRY(const std::optional<Entry> left, read_entry(*client_, name_, EntryKind::copy));
    if (left) {
      AKIN_TRY(store_, ClusterStore::open(client_, left->store));
      if (same_content(store_->identity(), identity)) return {};
      AKIN_CHECK(remove_entry(*client_, name_, *left, EntryKind::copy));
      AKIN_CHECK(store_->retire(""));
    }
    std::string key;
    if (packed) {
      AKIN_TRY(key, keep_dictionary(*client_, *packed));
    }
    AKIN_TRY(store_, ClusterStore::create(client_, identity, key));
    AKIN_CHECK(
        make_entry(*client_, name_, {store_->name(), {1, random_token()}, std::nullopt}, EntryKind::copy));
    return {};
  }

  [[nodiscard]] Store& store() const noexcept override { return *store_; }

  Result<void> finish(const std::optional<Time>& expires) override {
    AKIN_TRY(const bool made, make_entry(*client_, name_, {store_->name(), {1, random_token()}, expires}));
    if (!made) return Error{Errc::already_exists, "collection '" + name_ + "'", "it was made meanwhile", ""};
    AKIN_TRY(const std::optional<Entry> copy, read_entry(*client_, name_, EntryKind::copy));
    if (copy) AKIN_CHECK(remove_entry(*client_, name_, *copy, EntryKind::copy));
    return {};
  }

 private:
  std::shared_ptr<Client> client_;
  std::string name_;
  std::unique_ptr<Job> job_;
  std::shared_ptr<ClusterStore> store_;
};

}  // namespace

Result<std::unique_ptr<UnfinishedCollection>> continue_copy(std::shared_ptr<Client> client,
                                                            std::string_view name,
                                                            const StoreIdentity& identity,
                                                            const std::optional<std::string>& packed) {
  AKIN_TRY(std::unique_ptr<Job> job, begin_job(client, name));
  auto unfinished = std::make_unique<UnfinishedCopy>(std::move(client), std::string(name), std::move(job));
  AKIN_CHECK(unfinished->open_or_make(identity, packed));
  return std::unique_ptr<UnfinishedCollection>(std::move(unfinished));
}

}  // namespace akin::opensearch
