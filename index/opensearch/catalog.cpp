#include "index/opensearch/catalog.h"

#include <utility>
#include <vector>

#include "base/background_failures.h"
#include "base/files.h"
#include "base/waiting.h"
#include "index/collection/collection_name.h"
#include "index/collection/entry_catalog.h"
#include "index/collection/new_collection.h"
#include "index/collection/readable.h"
#include "index/collection/transfer.h"
#include "index/opensearch/catalog/entry.h"
#include "index/opensearch/catalog/job.h"
#include "index/opensearch/store.h"
#include "index/write/derived_features.h"

namespace akin::opensearch {
namespace {

/// Writers wait for the turn that the switch takes.
class ClusterSwitch final : public CopyingSwitch {
 public:
  ClusterSwitch(ClusterStore& from, ClusterStore& to, Transfer& transfer)
      : CopyingSwitch(from, to, transfer), old_(from), successor_(to.name()) {}

  /// A merge here would leave a shard that cannot be allocated where a node is lost meanwhile.
  [[nodiscard]] Result<void> prepare() override {
    transfer_.begin_phase("merging");
    return {};
  }
  [[nodiscard]] Result<Revision> stop_writers() override {
    AKIN_TRY(const Revision last, old_.stop_others());
    AKIN_CHECK(follow_writes());
    return last;
  }
  /// Retires the old store for the new one: from then on what reads the collection's entry takes the new
  /// one.
  [[nodiscard]] Result<void> switch_over() override { return old_.retire(successor_); }

 private:
  ClusterStore& old_;
  const StoreName successor_;
};

class UnfinishedCopy final : public UnfinishedCollection {
 public:
  /// `entry`: as new_entry gives it.
  UnfinishedCopy(std::string_view name, Job job, Entry entry)
      : name_(name), job_(std::move(job)), entry_(std::move(entry)) {}

  Result<void> open_or_make(const StoreIdentity& identity, const std::optional<std::string>& packed) {
    const StoreName left = entry_.unfinished;
    if (!left.empty()) {
      AKIN_TRY(store_, ClusterStore::open(job_.client, left));
      if (same_content(store_->identity(), identity)) return {};
    }
    AKIN_TRY(store_, ClusterStore::create(job_.client, identity, packed));
    entry_.unfinished = store_->name();
    AKIN_CHECK(write());
    return left.empty() ? Result<void>() : ClusterStore({job_.client, left}, {}).retire("");
  }

  [[nodiscard]] Store& store() const noexcept override { return *store_; }

  Result<void> finish(const std::optional<Time>& expires) override {
    entry_.store = std::exchange(entry_.unfinished, "");
    entry_.generation = {1, random_token()};
    entry_.expires = expires;
    return write();
  }

 private:
  Result<void> write() {
    AKIN_TRY(const bool written, write_entry(*job_.client, name_, entry_));
    if (written) return {};
    return Error{Errc::already_exists, "collection '" + name_ + "'", "it was made meanwhile", ""};
  }

  const std::string name_;
  const Job job_;
  Entry entry_;
  std::shared_ptr<ClusterStore> store_;
};

struct ClusterEntries {
  static constexpr OwnCopies kCopies{"collections in a cluster are copied by its own snapshots",
                                     "take one of all its indices together",
                                     "restore one of all its indices"};
  std::shared_ptr<Client> client;

  [[nodiscard]] Result<Entry> current(std::string_view name) const { return current_entry(*client, name); }
  [[nodiscard]] Result<Entry> settled(std::string_view name) const { return settled_entry(*client, name); }
  [[nodiscard]] Result<std::shared_ptr<ClusterStore>> open(const Entry& entry) const {
    return ClusterStore::open(client, entry.store);
  }
  [[nodiscard]] Result<StoreIdentity> identity(const Entry& entry) const {
    AKIN_TRY(Head head, read_head(*client, entry.store));
    return std::move(head.identity);
  }
  [[nodiscard]] Result<std::optional<std::string>> dictionary(const Entry& entry) const {
    AKIN_TRY(const Head head, read_head(*client, entry.store));
    return kept_dictionary(*client, head.dictionary);
  }
};

class ClusterCatalog final : public EntryCatalog<ClusterEntries> {
 public:
  using EntryCatalog::EntryCatalog;

