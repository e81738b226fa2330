#include "index/pg/snapshot.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "index/pairs/groups.h"
#include "index/pairs/long_lists.h"
#include "index/pairs/pairs.h"
#include "index/pg/candidates.h"
#include "index/pg/common_features.h"
#include "index/pg/content_stats.h"
#include "index/pg/lists.h"
#include "index/pg/packing.h"
#include "index/pg/stored.h"
#include "index/pg/verify.h"
#include "index/ranking.h"
#include "index/tier_part.h"

namespace akin::pg {
namespace {

constexpr std::size_t kRecordsAtOnce = 10'000;

struct SnapshotParts {
  std::shared_ptr<Pool> pool;
  Parts parts;
  Pool::Lease connection;
  StoreNumber store{};
  StoreSerial serial{};
  StoreIdentity identity;
  StoreCounters counters;
  std::shared_ptr<BlockCache> cache;
};

class PgSnapshot final : public Snapshot {
 public:
  explicit PgSnapshot(SnapshotParts parts)
      : pool_(std::move(parts.pool)),
        parts_(std::move(parts.parts)),
        connection_(std::move(parts.connection)),
        store_(parts.store),
        serial_(parts.serial),
        identity_(std::move(parts.identity)),
        counters_(parts.counters),
        cache_(std::move(parts.cache)) {}

  StoreSerial store_serial() const noexcept override { return serial_; }

  Result<SearchResult> search(const SearchRequest& request) const override {
    return search_in(View{*this}, request);
  }

  Result<std::optional<DocumentRecord>> find(std::string_view id) const override {
    AKIN_TRY(const Rows rows, row_of(id, "record"));
    if (rows.size() == 0) return std::optional<DocumentRecord>();
    AKIN_TRY(DocumentRecord record, record_of(rows.bytes(0, 1), rows.number(0, 0)));
    return std::optional(std::move(record));
  }

  Result<std::string> text(std::string_view id) const override {
    AKIN_TRY(const Rows rows, row_of(id, "record"));
    if (rows.size() == 0) return no_document(id);
    if (!identity_.store_text) {
      return Error{Errc::unsupported, "document '" + std::string(id) + "'", "this collection keeps no texts",
                   "a collection made with texts gives them back"};
    }
    AKIN_TRY(const DocumentRecord record, record_of(rows.bytes(0, 1), rows.number(0, 0)));
    AKIN_TRY(const Rows content, content_of(rows.number(0, 0), "body"));
    return text_of(content.bytes(0, 0), record, rows.number(0, 0));
  }

  Result<FeatureSequence> features(std::string_view id) const override {
    AKIN_TRY(const Rows rows, row_of(id, "id"));
    if (rows.size() == 0) return no_document(id);
    return sequence_with(rows.number(0, 0));
  }

  Result<FeatureSequence> features_in(std::string_view id, std::size_t tier) const override {
    AKIN_TRY(const Rows rows, row_of(id, "record"));
    if (rows.size() == 0) return no_document(id);
    AKIN_TRY(FeatureSequence all, sequence_with(rows.number(0, 0)));
    AKIN_TRY(const DocumentRecord record, record_of(rows.bytes(0, 1), rows.number(0, 0)));
    return part_of_document(std::move(all), record, tier);
  }

  Result<std::vector<DocumentRecord>> list(std::string_view after, std::size_t limit) const override {
    AKIN_TRY(const Rows rows,
             run("SELECT doc, record FROM akin.documents_@ WHERE id > $1 ORDER BY id LIMIT $2",
                 Params().bytes(after).number(limit_of(limit))));
    return records_of(rows);
  }

  Result<std::vector<DocumentRecord>> changes(Revision after, std::size_t limit) const override {
    if (after >= kMaxRevision) return std::vector<DocumentRecord>();
    AKIN_TRY(const Rows rows,
             run("SELECT doc, record FROM akin.documents_@ WHERE revision > $1 ORDER BY revision LIMIT $2",
                 Params().number(static_cast<std::int64_t>(after.value)).number(limit_of(limit))));
    return records_of(rows);
  }

  Result<StoreStats> stats() const override {
    StoreStats stats;
    stats.documents = static_cast<std::uint64_t>(counters_.documents);
    stats.features = static_cast<std::uint64_t>(counters_.features);
    stats.postings = static_cast<std::uint64_t>(counters_.postings);
    stats.text_bytes = static_cast<std::uint64_t>(counters_.text_bytes);
    stats.text_stored_bytes = static_cast<std::uint64_t>(counters_.text_stored_bytes);
    stats.last_revision = counters_.last_revision;
    AKIN_TRY(const Rows tombstones, run("SELECT count(*) FROM akin.tombstones_@ WHERE pending = 0"));
    stats.tombstones = static_cast<std::uint64_t>(tombstones.number(0, 0));
    AKIN_CHECK(add_content_stats(*connection_, parts_, store_, stats));
    return stats;
  }

  Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                               std::uint64_t limit) const override {
    const auto keep_existing = [this](std::vector<std::int64_t>& numbers) -> Result<void> {
      AKIN_TRY(const std::vector<std::int64_t> missing, missing_of(numbers));
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
               run("SELECT id FROM akin.documents_@ WHERE doc = $1", Params().number(first)));
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
      AKIN_TRY(const std::string a_id, id_of(a, all(overlap.a_features), tier));
      AKIN_TRY(const std::string b_id, id_of(b, all(overlap.b_features), tier));
      return visit(in_order_of_ids(a_id, b_id, overlap));
    };
    return find_pairs(lists, request, report);
  }

