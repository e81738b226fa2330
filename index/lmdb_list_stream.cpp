#include "index/lmdb_list_stream.h"

#include <vector>

#include "index/encoding.h"
#include "index/format.h"
#include "index/postings.h"

namespace akin {

namespace {

using format::kPostingBytes;

class LmdbListStream final : public ListStream {
 public:
  explicit LmdbListStream(lmdb::Cursor cursor) noexcept : cursor_(std::move(cursor)) {}

  Result<bool> next() override {
    documents_.clear();
    counts_.clear();
    AKIN_TRY(const bool there, cursor_.next());
    if (!there) return false;
    if (cursor_.key().size() != format::kFeatureBytes) {
      return corrupt("postings", "a key does not have 8 bytes");
    }
    feature_ = Feature{load_u64_big_endian(cursor_.key().data())};
    AKIN_CHECK(cursor_.values_of_page());
    for (bool more = true; more;) {
      AKIN_CHECK(take_page());
      AKIN_TRY(more, cursor_.values_of_next_page());
    }
    return true;
  }

  Feature feature() const noexcept override { return feature_; }
  std::span<const DocNumber> documents() const noexcept override { return documents_; }
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  Result<void> take_page() {
    const std::string_view page = cursor_.value();
    if (page.empty() || page.size() % kPostingBytes != 0) {
      return corrupt(name_of(feature_), "a posting does not have 8 bytes");
    }
    for (std::size_t at = 0; at < page.size(); at += kPostingBytes) {
      documents_.push_back(DocNumber{load_u32_big_endian(page.data() + at)});
      counts_.push_back(load_u32_big_endian(page.data() + at + 4));
    }
    return {};
  }

  lmdb::Cursor cursor_;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

Result<LmdbListSource> LmdbListSource::make(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(const Counters counters, read_counters(txn, tables));
  return LmdbListSource(txn, tables, counters.next_document);
}

Result<std::unique_ptr<ListStream>> LmdbListSource::lists() const {
  AKIN_TRY(lmdb::Cursor cursor, txn_.cursor(tables_.postings));
  return std::unique_ptr<ListStream>(std::make_unique<LmdbListStream>(std::move(cursor)));
}

}  // namespace akin