  Result<std::vector<std::string>> list() const override {
    AKIN_TRY(const auto entries, all_entries(*entries_.client, false));
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries) names.push_back(name);
    return names;
  }

  Result<std::shared_ptr<Collection>> create(std::string_view name, std::string_view scheme_spec,
                                             bool store_text, bool store_file,
                                             std::string_view wanted_languages) override {
    AKIN_TRY(const NewBuild build,
             plan_collection({name, scheme_spec, store_text, store_file, wanted_languages}, *dictionaries_));
    AKIN_TRY(Entry entry, new_entry(name));
    AKIN_TRY(const auto store,
             ClusterStore::create(entries_.client, build.identity, build.dictionary->packed()));
    entry.store = store->name();
    entry.generation = {1, random_token()};
    AKIN_TRY(const bool made, write_entry(*entries_.client, name, entry));
    if (made) return get(name);
    AKIN_CHECK(store->retire(""));
    return collection_exists(name);
  }

  Result<void> drop(std::string_view name) override {
    AKIN_TRY(const Begun begun, begin(name));
    return drop_entry(name, begun.entry);
  }

  Result<void> set_expiry(std::string_view name, const std::optional<Time>& expires) override {
    AKIN_CHECK(change_entry(*entries_.client, name, [&](Entry& entry) { entry.expires = expires; }));
    return {};
  }

  Result<std::vector<std::string>> drop_expired(const AskTime& lived) override {
    note_failure_of(Round::drop_unused_stores, drop_retired(entries_.client));
    AKIN_TRY(const auto expired, all_entries(*entries_.client, true));
    std::vector<std::string> names;
    if (expired.empty()) return names;
    AKIN_TRY(const Time time, lived());
    for (const auto& [name, entry] : expired) {
      if (*entry.expires > time) continue;
      AKIN_CHECK(drop_entry(name, entry));
      names.push_back(name);
    }
    return names;
  }

  Result<void> erase_leftovers() override {
    for (const auto& collection : open_now()) {
      const Result<Entry> entry = current_entry(*entries_.client, collection->name());
      if (entry.has_error() || entry->generation != collection->generation()) continue;
      AKIN_CHECK(collection->flush_and_merge());
    }
    return {};
  }

  Result<OutdatedCollections> outdated() override {
    OutdatedCollections found;
    if (dictionaries_ == nullptr) return found;
    AKIN_CHECK(dictionaries_->configured());
    AKIN_TRY(const auto entries, all_entries(*entries_.client, false));
    for (const auto& [name, entry] : entries) {
      AKIN_TRY(const StoreIdentity built, entries_.identity(entry));
      if (!is_outdated(built, *dictionaries_)) continue;
      const auto kept = [&, &entry = entry]() -> KeptFingerprints {
        AKIN_TRY(const std::optional<std::string> packed, entries_.dictionary(entry));
        return packed ? fingerprints_of_kept(*packed) : std::optional<DictionaryFingerprints>();
      };
      AKIN_CHECK(add_outdated(found, name, check_readable(name, built, *dictionaries_, kept)));
    }
    return found;
  }

  Result<std::shared_ptr<Store>> open_for_update(std::string_view name) override {
    AKIN_TRY(Begun begun, begin(name));
    AKIN_TRY(const std::shared_ptr<Store> store, begun.store());
    const auto held = std::make_shared<std::pair<Job, std::shared_ptr<Store>>>(begun.job, store);
    return std::shared_ptr<Store>(held, store.get());
  }

  Result<std::unique_ptr<UnfinishedCollection>> begin_copy(
      std::string_view name, const StoreIdentity& identity,
      const std::optional<std::string>& packed) override {
    AKIN_TRY(Job job, begin_job(*entries_.client, name));
    AKIN_TRY(Entry entry, new_entry(name));
    auto unfinished = std::make_unique<UnfinishedCopy>(name, std::move(job), std::move(entry));
    AKIN_CHECK(unfinished->open_or_make(identity, packed));
    return std::unique_ptr<UnfinishedCollection>(std::move(unfinished));
  }