  Result<GroupsSummary> groups(const PairsRequest& request, const GroupVisitor& visit) const override {
    AKIN_TRY(const PgListSource lists, open_lists(request.tier));
    std::unordered_map<std::uint32_t, std::string> ids;
    const auto in_order_of_ids = [&]() -> Result<std::vector<DocNumber>> {
      AKIN_TRY(const Rows rows, run("SELECT doc, id FROM akin.documents_@ ORDER BY id"));
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
    AKIN_TRY(PostingTables tables, posting_tables());
    return verify_store(*connection_, *pool_, {std::move(tables), identity_.store_text}, {report, progress});
  }

 private:
  [[nodiscard]] Result<Rows> run(const std::string& sql, const Params& params = {}) const {
    return connection_->run(of_store(sql, store_), params);
  }

  static Error no_document(std::string_view id) {
    return Error{Errc::not_found, "document '" + std::string(id) + "'", "there is none with this id", ""};
  }

  static std::int64_t limit_of(std::size_t limit) {
    return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
  }

  /// Reads doc and columns of the document with an id.
  [[nodiscard]] Result<Rows> row_of(std::string_view id, const std::string& columns) const {
    return run("SELECT doc, " + columns + " FROM akin.documents_@ WHERE id = $1", Params().bytes(id));
  }

  /// Columns of a document's content.
  [[nodiscard]] Result<Rows> content_of(std::int64_t number, const std::string& columns) const {
    AKIN_TRY(Rows rows,
             run("SELECT " + columns + " FROM akin.contents_@ WHERE doc = $1", Params().number(number)));
    if (rows.size() == 0) return corrupt(name_of_document(number), "it has neither text nor sequence");
    return rows;
  }

  [[nodiscard]] Result<FeatureSequence> sequence_with(std::int64_t number) const {
    AKIN_TRY(const Rows content, content_of(number, "sequence"));
    return sequence_of(content.bytes(0, 0), number);
  }

  [[nodiscard]] Result<PostingTables> posting_tables() const {
    AKIN_TRY(const LevelSizes sizes, read_level_sizes(*connection_, store_));
    PostingTables tables{store_, parts_.shards(), {}};
    for (const auto& [level, size] : sizes) {
      if (level != kBlocks) tables.levels.push_back(level);
    }
    return tables;
  }

  [[nodiscard]] Result<PgListSource> open_lists(std::optional<std::size_t> tier) const {
    AKIN_TRY(PostingTables tables, posting_tables());
    return PgListSource::open(*connection_, std::move(tables), tier);
  }

  static Result<std::vector<DocumentRecord>> records_of(const Rows& rows) {
    std::vector<DocumentRecord> records;
    records.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      AKIN_TRY(DocumentRecord record, record_of(rows.bytes(row, 1), rows.number(row, 0)));
      records.push_back(std::move(record));
    }
    return records;
  }

  /// Calls visit(candidate, record) for each, in pages.
  template <class Visit>
  Result<void> for_each_record(std::span<const Candidate> candidates, const Visit& visit) const {
    for (std::size_t at = 0; at < candidates.size(); at += kRecordsAtOnce) {
      const auto page = candidates.subspan(at, std::min(kRecordsAtOnce, candidates.size() - at));
      std::unordered_map<std::int64_t, std::uint32_t> x_of;
      std::vector<std::int64_t> numbers;
      numbers.reserve(page.size());
      for (const Candidate& one : page) {
        const auto number = static_cast<std::int64_t>(number_of(one));
        x_of.emplace(number, one.x);
        numbers.push_back(number);
      }
      AKIN_TRY(const Rows rows, run("SELECT doc, record FROM akin.documents_@ WHERE doc = ANY($1)",
                                    Params().numbers(numbers)));
      if (rows.size() != numbers.size()) return corrupt("postings", "a document in them has no record");
      for (std::size_t row = 0; row < rows.size(); ++row) {
        AKIN_TRY(DocumentRecord record, record_of(rows.bytes(row, 1), rows.number(row, 0)));
        const std::int64_t number = rows.number(row, 0);
        AKIN_CHECK(visit(Candidate{DocNumber{static_cast<std::uint32_t>(number)}, x_of.at(number)},
                         std::move(record)));
      }
    }
    return {};
  }

