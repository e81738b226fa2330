#include "index/lmdb/store/snapshot.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/codec/feature_counts.h"
#include "index/lmdb/documents/reading.h"
#include "index/lmdb/documents/reading_parts.h"
#include "index/lmdb/env/read_ahead.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/search/pairs.h"
#include "index/lmdb/search/search.h"
#include "index/lmdb/store/verify.h"
#include "index/lmdb/tables/runs.h"
#include "index/search/tier_part.h"
#include "index/write/derived_features.h"

namespace akin {

namespace {

/// Documents whose kept words a thread reads at once.
constexpr std::size_t kPart = 1024;

/// Calls `read` for the documents from `first` on whose words are kept, as many as `is_read` has places, and
/// notes them there.
Result<void> read_words_of_part(const Reading& reading, std::size_t first, std::vector<bool>& is_read,
                                const ReadKeptWords& read) {
  AKIN_TRY(lmdb::Cursor words, reading.txn.cursor(reading.tables.files));
  AKIN_TRY(bool there, words.seek_at_least(document_key(DocNumber{static_cast<std::uint32_t>(first)})));
  while (there) {
    if (const std::optional<DocNumber> number = decode_words_key(words.key())) {
      const std::size_t place = static_cast<std::uint32_t>(*number) - first;
      if (place >= is_read.size()) return {};
      is_read[place] = true;
      AKIN_CHECK(read(static_cast<std::uint32_t>(*number), words.value()));
    }
    AKIN_TRY(there, words.next());
  }
  return {};
}

class LmdbSnapshot final : public Snapshot {
 public:
  LmdbSnapshot(std::shared_ptr<const OpenStore> store, lmdb::ReadTxn txn) noexcept
      : store_(std::move(store)), txn_(std::move(txn)) {}

  StoreSerial store_serial() const noexcept override { return store_->serial; }

  Result<SearchResult> search(const SearchRequest& request) const override {
    return akin::search(reading(), look_ups_, request);
  }

  Result<std::optional<StoredDocument>> find(std::string_view id) const override {
    AKIN_TRY(const std::optional<DocNumber> number, find_number(txn_, store_->tables, id));
    if (!number) return std::optional<StoredDocument>();
    AKIN_TRY(StoredDocument document, read_document(reading(), *number));
    return std::optional(std::move(document));
  }

  Result<StoredText> open_text(const StoredDocument& document) const override {
    if (!store_->identity.store_text) return no_texts_of(document.id);
    return akin::open_text(reading(), number_of(document), document);
  }

  Result<void> kept_words(const StoredDocument& document, const ReadBytes& read) const override {
    AKIN_TRY(const std::optional<std::string_view> kept, read_kept_words(reading(), number_of(document)));
    return kept ? read(*kept) : Result<void>();
  }

  Result<void> all_kept_words(const ReadKeptWords& read) const override {
    AKIN_TRY(const Counters counters, read_counters(txn_, store_->tables));
    const std::size_t parts = (counters.next_document + kPart - 1) / kPart;
    std::vector<std::vector<bool>> is_read(parts, std::vector<bool>(kPart));
    const auto read_part = [&](const Reading& own, std::size_t part) {
      return read_words_of_part(own, part * kPart, is_read[part], read);
    };
    AKIN_CHECK(for_each_part(reading(), parts, 0, read_part));
    std::uint64_t count = 0;
    for (const std::vector<bool>& part : is_read)
      count += static_cast<std::uint64_t>(std::ranges::count(part, true));
    if (count == counters.documents) return {};
    AKIN_TRY(lmdb::Cursor records, txn_.cursor(store_->tables.records));
    AKIN_TRY(bool there, records.first());
    while (there) {
      const std::optional<DocNumber> number = decode_document_key(records.key());
      if (!number) return corrupt("records", "a key is not a document number");
      const auto place = static_cast<std::uint32_t>(*number);
      if (place / kPart >= parts || !is_read[place / kPart][place % kPart]) AKIN_CHECK(read(place, {}));
      AKIN_TRY(there, records.next());
    }
    return {};
  }

  Result<std::vector<StoredDocument>> numbered(std::span<const std::uint64_t> numbers) const override {
    std::vector<StoredDocument> documents;
    documents.reserve(numbers.size());
    for (const std::uint64_t number : numbers) {
      AKIN_TRY(StoredDocument document,
               read_document(reading(), DocNumber{static_cast<std::uint32_t>(number)}));
      documents.push_back(std::move(document));
    }
    return documents;
  }

  Result<StoredFile> file(const StoredDocument& document) const override {
    if (!document.file || document.file->kept_bytes == 0) return no_file_of(document.id, store_->identity);
    return read_stored_file(reading(), number_of(document), document);
  }

