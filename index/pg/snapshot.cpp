#include "index/pg/snapshot.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/pairs/groups.h"
#include "index/pairs/long_lists.h"
#include "index/pairs/pairs.h"
#include "index/pg/candidates.h"
#include "index/pg/common_features.h"
#include "index/pg/content_reader.h"
#include "index/pg/content_stats.h"
#include "index/pg/directory.h"
#include "index/pg/lists.h"
#include "index/pg/packing.h"
#include "index/pg/stored.h"
#include "index/pg/verify.h"
#include "index/ranking.h"
#include "index/shared_features.h"
#include "index/tier_part.h"

namespace akin::pg {
namespace {

/// Of the hits on a page.
constexpr std::size_t kSequencesAtOnce = 32;
/// To look up one feature's postings takes as long as to read so many features of a sequence.
constexpr std::uint64_t kFeaturesPerLookUp = 128;

struct SnapshotParts {
  std::shared_ptr<Pool> pool;
  Parts parts;
  Pool::Lease connection;
  SnapshotSubject subject;
  StoreCounters counters;
};

class PgSnapshot final : public Snapshot, public SharedFeatures {
 public:
  explicit PgSnapshot(SnapshotParts parts)
      : pool_(std::move(parts.pool)),
        parts_(std::move(parts.parts)),
        connection_(std::move(parts.connection)),
        store_(parts.subject.number),
        serial_(parts.subject.serial),
        identity_(std::move(parts.subject.identity)),
        abilities_(parts.subject.abilities),
        counters_(parts.counters),
        cache_(std::move(parts.subject.cache)) {}

  StoreSerial store_serial() const noexcept override { return serial_; }

  Result<SearchResult> search(const SearchRequest& request) const override {
    return search_in(View{*this}, request);
  }

  Result<std::optional<DocumentRecord>> find(std::string_view id) const override {
    return directory_.find(id);
  }

  Result<std::string> text(std::string_view id) const override {
    AKIN_TRY(StoredText text, open_text(id));
    return std::move(text).take();
  }

  Result<StoredText> open_text(std::string_view id) const override {
    AKIN_TRY(const Listed document, listed(id));
    if (!identity_.store_text) {
      return Error{Errc::unsupported, "document '" + std::string(id) + "'", "this collection keeps no texts",
                   "a collection made with texts gives them back"};
    }
    const std::string where = name_of_document(document.number);
    if (abilities_.with_words && document.record.text_bytes > kLongText) {
      AKIN_TRY(StoredBytes stored, contents_.open_text(document.number));
      return StoredText::of(std::move(stored), document.record.text_bytes, where);
    }
    AKIN_TRY(const std::string body, contents_.text(document.number));
    AKIN_TRY(StoredText stored, StoredText::of(body, document.record.text_bytes, where));
    AKIN_TRY(std::string whole, std::move(stored).take());
    return StoredText(std::move(whole));
  }

  Result<void> kept_words(std::string_view id, const ReadBytes& read) const override {
    if (!abilities_.with_words) return {};
    AKIN_TRY(const Listed document, listed(id));
    AKIN_TRY(const std::string words, contents_.words(document.number));
    return words.empty() ? Result<void>() : read(words);
  }

  Result<StoredFile> file(std::string_view id) const override {
    AKIN_TRY(const Listed document, listed(id));
    if (!document.record.file || document.record.file->kept_bytes == 0) return no_file_of(id, identity_);
    AKIN_TRY(const std::string stored, contents_.file(document.number));
    return file_of(stored, document.record, document.number);
  }

  Result<FeatureSequence> features(std::string_view id) const override {
    if (const std::vector<std::int64_t> next = directory_.next_listed(id); !next.empty()) {
      AKIN_CHECK(contents_.prefetch_whole(next));
      return contents_.sequence(next.front());
    }
    AKIN_TRY(const Rows rows, directory_.row_of(id, "id"));
    if (rows.size() == 0) return no_document(id);
    return contents_.sequence(rows.number(0, 0));
  }

