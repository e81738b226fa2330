#include "index/pg/snapshot.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/pairs/groups.h"
#include "index/pairs/long_lists.h"
#include "index/pairs/named_pairs.h"
#include "index/pg/documents/content_reader.h"
#include "index/pg/documents/directory.h"
#include "index/pg/postings/candidates.h"
#include "index/pg/postings/compaction.h"
#include "index/pg/postings/lists.h"
#include "index/pg/postings/packing.h"
#include "index/pg/verify.h"
#include "index/search/ranking.h"
#include "index/search/tier_part.h"
#include "index/store/stored_document.h"
#include "index/write/derived_features.h"

namespace akin::pg {
namespace {

/// Of the hits on a page.
constexpr std::size_t kSequencesAtOnce = 32;
/// Of the documents that a search has found, whose texts or sequences are read together, or what is kept of
/// their words, which is shorter.
constexpr std::size_t kFoundAtOnce = 32, kWordsAtOnce = 256;
constexpr std::uint64_t kFoundBytes = std::uint64_t{8} << 20U;
/// To look up one feature's postings takes as long as to read so many features of a sequence, or to derive so
/// many from a text.
constexpr std::uint64_t kFeaturesPerLookUp = 128, kDerivedPerLookUp = 3;

struct SnapshotParts {
  Pool::Loan connection;
  SnapshotSubject subject;
  StoreCounters counters;
};

class PgSnapshot final : public Snapshot {
 public:
  explicit PgSnapshot(SnapshotParts parts)
      : connection_(std::move(parts.connection)),
        store_(parts.subject.number),
        serial_(parts.subject.serial),
        identity_(std::move(parts.subject.identity)),
        derive_(std::move(parts.subject.derive)),
        counters_(parts.counters),
        cache_(std::move(parts.subject.cache)) {}

  StoreSerial store_serial() const noexcept override { return serial_; }

  Result<SearchResult> search(const SearchRequest& request) const override {
    AKIN_TRY(SearchResult result, search_in(View{*this}, request));
    for (const Hit& hit : result.hits) {
      if (place_of_.emplace(number_of(hit.document), found_.size()).second)
        found_.push_back({number_of(hit.document), hit.document.text_bytes, 8 * hit.document.all_features()});
    }
    return result;
  }

  Result<std::optional<StoredDocument>> find(std::string_view id) const override {
    return directory_.find(id);
  }

  Result<StoredText> open_text(const StoredDocument& document) const override {
    if (!identity_.store_text) return no_texts_of(document.id);
    const std::int64_t number = number_of(document);
    const std::string where = name_of_document(number);
    if (document.text_bytes > kLongText) {
      AKIN_TRY(StoredBytes stored, contents_.open_text(number));
      return StoredText::of(std::move(stored), document.text_bytes, where);
    }
    AKIN_CHECK(contents_.prefetch_texts(found_from(number, &Found::text_bytes)));
    AKIN_TRY(std::string body, contents_.text(number));
    return StoredText::owning(std::move(body), document.text_bytes, where);
  }

  Result<void> kept_words(const StoredDocument& document, const ReadBytes& read) const override {
    if (!identity_.store_text) return {};
    AKIN_TRY(const std::string words, contents_.words(number_of(document)));
    return words.empty() ? Result<void>() : read(words);
  }

  Result<void> all_kept_words(const ReadKeptWords& read) const override {
    return connection_->stream(
        {of_store("SELECT doc, words FROM akin.documents_@ JOIN akin.contents_@ USING (doc)", store_)},
        [&](const Rows& row) { return read(static_cast<std::uint64_t>(row.number(0, 0)), row.bytes(0, 1)); });
  }

  Result<std::vector<StoredDocument>> numbered(std::span<const std::uint64_t> numbers) const override {
    std::vector<Candidate> wanted;
    for (const std::uint64_t number : numbers)
      wanted.push_back({DocNumber{static_cast<std::uint32_t>(number)}, 0});
    std::vector<StoredDocument> documents;
    AKIN_CHECK(
        directory_.for_each_record(wanted, [&](const Candidate& one, DocumentRecord record) -> Result<void> {
          documents.push_back({std::move(record), static_cast<std::uint32_t>(one.document)});
          return {};
        }));
    return documents;
  }

