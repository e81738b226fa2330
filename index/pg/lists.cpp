#include "index/pg/lists.h"

#include <compare>
#include <string>
#include <utility>
#include <vector>

#include "morph/tiers.h"

namespace akin::pg {
namespace {

/// Where a row stands in the order of a table.
struct Place {
  std::int64_t key = 0, document = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The rows of a table in the order of (key, doc), by a cursor: whatever the number of rows and of shards,
/// few are in memory.
class TableRows {
 public:
  TableRows(Connection& connection, std::string select)
      : connection_(connection), select_(std::move(select)), name_(connection.unique_name()) {}
  TableRows(const TableRows&) = delete;
  TableRows& operator=(const TableRows&) = delete;
  ~TableRows() {
    // In a transaction that has failed it is closed already.
    if (declared_) static_cast<void>(connection_.command("CLOSE " + name_));
  }

  /// False behind the last row.
  Result<bool> next() {
    if (!declared_) {
      AKIN_CHECK(connection_.command("DECLARE " + name_ + " NO SCROLL CURSOR FOR " + select_));
      declared_ = true;
    }
    if (rows_ && ++row_ < rows_->size()) {
      read();
      return true;
    }
    if (rows_ && rows_->size() == 0) return false;
    AKIN_TRY(Rows page, connection_.run_once("FETCH 20000 FROM " + name_));
    rows_ = std::move(page);
    row_ = 0;
    if (rows_->size() == 0) return false;
    read();
    return true;
  }
  [[nodiscard]] Place place() const noexcept { return place_; }
  [[nodiscard]] std::int64_t count() const noexcept { return rows_->number(row_, 2); }

 private:
  void read() { place_ = {rows_->number(row_, 0), rows_->number(row_, 1)}; }

  Connection& connection_;
  std::string select_, name_;
  bool declared_ = false;
  std::optional<Rows> rows_;
  std::size_t row_ = 0;
  Place place_;
};

class PgListStream final : public ListStream {
 public:
  PgListStream(Connection& connection, const std::string& postings, const std::string& repeats,
               std::optional<std::size_t> tier, const std::vector<bool>& documents)
      : postings_(connection, postings), repeats_(connection, repeats), tier_(tier), directory_(documents) {}

  Result<bool> next() override {
    if (!begun_) {
      AKIN_TRY(posting_there_, postings_.next());
      AKIN_TRY(repeat_there_, repeats_.next());
      begun_ = true;
    }
    documents_.clear();
    counts_.clear();
    // A list may have documents that are gone only.
    while (posting_there_ && documents_.empty()) {
      const std::int64_t key = postings_.place().key;
      feature_ = feature_of(key);
      if (tier_ && tier_of(feature_) != *tier_) return false;
      while (posting_there_ && postings_.place().key == key) {
        AKIN_CHECK(take());
        AKIN_TRY(posting_there_, postings_.next());
      }
    }
    return !documents_.empty();
  }
  Feature feature() const noexcept override { return feature_; }
  std::span<const DocNumber> documents() const noexcept override { return documents_; }
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  [[nodiscard]] bool is_document(std::int64_t number) const {
    return number >= 0 && static_cast<std::uint64_t>(number) < directory_.size() &&
           directory_[static_cast<std::size_t>(number)];
  }

  Result<void> take() {
    const Place at = postings_.place();
    if (!is_document(at.document)) return {};
    while (repeat_there_ && repeats_.place() < at) {
      AKIN_TRY(repeat_there_, repeats_.next());
    }
    const bool repeated = repeat_there_ && repeats_.place() == at;
    documents_.push_back(DocNumber{static_cast<std::uint32_t>(at.document)});
    counts_.push_back(repeated ? static_cast<std::uint32_t>(repeats_.count()) : 1U);
    return {};
  }

  TableRows postings_, repeats_;
  std::optional<std::size_t> tier_;
  const std::vector<bool>& directory_;
  bool begun_ = false, posting_there_ = false, repeat_there_ = false;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

Result<PgListSource> PgListSource::open(Connection& connection, StoreNumber store,
                                        std::optional<std::size_t> tier) {
  PgListSource source(connection, store, tier);
  AKIN_TRY(const Rows last, connection.run(of_store("SELECT coalesce(max(doc), -1) FROM akin.d_@", store)));
  const std::int64_t limit = last.number(0, 0) + 1;
  if (limit > static_cast<std::int64_t>(kEnd)) {
    return Error{Errc::too_large, "collection", "it has document numbers over 4294967294",
                 "run `akin reindex`: it numbers anew"};
  }
  source.documents_.resize(static_cast<std::size_t>(limit));
  AKIN_CHECK(
      connection.stream({of_store("SELECT doc FROM akin.d_@", store)}, [&](const Rows& row) -> Result<void> {
        source.documents_[static_cast<std::size_t>(row.number(0, 0))] = true;
        return {};
      }));
  return source;
}

Result<std::unique_ptr<ListStream>> PgListSource::lists() const {
  const std::string from =
      tier_ ? " WHERE key >= " + std::to_string(key_of(first_of_tier(*tier_))) : std::string();
  return std::unique_ptr<ListStream>(std::make_unique<PgListStream>(
      connection_, of_store("SELECT key, doc FROM akin.p_@" + from + " ORDER BY key, doc", store_),
      of_store("SELECT key, doc, n FROM akin.r_@" + from + " ORDER BY key, doc", store_), tier_, documents_));
}

}  // namespace akin::pg
