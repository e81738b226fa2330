#include "index/pg/postings/lists.h"

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph/schemes/tiers.h"

namespace akin::pg {
namespace {

class PgListStream final : public ListStream {
 public:
  PgListStream(const PostingTables& tables, std::optional<std::size_t> tier,
               const std::vector<bool>& documents)
      : postings_(tables, from(tier)), tier_(tier), directory_(documents) {}

  Result<bool> next() override {
    if (!begun_) {
      AKIN_TRY(posting_there_, postings_.next());
      begun_ = true;
    }
    documents_.clear();
    counts_.clear();
    // All documents of a list may be tombstoned.
    while (posting_there_ && documents_.empty()) {
      const std::int64_t key = postings_.posting().key;
      feature_ = feature_of(key);
      if (tier_ && tier_of(feature_) != *tier_) return false;
      while (posting_there_ && postings_.posting().key == key) {
        take();
        AKIN_TRY(posting_there_, postings_.next());
      }
    }
    return !documents_.empty();
  }
  Feature feature() const noexcept override { return feature_; }
  std::span<const DocNumber> documents() const noexcept override { return documents_; }
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  static std::int64_t from(std::optional<std::size_t> tier) noexcept {
    return tier ? key_of(first_of_tier(*tier)) : std::numeric_limits<std::int64_t>::min();
  }

  [[nodiscard]] bool is_document(std::int64_t number) const {
    return number >= 0 && static_cast<std::uint64_t>(number) < directory_.size() &&
           directory_[static_cast<std::size_t>(number)];
  }

  void take() {
    const StoredPosting& posting = postings_.posting();
    if (!is_document(posting.document)) return;
    documents_.push_back(document_of(posting.document));
    counts_.push_back(posting.count);
  }

  PostingRows postings_;
  std::optional<std::size_t> tier_;
  const std::vector<bool>& directory_;
  bool begun_ = false, posting_there_ = false;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

static_assert(HasPostings<PgListStream> && !std::is_copy_constructible_v<PgListStream>);

}  // namespace

Result<PgListSource> PgListSource::open(PostingTables tables, std::optional<std::size_t> tier) {
  PgListSource source(std::move(tables), tier);
  Connection& connection = *source.tables_.connection;
  const StoreNumber store = source.tables_.store;
  AKIN_TRY(const Rows last,
           connection.run(of_store("SELECT coalesce(max(doc), -1) FROM akin.documents_@", store)));
  const std::int64_t limit = last.number(0, 0) + 1;
  if (limit > static_cast<std::int64_t>(kEnd)) {
    return Error{Errc::too_large, "collection", "it has document numbers over 4294967294",
                 "run `akin reindex`, which numbers the documents again"};
  }
  source.documents_.resize(static_cast<std::size_t>(limit));
  AKIN_CHECK(connection.stream({of_store("SELECT doc FROM akin.documents_@", store)},
                               [&](const Rows& row) -> Result<void> {
                                 source.documents_[static_cast<std::size_t>(row.number(0, 0))] = true;
                                 return {};
                               }));
  return source;
}

Result<std::unique_ptr<ListStream>> PgListSource::lists() const {
  return std::unique_ptr<ListStream>(std::make_unique<PgListStream>(tables_, tier_, documents_));
}

}  // namespace akin::pg