  Result<StoredFile> file(const StoredDocument& document) const override {
    if (!document.file || document.file->kept_bytes == 0) return no_file_of(document.id, identity_);
    AKIN_TRY(const std::string stored, contents_.file(number_of(document)));
    return file_of(stored, document, number_of(document));
  }

  Result<FeatureSequence> features(const StoredDocument& document) const override {
    AKIN_CHECK(contents_.prefetch_whole(directory_.next_listed(document.id)));
    return contents_.sequence(text_of(document));
  }

  Result<FeatureSequence> features_in(const StoredDocument& document, std::size_t tier) const override {
    AKIN_TRY(FeatureSequence all, contents_.sequence(text_of(document)));
    return part_of_document(std::move(all), document, tier);
  }

  Result<Overlap> overlap_in(const StoredDocument& document, std::size_t tier,
                             std::span<const Feature> query) const override {
    AKIN_TRY(const std::uint64_t size, size_in_tier(document, tier));
    const std::vector<FeatureCount> features = count_features(query);
    if (is_cheaper_to_count(features, document)) {
      AKIN_TRY(const std::uint64_t x, contents_.count_shared(number_of(document), features));
      return Overlap{x, query.size(), size};
    }
    AKIN_CHECK(contents_.prefetch_sequences(found_from(number_of(document), &Found::sequence_bytes)));
    AKIN_TRY(FeatureSequence all, contents_.sequence_beside(text_of(document), query, {}));
    AKIN_TRY(const FeatureSequence stored, part_of_document(std::move(all), document, tier));
    return overlap(query, stored.hashes);
  }

  Result<FeatureSequence> features_beside(const StoredDocument& document, std::size_t tier,
                                          const FeatureSequence& query) const override {
    AKIN_CHECK(contents_.prefetch_sequences(found_from(number_of(document), &Found::sequence_bytes)));
    AKIN_TRY(FeatureSequence all, contents_.sequence_beside(text_of(document), query.hashes, {}));
    return part_of_document(std::move(all), document, tier);
  }

  Result<std::vector<StoredDocument>> list(std::string_view after, std::size_t limit) const override {
    return directory_.list(after, limit);
  }

  Result<std::vector<StoredDocument>> changes(Revision after, std::size_t limit) const override {
    return directory_.changes(after, limit);
  }

  Result<StoreStats> stats() const override {
    StoreStats stats;
    counters_.fill(stats, identity_);
    AKIN_TRY(const Rows tombstones, directory_.run("SELECT count(*) FROM akin.tombstones_@"));
    stats.tombstones = static_cast<std::uint64_t>(tombstones.number(0, 0));
    AKIN_CHECK(add_content_stats(*connection_, store_, stats));
    return stats;
  }

  Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                               std::uint64_t limit) const override {
    if (static_cast<std::uint64_t>(counters_.documents) <= limit) return std::vector<Feature>();
    const auto keep_existing = [this](std::vector<std::int64_t>& numbers) -> Result<void> {
      AKIN_TRY(const std::vector<std::int64_t> missing, directory_.missing_of(numbers));
      std::erase_if(numbers,
                    [&](std::int64_t number) { return std::ranges::binary_search(missing, number); });
      return {};
    };
    return find_common(reader_, keep_existing, features, limit);
  }

  Result<std::vector<CommonFeature>> most_common(std::size_t count,
                                                 std::optional<std::size_t> tier) const override {
    AKIN_TRY(const PgListSource lists, open_lists(tier));
    AKIN_TRY(const std::vector<LongList> longest, longest_lists(lists, count));
    std::vector<CommonFeature> common;
    for (const LongList& list : longest) {
      const auto first = static_cast<std::int64_t>(static_cast<std::uint32_t>(list.first));
      AKIN_TRY(const Rows rows,
               directory_.run("SELECT id FROM akin.documents_@ WHERE doc = $1", Params().number(first)));
      if (rows.size() == 0) return corrupt(name_of_document(first), "it has postings and no record");
      common.push_back({list.feature, list.documents, std::string(rows.bytes(0, 0))});
    }
    return common;
  }