  Result<FeatureSequence> features_in(std::string_view id, std::size_t tier) const override {
    AKIN_TRY(const Listed document, listed(id));
    AKIN_TRY(FeatureSequence all, contents_.sequence(document.number));
    return part_of_document(std::move(all), document.record, tier);
  }

  Result<Overlap> overlap_in(std::string_view id, std::size_t tier,
                             std::span<const Feature> query) const override {
    AKIN_TRY(const Listed document, listed(id));
    AKIN_TRY(const std::uint64_t size, size_in_tier(document.record, tier));
    const std::vector<FeatureCount> features = count_features(query);
    if (features.size() < document.record.all_features() / kFeaturesPerLookUp) {
      AKIN_TRY(const std::uint64_t x, contents_.count_shared(document.number, features));
      return Overlap{x, query.size(), size};
    }
    AKIN_TRY(FeatureSequence all, contents_.sequence_beside(document.number, query, {}));
    AKIN_TRY(const FeatureSequence stored, part_of_document(std::move(all), document.record, tier));
    return overlap(query, stored.hashes);
  }

  Result<FeatureSequence> features_beside(std::string_view id, std::size_t tier,
                                          const FeatureSequence& query) const override {
    AKIN_TRY(const Listed document, listed(id));
    AKIN_TRY(FeatureSequence all, contents_.sequence_beside(document.number, query.hashes, {}));
    return part_of_document(std::move(all), document.record, tier);
  }

  Result<std::vector<DocumentRecord>> list(std::string_view after, std::size_t limit) const override {
    return directory_.list(after, limit);
  }

  Result<std::vector<DocumentRecord>> changes(Revision after, std::size_t limit) const override {
    return directory_.changes(after, limit);
  }

  Result<StoreStats> stats() const override {
    StoreStats stats;
    stats.documents = static_cast<std::uint64_t>(counters_.documents);
    stats.features = static_cast<std::uint64_t>(counters_.features);
    stats.postings = static_cast<std::uint64_t>(counters_.postings);
    stats.text_bytes = static_cast<std::uint64_t>(counters_.text_bytes);
    stats.text_stored_bytes = static_cast<std::uint64_t>(counters_.text_stored_bytes);
    stats.last_revision = counters_.last_revision;
    if (counters_.files) {
      stats.files = {static_cast<std::uint64_t>(counters_.files->bytes),
                     static_cast<std::uint64_t>(counters_.files->stored_bytes)};
    }
    AKIN_TRY(const Rows tombstones,
             directory_.run("SELECT count(*) FROM akin.tombstones_@ WHERE pending = 0"));
    stats.tombstones = static_cast<std::uint64_t>(tombstones.number(0, 0));
    AKIN_CHECK(add_content_stats(*connection_, parts_, store_, stats));
    return stats;
  }

  Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                               std::uint64_t limit) const override {
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
    const std::size_t tier = request.tier.value_or(0);
    const auto all = [&](std::uint64_t features) {
      return request.common_limit ? std::nullopt : std::optional(features);
    };
    const auto report = [&](DocNumber a, DocNumber b, const Overlap& overlap) -> Result<void> {
      AKIN_TRY(const std::string a_id, directory_.id_of(a, all(overlap.a_features), tier));
      AKIN_TRY(const std::string b_id, directory_.id_of(b, all(overlap.b_features), tier));
      return visit(in_order_of_ids(a_id, b_id, overlap));
    };
    return find_pairs(lists, request, report);
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
    AKIN_TRY(PostingTables tables, PostingTables::open(*connection_, parts_, store_));
    return verify_store(*connection_, *pool_,
                        {std::move(tables), identity_.store_text, abilities_.with_words}, {report, progress});
  }