  Result<FeatureSequence> features(const StoredDocument& document) const override {
    return read_sequence(reading(), document);
  }

  Result<FeatureSequence> features_in(const StoredDocument& document, std::size_t tier) const override {
    AKIN_TRY(FeatureSequence all, read_sequence(reading(), document));
    return part_of_document(std::move(all), document, tier);
  }

  Result<Overlap> overlap_in(const StoredDocument& document, std::size_t tier,
                             std::span<const Feature> query) const override {
    AKIN_TRY(const std::uint64_t size, size_in_tier(document, tier));
    Asked& asked = ask(query);
    if (!is_cheaper_to_count(asked, document)) {
      AKIN_TRY(FeatureSequence all, read_sequence_beside(reading(), document, query));
      AKIN_TRY(const FeatureSequence stored, part_of_document(std::move(all), document, tier));
      return overlap(query, stored.hashes);
    }
    AKIN_TRY(const std::uint64_t x, count_shared(number_of(document), asked));
    return Overlap{x, query.size(), size};
  }

  Result<FeatureSequence> features_beside(const StoredDocument& document, std::size_t tier,
                                          const FeatureSequence& query) const override {
    Asked& asked = ask(query.hashes);
    std::optional<std::uint64_t> x;
    if (is_cheaper_to_count(asked, document)) {
      AKIN_TRY(x, count_shared(number_of(document), asked));
    }
    AKIN_TRY(FeatureSequence all, read_sequence_beside(reading(), document, query.hashes, x));
    return part_of_document(std::move(all), document, tier);
  }

  Result<std::vector<StoredDocument>> list(std::string_view after, std::size_t limit) const override {
    std::vector<StoredDocument> records;
    AKIN_TRY(lmdb::Cursor cursor, txn_.cursor(store_->tables.ids));
    AKIN_TRY(bool there, cursor.seek_at_least(after));
    if (there && cursor.key() == after) {
      AKIN_TRY(there, cursor.next());
    }
    while (there && records.size() < limit) {
      const std::optional<DocNumber> number = decode_document_number(cursor.value());
      if (!number) {
        return corrupt("id '" + std::string(cursor.key()) + "'", "its document number does not have 4 bytes");
      }
      AKIN_TRY(StoredDocument record, read_document(reading(), *number));
      records.push_back(std::move(record));
      AKIN_TRY(there, cursor.next());
    }
    note_listed(records.size());
    return records;
  }

  Result<std::vector<StoredDocument>> changes(Revision after, std::size_t limit) const override {
    std::vector<StoredDocument> records;
    if (after >= kMaxRevision) return records;
    AKIN_TRY(lmdb::Cursor cursor, txn_.cursor(store_->tables.revisions));
    AKIN_TRY(bool there, cursor.seek_at_least(revision_key(Revision(after.value + 1))));
    while (there && records.size() < limit) {
      const std::optional<DocNumber> number = decode_document_number(cursor.value());
      if (!number) return corrupt("revisions", "a document number does not have 4 bytes");
      // A damaged document that was removed may have left its revision.
      AKIN_TRY(const auto bytes, txn_.get(store_->tables.records, document_key(*number)));
      if (bytes) {
        AKIN_TRY(StoredDocument record, read_document(reading(), *number));
        records.push_back(std::move(record));
      }
      AKIN_TRY(there, cursor.next());
    }
    note_listed(records.size());
    return records;
  }

  Result<StoreStats> stats() const override {
    AKIN_TRY(const Counters counters, read_counters(txn_, store_->tables));
    AKIN_TRY(const std::uint64_t disk_bytes, store_->env.file_bytes());
    AKIN_TRY(const PostingState postings, read_posting_state(txn_, store_->tables));
    AKIN_TRY(const std::uint64_t tombstoned, txn_.entries(store_->tables.tombstones));
    const lmdb::MapUse map = txn_.map_use();
    return StoreStats{.documents = counters.documents,
                      .features = counters.features,
                      .postings = counters.postings,
                      .text_bytes = counters.text_bytes,
                      .text_stored_bytes = counters.text_stored_bytes,
                      .disk_bytes = disk_bytes,
                      .last_revision = counters.last_revision,
                      .map_bytes = map.bytes,
                      .map_used_bytes = map.used_bytes,
                      .runs = postings.runs.size(),
                      .recent_postings = recent_postings(postings),
                      .tombstones = tombstoned,
                      .merging = store_->merging,
                      .files = counters.files};
  }

  Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                               std::uint64_t limit) const override {
    return find_common(reading(), look_ups_, features, limit);
  }

  Result<std::vector<CommonFeature>> most_common(std::size_t count,
                                                 std::optional<std::size_t> tier) const override {
    return list_most_common(reading(), count, tier);
  }