  Result<PairsSummary> pairs(const PairsRequest& request, const PairVisitor& visit) const override {
    AKIN_TRY(const PgListSource lists, open_lists(request.tier));
    const RecordOf record_of = [this](DocNumber number) { return directory_.record(number); };
    return find_named_pairs(lists, request, record_of, visit);
  }

  Result<GroupsSummary> groups(const PairsRequest& request, const GroupVisitor& visit) const override {
    AKIN_TRY(const PgListSource lists, open_lists(request.tier));
    std::unordered_map<std::uint32_t, std::string> ids;
    const auto in_order_of_ids = [&]() -> Result<std::vector<DocNumber>> {
      AKIN_TRY(const Rows rows, directory_.run("SELECT doc, id FROM akin.documents_@ ORDER BY id"));
      std::vector<DocNumber> documents;
      documents.reserve(rows.size());
      for (std::size_t row = 0; row < rows.size(); ++row) {
        documents.push_back(DocNumber{static_cast<std::uint32_t>(rows.number(row, 0))});
        ids.emplace(static_cast<std::uint32_t>(documents.back()), rows.bytes(row, 1));
      }
      return documents;
    };
    const auto id_of = [&](DocNumber number) -> Result<std::string> {
      return ids.at(static_cast<std::uint32_t>(number));
    };
    return find_groups(lists, request, {in_order_of_ids, id_of}, visit);
  }

  Result<std::uint64_t> verify(
      const std::function<void(const Finding&)>& report,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) const override {
    return verify_store(look_ups_, {store_, identity_, contents_}, {report, progress});
  }

 private:
  static std::int64_t number_of(const StoredDocument& document) noexcept {
    return static_cast<std::int64_t>(document.number);
  }

  static TextOf text_of(const StoredDocument& document) noexcept {
    return {number_of(document), document.text_bytes};
  }

  /// Whether to count what a document shares with a query among the postings takes less time than to read its
  /// features, or to derive them from its text.
  [[nodiscard]] bool is_cheaper_to_count(const std::vector<FeatureCount>& features,
                                         const StoredDocument& document) const {
    const bool derives = derive_ && identity_.store_text && document.text_bytes <= kMostDerivedText;
    return features.size() < document.all_features() / (derives ? kDerivedPerLookUp : kFeaturesPerLookUp) ||
           (derives && contents_.has_looked_up(features));
  }

  /// A document that a search has found: most of what follows asks for the next ones too.
  struct Found {
    std::int64_t number = 0;
    std::uint64_t text_bytes = 0, sequence_bytes = 0;  ///< about
  };
  /// This document and those found after it, about kFoundBytes together; only this one if it was not found.
  [[nodiscard]] std::vector<std::int64_t> found_from(std::int64_t number, std::uint64_t Found::*bytes) const {
    const auto place = place_of_.find(number);
    if (place == place_of_.end()) return {number};
    std::vector<std::int64_t> numbers;
    std::uint64_t sum = 0;
    for (std::size_t at = place->second; at < found_.size() && numbers.size() < kFoundAtOnce; ++at) {
      sum += found_[at].*bytes;
      if (!numbers.empty() && (sum > kFoundBytes || found_[at].text_bytes > kLongText)) break;
      numbers.push_back(found_[at].number);
    }
    return numbers;
  }

  [[nodiscard]] Result<PgListSource> open_lists(std::optional<std::size_t> tier) const {
    AKIN_TRY(PostingTables tables, PostingTables::open(look_ups_, store_));
    return PgListSource::open(std::move(tables), tier);
  }

  /// The view of a snapshot for search_in.
  struct View {
    const PgSnapshot& snapshot;

