#include "index/lmdb/postings/list_stream.h"

#include <utility>

#include "index/lmdb/postings/posting_stream.h"
#include "morph/schemes/tiers.h"

namespace akin {

namespace {

/// The lists of one tier. They are contiguous, as the tier is the features' leading bits.
class TierStream final : public ListStream {
 public:
  TierStream(PostingStream all, std::size_t tier) noexcept : all_(std::move(all)), tier_(tier) {}

  Result<bool> next() override {
    AKIN_TRY(const bool there, all_.next());
    return there && tier_of(all_.feature()) == tier_;
  }
  Feature feature() const noexcept override { return all_.feature(); }
  std::span<const DocNumber> documents() const noexcept override { return all_.documents(); }
  std::span<const std::uint32_t> counts() const noexcept override { return all_.counts(); }

 private:
  PostingStream all_;
  std::size_t tier_;
};

static_assert(PostingCursor<TierStream>);

}  // namespace

Result<LmdbListSource> LmdbListSource::make(const lmdb::Txn& txn, const Tables& tables,
                                            std::optional<std::size_t> tier) {
  LmdbListSource source(txn, tables);
  source.tier_ = tier;
  AKIN_TRY(const Counters counters, read_counters(txn, tables));
  source.document_limit_ = counters.next_document;
  AKIN_TRY(source.state_, read_posting_state(txn, tables));
  AKIN_TRY(source.tombstones_, Tombstones::read(txn, tables));
  return source;
}

Result<std::unique_ptr<ListStream>> LmdbListSource::lists() const {
  const Feature from = tier_ ? first_of_tier(*tier_) : Feature{0};
  AKIN_TRY(PostingStream stream, PostingStream::open(txn_, tables_, state_.runs, from, tombstones_));
  if (tier_) return std::unique_ptr<ListStream>(std::make_unique<TierStream>(std::move(stream), *tier_));
  return std::unique_ptr<ListStream>(std::make_unique<PostingStream>(std::move(stream)));
}

}  // namespace akin