  /// Those of some document numbers, ascending, that are not in the directory, ascending.
  [[nodiscard]] Result<std::vector<std::int64_t>> missing_of(const std::vector<std::int64_t>& numbers) const {
    std::vector<std::int64_t> missing;
    if (numbers.empty()) return missing;
    // In one database all postings are of documents in the directory or tombstoned. A shard is seen as of a
    // later moment, and may have documents that are being written.
    AKIN_TRY(const Rows rows,
             parts_.is_local()
                 ? run("SELECT doc FROM akin.tombstones_@ WHERE doc = ANY($1) ORDER BY doc",
                       Params().numbers(numbers))
                 : run("SELECT u FROM unnest($1) AS u WHERE NOT EXISTS (SELECT FROM akin.documents_@ d"
                       " WHERE d.doc = u) ORDER BY u",
                       Params().numbers(numbers)));
    for (std::size_t row = 0; row < rows.size(); ++row) missing.push_back(rows.number(row, 0));
    return missing;
  }

  /// Drops candidates that are not in the directory, and those that the request excludes or does not accept.
  Result<void> leave_out(const SearchRequest& request, std::vector<Candidate>& candidates) const {
    if (candidates.empty()) return {};
    std::vector<std::int64_t> numbers;
    numbers.reserve(candidates.size());
    for (const Candidate& one : candidates) numbers.push_back(static_cast<std::int64_t>(number_of(one)));
    std::ranges::sort(numbers);
    AKIN_TRY(std::vector<std::int64_t> left_out, missing_of(numbers));
    if (!request.exclude.empty()) {
      const std::vector<std::string_view> ids(request.exclude.begin(), request.exclude.end());
      AKIN_TRY(const Rows rows,
               run("SELECT doc FROM akin.documents_@ WHERE id = ANY($1)", Params().byte_strings(ids)));
      for (std::size_t row = 0; row < rows.size(); ++row) left_out.push_back(rows.number(row, 0));
      std::ranges::sort(left_out);
    }
    std::erase_if(candidates, [&](const Candidate& one) {
      return std::ranges::binary_search(left_out, static_cast<std::int64_t>(number_of(one)));
    });
    if (!request.accept) return {};
    std::vector<Candidate> accepted;
    AKIN_CHECK(
        for_each_record(candidates, [&](const Candidate& one, const DocumentRecord& record) -> Result<void> {
          AKIN_TRY(const bool wanted, request.accept(record));
          if (wanted) accepted.push_back(one);
          return {};
        }));
    candidates = std::move(accepted);
    return {};
  }

  /// The view of a snapshot for search_in.
  struct View {
    const PgSnapshot& snapshot;

    [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request,
                                                            std::uint64_t least) const {
      AKIN_TRY(std::vector<Candidate> found, find_candidates(snapshot.reader_, *request.query, least));
      AKIN_CHECK(snapshot.leave_out(request, found));
      return found;
    }
    template <class Visit>
    [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                               const Visit& visit) const {
      return snapshot.for_each_record(candidates, visit);
    }
    [[nodiscard]] Result<FeatureSequence> sequence_of(const Hit& hit, const SearchRequest&) const {
      return snapshot.features(hit.document.id);
    }
  };

  /// Ids of recently read documents. `features`: what the postings of a tier count, if all were counted.
  Result<std::string> id_of(DocNumber number, std::optional<std::uint64_t> features, std::size_t tier) const {
    constexpr std::size_t kMostIds = 500'000;
    if (const auto known = ids_.find(number); known != ids_.end()) return known->second;
    if (ids_.size() >= kMostIds) ids_.clear();
    const auto document = static_cast<std::int64_t>(static_cast<std::uint32_t>(number));
    AKIN_TRY(const Rows rows,
             run("SELECT doc, record FROM akin.documents_@ WHERE doc = $1", Params().number(document)));
    if (rows.size() == 0) return corrupt(name_of_document(document), "it has postings and no record");
    AKIN_TRY(DocumentRecord record, record_of(rows.bytes(0, 1), document));
    if (features && record.features_in(tier).value_or(0) != *features) {
      return corrupt(name_of_document(document),
                     "its record and its postings have different numbers of features");
    }
    return ids_.emplace(number, std::move(record.id)).first->second;
  }

  std::shared_ptr<Pool> pool_;
  Parts parts_;
  mutable Pool::Lease connection_;
  StoreNumber store_;
  StoreSerial serial_;
  StoreIdentity identity_;
  StoreCounters counters_;
  std::shared_ptr<BlockCache> cache_;
  PostingReader reader_{*connection_, parts_, store_, *cache_};
  mutable std::unordered_map<DocNumber, std::string> ids_;
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
                                                StoreNumber store, StoreSerial serial,
                                                const StoreIdentity& identity,
                                                std::shared_ptr<BlockCache> cache) {
  for (int attempt = 0;; ++attempt) {
    bool broken = false;
    Result<Reading> reading = begin_reading(*pool, store, broken);
    if (!reading.has_error()) {
      return std::unique_ptr<Snapshot>(
          std::make_unique<PgSnapshot>(SnapshotParts{pool, parts, std::move(reading->connection), store,
                                                     serial, identity, reading->counters, std::move(cache)}));
    }
    if (!broken || attempt > 0) return std::move(reading).error();
  }
}

}  // namespace akin::pg