    [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request, std::uint64_t least,
                                                            SharedFeatures* shared) const {
      AKIN_TRY(std::vector<Candidate> found, find_candidates(snapshot.reader_, request, least, shared));
      AKIN_CHECK(snapshot.directory_.leave_out(request, found));
      return found;
    }
    [[nodiscard]] Result<std::uint64_t> count_having(const std::vector<Feature>& features) const {
      FeatureSequence query;
      query.hashes = features;
      SearchRequest any;
      any.query = &query;
      AKIN_TRY(const std::vector<Candidate> having, find_candidates(snapshot.reader_, any, 1));
      std::vector<std::int64_t> numbers;
      numbers.reserve(having.size());
      for (const Candidate& one : having)
        numbers.push_back(static_cast<std::int64_t>(static_cast<std::uint32_t>(one.document)));
      std::ranges::sort(numbers);
      AKIN_TRY(const std::vector<std::int64_t> missing, snapshot.directory_.missing_of(numbers));
      return numbers.size() - missing.size();
    }
    template <class Visit>
    [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                               const Visit& visit) const {
      return snapshot.directory_.for_each_record(candidates, visit);
    }
    template <class Visit>
    [[nodiscard]] Result<void> for_each_kept_words(const std::vector<Candidate>& candidates,
                                                   const Visit& visit) const {
      for (std::size_t at = 0; at < candidates.size(); at += kWordsAtOnce) {
        const auto some = std::span(candidates).subspan(at, std::min(kWordsAtOnce, candidates.size() - at));
        std::vector<std::int64_t> numbers;
        for (const Candidate& one : some) numbers.push_back(static_cast<std::uint32_t>(one.document));
        AKIN_TRY(const auto words, snapshot.contents_.short_words(numbers));
        for (const Candidate& one : some) {
          const auto kept = words.find(static_cast<std::uint32_t>(one.document));
          if (kept != words.end()) AKIN_CHECK(visit(one, kept->second));
        }
      }
      return {};
    }
    [[nodiscard]] Result<FeatureSequence> sequence_of(std::span<const Hit> hits,
                                                      const SearchRequest& request) const {
      std::vector<std::int64_t> numbers;
      for (const Hit& hit : hits.first(std::min(hits.size(), kSequencesAtOnce)))
        numbers.push_back(number_of(hit.document));
      AKIN_CHECK(snapshot.contents_.prefetch_sequences(numbers));
      return snapshot.contents_.sequence_beside(text_of(hits.front().document), request.query->hashes,
                                                hits.front().overlap.x);
    }
  };

  Pool::Loan connection_;
  StoreNumber store_;
  StoreSerial serial_;
  StoreIdentity identity_;
  DeriveFeatures derive_;
  StoreCounters counters_;
  std::shared_ptr<PostingCache> cache_;
  mutable std::vector<Found> found_;
  mutable std::unordered_map<std::int64_t, std::size_t> place_of_;  ///< in found_
  mutable LookUps look_ups_{*connection_, true};
  PostingReader reader_{look_ups_, store_, *cache_};
  Directory directory_{*connection_, store_};
  ContentReader contents_{
      look_ups_,
      store_,
      {reader_, derive_ ? &derive_ : nullptr, static_cast<std::uint64_t>(counters_.postings)}};
};

/// An open transaction, and the results of its first statements.
struct Reading {
  Pool::Loan connection;
  StoreCounters counters;
};

/// `broken`: set if the connection is broken.
Result<Reading> begin_reading(Pool& pool, StoreNumber store, bool& broken) {
  AKIN_TRY(Pool::Loan connection, pool.borrow());
  // The lock makes a drop of the store wait, as it drops the directory first. A transaction sees the database
  // as of its first query.
  Statement counters = select_counters(store, false);
  counters.sql = "SELECT c.*, " + std::string(LookUps::kPlanOnce) + " FROM (" + counters.sql + ") c";
  const std::vector<Statement> statements{
      {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
      {of_store("LOCK TABLE akin.documents_@ IN ACCESS SHARE MODE", store)},
      std::move(counters)};
  const Result<std::vector<Rows>> answers = connection->run_all(statements);
  broken = !connection->is_sound();
  if (answers.has_error()) return answers.error();
  AKIN_TRY(const StoreCounters counted, counters_of((*answers)[2], store, false));
  return Reading{std::move(connection), counted};
}

}  // namespace

Result<std::unique_ptr<Snapshot>> open_snapshot(const std::shared_ptr<Pool>& pool,
                                                const SnapshotSubject& subject) {
  for (int attempt = 0;; ++attempt) {
    bool broken = false;
    Result<Reading> reading = begin_reading(*pool, subject.number, broken);
    if (!reading.has_error()) {
      return std::unique_ptr<Snapshot>(std::make_unique<PgSnapshot>(
          SnapshotParts{std::move(reading->connection), subject, reading->counters}));
    }
    if (!broken || attempt > 0) return std::move(reading).error();
  }
}

}  // namespace akin::pg