  Result<PairsSummary> pairs(const PairsRequest& request, const PairVisitor& visit) const override {
    const auto scan = txn_.scan();
    return tell_pairs(reading(), request, visit);
  }

  Result<GroupsSummary> groups(const PairsRequest& request, const GroupVisitor& visit) const override {
    const auto scan = txn_.scan();
    return tell_groups(reading(), request, visit);
  }

  Result<std::uint64_t> verify(
      const std::function<void(const Finding&)>& report,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) const override {
    const auto found = [&](std::string where, std::string broken) {
      if (report) report({std::move(where), std::move(broken)});
    };
    AKIN_TRY(const std::uint64_t damaged_pages, store_->env.verify_pages(found));
    if (damaged_pages > 0) {
      found(store_->folder.string(),
            "its pages are damaged, so its documents are not compared with each other");
      return damaged_pages + 1;
    }
    const auto scan = txn_.scan();
    return verify_store(reading(), store_->identity.store_text, report, progress);
  }

 private:
  [[nodiscard]] Reading reading() const noexcept {
    const Derivation* const derivation = store_->derivation.get();
    const bool derives = derivation != nullptr && derivation->features;
    return {txn_, store_->tables, derives ? &derivation->features : nullptr};
  }

  /// The query asked about last: mostly it is asked about for one document after another.
  struct Asked {
    std::vector<Feature> query;
    std::vector<FeatureCount> features;
    std::shared_ptr<FoundLists> lists = {};                     ///< null: not looked up
    std::vector<std::pair<ListRef, std::uint32_t>> found = {};  ///< those that exist, with the query's counts
    std::uint64_t look_ups = 0;                                 ///< of a document in them all
    std::uint64_t short_lists = 0;                              ///< those that need none

    void take(std::shared_ptr<FoundLists> looked_up) {
      lists = std::move(looked_up);
      for (std::size_t i = 0; i < features.size(); ++i) {
        const ListRef& list = lists->refs[i];
        if (list.size == 0) continue;
        found.emplace_back(list, features[i].count);
        ++(list.size < kLongList ? short_lists : look_ups);
      }
    }
  };
  Asked& ask(std::span<const Feature> query) const {
    if (!std::ranges::equal(asked_.query, query))
      asked_ = {{query.begin(), query.end()}, count_features(query)};
    return asked_;
  }

  /// Whether to count what a document shares in the posting lists takes less time than to decode its
  /// features, or to derive them from its text. A search has looked its lists up already.
  [[nodiscard]] bool is_cheaper_to_count(Asked& asked, const DocumentRecord& record) const {
    // In the time of one look-up so many features are decoded, or derived, and so many short lists are read.
    constexpr std::uint64_t kDecoded = 64, kDerived = 3, kShortLists = 32;
    const bool derives = store_->identity.store_text && record.text_bytes <= kMostDerivedText;
    if (!asked.lists) {
      if (auto known = look_ups_.known(features_of(asked.features))) asked.take(std::move(known));
    }
    const std::uint64_t look_ups =
        asked.lists ? asked.look_ups + asked.short_lists / kShortLists : asked.features.size();
    return look_ups < record.all_features() / (derives ? kDerived : kDecoded);
  }

  /// How many of the features, each at most as often as its count, a document has.
  [[nodiscard]] Result<std::uint64_t> count_shared(DocNumber number, Asked& asked) const {
    if (!asked.lists) {
      AKIN_TRY(auto lists, look_ups_.find(txn_, store_->tables, features_of(asked.features)));
      asked.take(std::move(lists));
    }
    std::uint64_t x = 0;
    for (const auto& [list, most] : asked.found) {
      AKIN_TRY(const std::uint32_t count, asked.lists->lists.count(list, number));
      x += std::min(most, count);
    }
    return x;
  }

  /// Those that list so many documents read the others, and mostly their texts, too.
  void note_listed(std::size_t records) const {
    constexpr std::size_t kMany = 500;
    listed_ += records;
    if (listed_ >= kMany && !scan_) scan_ = txn_.scan();
  }

  std::shared_ptr<const OpenStore> store_;  // outlives the transaction
  lmdb::ReadTxn txn_;
  mutable LookUps look_ups_{store_->filters};
  mutable Asked asked_;
  mutable std::size_t listed_ = 0;  ///< records that list() and changes() returned
  mutable std::unique_ptr<lmdb::Scan> scan_;
};

}  // namespace

Result<std::unique_ptr<Snapshot>> open_snapshot(std::shared_ptr<const OpenStore> store) {
  AKIN_TRY(lmdb::ReadTxn txn, store->env.read());
  return std::unique_ptr<Snapshot>(std::make_unique<LmdbSnapshot>(std::move(store), std::move(txn)));
}

}  // namespace akin
