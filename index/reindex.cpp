#include "index/reindex.h"

#include "index/analysis.h"
#include "index/lmdb_store.h"

namespace akin {

namespace {

/// A batch is one transaction and is held in memory.
constexpr std::size_t kBatchDocuments = 512;
constexpr std::size_t kBatchBytes = std::size_t{32} << 20;

/// Documents of one batch; the sources view the rest.
struct Batch {
  std::vector<DocumentRecord> records;
  std::vector<std::string> texts;

  [[nodiscard]] std::vector<SourceDocument> sources() const {
    std::vector<SourceDocument> all;
    all.reserve(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      all.push_back({records[i].id, records[i].title, records[i].metadata, texts[i]});
    }
    return all;
  }
};

Result<void> write_batch(const Batch& batch, const Dictionary& dictionary, const Scheme& scheme,
                         Store& store) {
  const std::vector<SourceDocument> sources = batch.sources();
  AKIN_TRY(const std::vector<FeatureSequence> features, analyze_all(sources, dictionary, scheme));
  std::vector<NewDocument> documents;
  documents.reserve(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) documents.push_back(new_document(sources[i], features[i]));
  AKIN_CHECK(store.put_all(documents));
  return {};
}

/// Reads documents after `after` until the batch is full; an empty batch is the end.
Result<Batch> read_batch(const Snapshot& from, const std::string& after) {
  AKIN_TRY(std::vector<DocumentRecord> page, from.list(after, kBatchDocuments));
  Batch batch;
  std::size_t bytes = 0;
  for (DocumentRecord& record : page) {
    if (bytes >= kBatchBytes) break;
    Result<std::string> text = from.text(record.id);
    if (text.has_error()) {
      return Error{text.error().code, "document '" + record.id + "'", text.error().reason,
                   "delete it or put it again, then repeat"};
    }
    bytes += text->size();
    batch.texts.push_back(std::move(*text));
    batch.records.push_back(std::move(record));
  }
  return batch;
}

Result<void> copy_documents(const Snapshot& from, const Dictionary& dictionary, const Scheme& scheme,
                            Store& to, const std::function<void(const JobProgress&)>& progress) {
  AKIN_TRY(const StoreStats stats, from.stats());
  JobProgress state;
  state.documents_total = stats.documents;
  if (progress) progress(state);
  std::string after;
  for (;;) {
    AKIN_TRY(const Batch batch, read_batch(from, after));
    if (batch.records.empty()) return {};
    AKIN_CHECK(write_batch(batch, dictionary, scheme, to));
    after = batch.records.back().id;
    state.documents_done += batch.records.size();
    for (const std::string& text : batch.texts) state.bytes_done += text.size();
    if (progress) progress(state);
  }
}

/// Builds generation `next` from `old`, up to the last byte on the disk, and makes it the one in use.
Result<void> build_and_switch(const CollectionFolder& folder, const Generation& old, const ReindexPlan& plan,
                              const std::function<void(const JobProgress&)>& progress) {
  LmdbStoreOptions reading;
  reading.any_readable_format = true;
  AKIN_TRY(const std::shared_ptr<Store> from, LmdbStore::open(folder.store_path(old), reading));
  AKIN_TRY(const std::shared_ptr<const Scheme> scheme,
           make_scheme(plan.scheme.empty() ? from->identity().scheme : plan.scheme));

  if (!from->identity().store_text) {
    return Error{Errc::unsupported, "collection", "it keeps no texts, so it cannot be rebuilt from them",
                 "make a new collection and index the originals into it"};
  }

  const Generation next{old.number + 1, random_token()};
  {
    LmdbStoreOptions building;
    building.lmdb.durable = false;  // nobody reads it before the switch, and sync() comes before that
    const StoreIdentity identity{scheme->name(), plan.dictionary->fingerprint(), plan.languages};
    AKIN_TRY(const std::shared_ptr<LmdbStore> to,
             LmdbStore::create(folder.store_path(next), identity, building));
    AKIN_TRY(const std::unique_ptr<Snapshot> view, from->snapshot());
    AKIN_CHECK(copy_documents(*view, *plan.dictionary, *scheme, *to, progress));
    AKIN_CHECK(to->settle(true));
    AKIN_CHECK(to->sync());
  }
  return folder.switch_to(next);
}

}  // namespace

Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                const std::function<void(const JobProgress&)>& progress) {
  AKIN_TRY(const FolderLock lock, folder.lock_alone());
  AKIN_TRY(const Generation old, folder.current());
  folder.remove_leftovers(old);
  Result<void> outcome = build_and_switch(folder, old, plan, progress);
  // The old generation after a success; after a failure what was built, so that a full disk has room again.
  AKIN_TRY(const Generation current, folder.current());
  folder.remove_leftovers(current);
  return outcome;
}

}  // namespace akin