 private:
  /// A document of the directory.
  struct Listed {
    std::int64_t number = 0;
    DocumentRecord record;
  };
  [[nodiscard]] Result<Listed> listed(std::string_view id) const {
    AKIN_TRY(const Rows rows, directory_.row_of(id, "record"));
    if (rows.size() == 0) return no_document(id);
    AKIN_TRY(DocumentRecord record, record_of(rows.bytes(0, 1), rows.number(0, 0)));
    return Listed{rows.number(0, 0), std::move(record)};
  }

  static Error no_document(std::string_view id) {
    return Error{Errc::not_found, "document '" + std::string(id) + "'", "there is none with this id", ""};
  }

  [[nodiscard]] Result<PgListSource> open_lists(std::optional<std::size_t> tier) const {
    AKIN_TRY(PostingTables tables, PostingTables::open(*connection_, parts_, store_));
    return PgListSource::open(*connection_, std::move(tables), tier);
  }

  /// The view of a snapshot for search_in.
  struct View {
    const PgSnapshot& snapshot;

    [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request,
                                                            std::uint64_t least) const {
      AKIN_TRY(std::vector<Candidate> found, find_candidates(snapshot.reader_, *request.query, least));
      AKIN_CHECK(snapshot.directory_.leave_out(request, found));
      return found;
    }
    template <class Visit>
    [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                               const Visit& visit) const {
      return snapshot.directory_.for_each_record(candidates, visit);
    }
    [[nodiscard]] Result<FeatureSequence> sequence_of(std::span<const Hit> hits,
                                                      const SearchRequest& request) const {
      std::vector<std::int64_t> numbers;
      for (const Hit& hit : hits.first(std::min(hits.size(), kSequencesAtOnce)))
        numbers.push_back(static_cast<std::int64_t>(hit.number));
      AKIN_CHECK(snapshot.contents_.prefetch_sequences(numbers));
      return snapshot.contents_.sequence_beside(numbers.front(), request.query->hashes,
                                                hits.front().overlap.x);
    }
  };

  std::shared_ptr<Pool> pool_;
  Parts parts_;
  Pool::Lease connection_;
  StoreNumber store_;
  StoreSerial serial_;
  StoreIdentity identity_;
  StoreAbilities abilities_;
  StoreCounters counters_;
  std::shared_ptr<PostingCache> cache_;
  PostingReader reader_{*connection_, parts_, store_, *cache_};
  Directory directory_{*connection_, store_, parts_.is_local()};
  ContentReader contents_{*connection_, parts_, store_, reader_,
                          static_cast<std::uint64_t>(counters_.postings)};
};

/// An open transaction, and the results of its first statements.
struct Reading {
  Pool::Lease connection;
  StoreCounters counters;
};

/// `broken`: set if the connection is broken.
Result<Reading> begin_reading(Pool& pool, StoreNumber store, bool& broken) {
  AKIN_TRY(Pool::Lease connection, pool.lease());
  // The lock makes a drop of the store wait, as it drops the directory first. A transaction sees the database
  // as of its first query.
  const std::vector<Statement> statements{
      {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
      {of_store("LOCK TABLE akin.documents_@ IN ACCESS SHARE MODE", store)},
      select_counters(store, false)};
  const Result<std::vector<Rows>> answers = connection->run_all(statements);
  broken = !connection->is_sound();
  if (answers.has_error()) return answers.error();
  AKIN_TRY(const StoreCounters counters, counters_of((*answers)[2], store, false));
  return Reading{std::move(connection), counters};
}

}  // namespace

Result<std::unique_ptr<Snapshot>> open_snapshot(const std::shared_ptr<Pool>& pool, const Parts& parts,
                                                const SnapshotSubject& subject) {
  for (int attempt = 0;; ++attempt) {
    bool broken = false;
    Result<Reading> reading = begin_reading(*pool, subject.number, broken);
    if (!reading.has_error()) {
      return std::unique_ptr<Snapshot>(std::make_unique<PgSnapshot>(
          SnapshotParts{pool, parts, std::move(reading->connection), subject, reading->counters}));
    }
    if (!broken || attempt > 0) return std::move(reading).error();
  }
}

}  // namespace akin::pg
