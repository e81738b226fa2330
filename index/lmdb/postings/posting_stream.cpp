#include "index/lmdb/postings/posting_stream.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "morph/schemes/tiers.h"

namespace akin {

Result<PostingStream> PostingStream::open(const lmdb::Txn& txn, const Tables& tables,
                                          std::span<const RunInfo> runs, Feature from,
                                          const Tombstones& tombstones) {
  PostingStream stream(tombstones);
  for (const RunInfo& run : runs) {
    AKIN_TRY(RunCursor cursor, RunCursor::open(txn, tables, run.id, std::max(from, run.from)));
    stream.runs_.push_back(std::move(cursor));
  }
  for (std::uint32_t i = 0; i < stream.runs_.size(); ++i) stream.consumed_.push_back(i);
  stream.taken_.resize(stream.runs_.size());
  return stream;
}

namespace {
constexpr auto kLater = [](const auto& left, const auto& right) { return left.feature > right.feature; };

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

/// Moves the run at the top of the heap on to its next list, and to its place.
Result<void> PostingStream::advance_top() {
  AKIN_TRY(const bool there, runs_[heap_.front().run].next());
  top_is_consumed_ = false;
  if (!there) {
    std::pop_heap(heap_.begin(), heap_.end(), kLater);
    heap_.pop_back();
    return {};
  }
  const Head head{runs_[heap_.front().run].feature(), heap_.front().run};
  std::size_t place = 0;
  for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
    if (child + 1 < heap_.size()) child += heap_[child + 1].feature < heap_[child].feature ? 1 : 0;
    if (heap_[child].feature >= head.feature) break;
    heap_[place] = heap_[child];
    place = child;
  }
  heap_[place] = head;
  return {};
}

/// Whether no other run has the feature at the top of the heap.
bool PostingStream::top_is_alone() const noexcept {
  const auto differs = [this](std::size_t at) {
    return at >= heap_.size() || heap_[at].feature != heap_.front().feature;
  };
  return differs(1) && differs(2);
}

Result<void> PostingStream::advance(std::uint32_t run) {
  AKIN_TRY(const bool there, runs_[run].next());
  if (!there) return {};
  heap_.push_back({runs_[run].feature(), run});
  std::push_heap(heap_.begin(), heap_.end(), kLater);
  return {};
}

Result<bool> PostingStream::next() {
  for (;;) {
    // After an error it is still consumed.
    if (top_is_consumed_) AKIN_CHECK(advance_top());
    while (!consumed_.empty()) {
      const std::uint32_t run = consumed_.back();
      // Removed only once it has advanced: after an error it is tried again.
      AKIN_CHECK(advance(run));
      consumed_.pop_back();
    }
    if (heap_.empty()) return false;
    AKIN_CHECK(gather());
    if (!tombstones_->empty()) drop_tombstoned();
    if (!documents_.empty()) return true;
  }
}

/// Takes the lists of the smallest feature from all runs that have it.
Result<void> PostingStream::gather() {
  feature_ = heap_.front().feature;
  if (top_is_alone()) {
    const RunCursor& only = runs_[heap_.front().run];
    top_is_consumed_ = true;
    documents_ = only.documents();
    counts_ = only.counts();
    taken_[heap_.front().run] += documents_.size();
    return {};
  }
  while (!heap_.empty() && heap_.front().feature == feature_) {
    std::pop_heap(heap_.begin(), heap_.end(), kLater);
    const std::uint32_t run = heap_.back().run;
    consumed_.push_back(run);
    taken_[run] += runs_[run].documents().size();
    heap_.pop_back();
  }
  own_documents_.clear();
  own_counts_.clear();
  for (std::uint32_t run : consumed_) {
    const RunCursor& one = runs_[run];
    own_documents_.insert(own_documents_.end(), one.documents().begin(), one.documents().end());
    own_counts_.insert(own_counts_.end(), one.counts().begin(), one.counts().end());
  }
  sort_documents();
  if (std::adjacent_find(own_documents_.begin(), own_documents_.end()) != own_documents_.end()) {
    return corrupt(name_of(feature_), "a document is listed twice");
  }
  documents_ = own_documents_;
  counts_ = own_counts_;
  return {};
}

void PostingStream::sort_documents() {
  if (std::is_sorted(own_documents_.begin(), own_documents_.end())) return;
  std::vector<std::pair<DocNumber, std::uint32_t>> pairs;
  pairs.reserve(own_documents_.size());
  for (std::size_t i = 0; i < own_documents_.size(); ++i)
    pairs.emplace_back(own_documents_[i], own_counts_[i]);
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < pairs.size(); ++i) std::tie(own_documents_[i], own_counts_[i]) = pairs[i];
}

void PostingStream::drop_tombstoned() {
  if (std::none_of(documents_.begin(), documents_.end(),
                   [&](DocNumber d) { return tombstones_->contains(d); }))
    return;
  if (documents_.data() != own_documents_.data()) {
    own_documents_.assign(documents_.begin(), documents_.end());
    own_counts_.assign(counts_.begin(), counts_.end());
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < own_documents_.size(); ++i) {
    if (tombstones_->contains(own_documents_[i])) continue;
    own_documents_[kept] = own_documents_[i];
    own_counts_[kept++] = own_counts_[i];
  }
  left_out_ += own_documents_.size() - kept;
  own_documents_.resize(kept);
  own_counts_.resize(kept);
  documents_ = own_documents_;
  counts_ = own_counts_;
}

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