  Result<void> reindex(std::string_view name, std::string_view scheme_spec,
                       const JobControl& control) override {
    AKIN_TRY(const Begun begun, begin(name));
    AKIN_TRY(const auto from, begun.store());
    AKIN_TRY(const Reindex next, plan_reindex("collection '" + std::string(name) + "'", from->identity(),
                                              {*dictionaries_, scheme_spec}));
    AKIN_TRY(const auto to,
             ClusterStore::create(begun.job.client, next.identity, next.analysis.dictionary->packed()));
    AKIN_CHECK(change_entry(*begun.job.client, name, [&](Entry& entry) { entry.unfinished = to->name(); }));
    let_derive(*to, next.analysis.scheme, next.analysis.dictionary);
    Transfer transfer(next.analysis, control);
    ClusterSwitch engine(*from, *to, transfer);
    Result<void> replaced = replace_generation(engine, transfer);
    const Result<Entry> ended = end_reindex(begun.job.client, name);
    return replaced.has_error() || !ended.has_error() ? replaced : ended.error();
  }

  Result<Compaction> compact(std::string_view name, const JobControl& control) override {
    AKIN_TRY(const Begun begun, begin(name));
    AKIN_TRY(const auto store, begun.store());
    const Transfer progress({}, control);
    Compaction done;
    AKIN_TRY(done.bytes_before, disk_bytes(*store));
    const WorkUnder under(nullptr, control.stop);
    const Result<void> merged = store->flush_and_merge(true);
    AKIN_CHECK(progress.check_stop());
    AKIN_CHECK(merged);
    AKIN_TRY(done.bytes_after, disk_bytes(*store));
    return done;
  }

 private:
  /// Ends the last reindex of a collection on which no other process works: drops what it has built, unless
  /// that is in use. Returns the collection's entry.
  [[nodiscard]] static Result<Entry> end_reindex(const std::shared_ptr<Client>& client,
                                                 std::string_view name) {
    AKIN_TRY(Entry entry, settled_entry(*client, name));
    if (entry.unfinished.empty()) return entry;
    AKIN_CHECK(ClusterStore({client, entry.unfinished}, {}).retire(""));
    return change_entry(*client, name, [](Entry& one) { one.unfinished.clear(); });
  }

  /// What the entry of a new collection is made of: that of an unfinished copy, if there is one. Error:
  /// already_exists.
  [[nodiscard]] Result<Entry> new_entry(std::string_view name) {
    AKIN_TRY(const std::optional<Entry> known, read_entry(*entries_.client, name));
    if (!known || known->store.empty()) return known.value_or(Entry());
    if (!is_expired(*known)) return collection_exists(name);
    AKIN_CHECK(drop_entry(name, *known));
    return Entry();
  }

  /// A job on a collection, and the collection's entry when it began.
  struct Begun {
    Job job;
    Entry entry;
    [[nodiscard]] Result<std::shared_ptr<ClusterStore>> store() const {
      return ClusterStore::open(job.client, entry.store);
    }
  };
  [[nodiscard]] Result<Begun> begin(std::string_view name) {
    AKIN_CHECK(current_entry(*entries_.client, name));
    AKIN_TRY(Job job, begin_job(*entries_.client, name));
    AKIN_TRY(Entry entry, end_reindex(job.client, name));
    return Begun{std::move(job), std::move(entry)};
  }

  /// The collection disappears immediately; its index is dropped later, as those of replaced generations.
  Result<void> drop_entry(std::string_view name, Entry entry) {
    AKIN_TRY(const bool removed, change_catalog(*entries_.client, "c:" + std::string(name), entry.version));
    if (!removed)
      return Error{Errc::busy, "collection '" + std::string(name) + "'", "it was changed", "try again"};
    open_.remove(name);
    if (!entry.unfinished.empty())
      AKIN_CHECK(ClusterStore({entries_.client, entry.unfinished}, {}).retire(""));
    return ClusterStore({entries_.client, entry.store}, {}).retire("");
  }
};

}  // namespace

Result<std::shared_ptr<Catalog>> open_catalog(const std::string& address,
                                              std::shared_ptr<Dictionaries> dictionaries, bool create) {
  AKIN_TRY(const Address parsed, parse_address(address));
  AKIN_TRY(const std::shared_ptr<Client> client, Client::open(parsed));
  if (create) AKIN_CHECK(make_catalog_index(*client));
  AKIN_CHECK(read_catalog(*client, "c:"));  // an error if akin has no index there
  return std::shared_ptr<Catalog>(
      std::make_shared<ClusterCatalog>(ClusterEntries{client}, std::move(dictionaries)));
}

}  // namespace akin::opensearch
