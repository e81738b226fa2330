#include "index/pg/lists.h"

#include <compare>
#include <limits>
#include <utility>
#include <vector>

#include "morph/tiers.h"

namespace akin::pg {
namespace {

constexpr std::int64_t kPage = 50'000;

/// Where a row stands in the order of a table.
struct Place {
  std::int64_t key = 0, document = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The rows of a table in the order of (key, doc), read in pages.
class TableRows {
 public:
  TableRows(Connection& connection, std::string sql, Place after)
      : connection_(connection), sql_(std::move(sql)), place_(after) {}

  /// False behind the last row.
  Result<bool> next() {
    if (rows_ && ++row_ < rows_->size()) {
      read();
      return true;
    }
    if (rows_ && rows_->size() < static_cast<std::size_t>(kPage)) return false;
    AKIN_TRY(Rows page,
             connection_.run(sql_, Params().number(place_.key).number(place_.document).number(kPage)));
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
  std::string sql_;
  std::optional<Rows> rows_;
  std::size_t row_ = 0;
  Place place_;
};

class PgListStream final : public ListStream {
 public:
  PgListStream(TableRows postings, TableRows repeats, std::optional<std::size_t> tier)
      : postings_(std::move(postings)), repeats_(std::move(repeats)), tier_(tier) {}

  Result<bool> next() override {
    if (!begun_) {
      AKIN_TRY(posting_there_, postings_.next());
      AKIN_TRY(repeat_there_, repeats_.next());
      begun_ = true;
    }
    documents_.clear();
    counts_.clear();
    if (!posting_there_) return false;
    const std::int64_t key = postings_.place().key;
    feature_ = feature_of(key);
    if (tier_ && tier_of(feature_) != *tier_) return false;
    while (posting_there_ && postings_.place().key == key) {
      AKIN_CHECK(take());
      AKIN_TRY(posting_there_, postings_.next());
    }
    return true;
  }
  Feature feature() const noexcept override { return feature_; }
  std::span<const DocNumber> documents() const noexcept override { return documents_; }
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  Result<void> take() {
    const Place at = postings_.place();
    if (at.document < 0 || at.document >= static_cast<std::int64_t>(kEnd)) {
      return Error{Errc::too_large, "collection", "it has document numbers over 4294967294",
                   "run `akin reindex`: it numbers anew"};
    }
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
  bool begun_ = false, posting_there_ = false, repeat_there_ = false;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

Result<std::unique_ptr<ListStream>> PgListSource::lists() const {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const Place before{tier_ ? key_of(first_of_tier(*tier_)) : kLeast, kLeast};
  TableRows postings(connection_,
                     of_store("SELECT key, doc FROM akin.p_@ WHERE (key, doc) > ($1, $2)"
                              " ORDER BY key, doc LIMIT $3",
                              store_),
                     before);
  TableRows repeats(connection_,
                    of_store("SELECT key, doc, n FROM akin.r_@ WHERE (key, doc) > ($1, $2)"
                             " ORDER BY key, doc LIMIT $3",
                             store_),
                    before);
  return std::unique_ptr<ListStream>(
      std::make_unique<PgListStream>(std::move(postings), std::move(repeats), tier_));
}

}  // namespace akin::pg
