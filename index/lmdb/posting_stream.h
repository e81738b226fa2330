// Merges runs and recent postings into one pass over whole posting lists.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/lmdb/lmdb.h"
#include "index/lmdb/recent_postings.h"
#include "index/lmdb/runs.h"
#include "index/lmdb/tables.h"
#include "index/lmdb/tombstones.h"
#include "index/pairs/list_stream.h"

namespace akin {

/// The sources to merge.
struct PostingSources {
  std::vector<RunInfo> runs;
  bool recent = false;
  Feature from{};  ///< lists of smaller features are left out
};

/// All runs and recent postings of a state.
[[nodiscard]] PostingSources all_sources(const PostingState& state);

class PostingStream final : public ListStream {
 public:
  PostingStream(PostingStream&&) noexcept;
  PostingStream& operator=(PostingStream&&) noexcept;
  ~PostingStream() override;

  /// `tombstones` is the set of documents to leave out; it and the transaction must outlive the stream.
  [[nodiscard]] static Result<PostingStream> open(const lmdb::Txn& txn, const Tables& tables,
                                                  const PostingSources& sources,
                                                  const Tombstones& tombstones);

  /// After an error (corrupt) the next call continues after the damage.
  [[nodiscard]] Result<bool> next() override;
  [[nodiscard]] Feature feature() const noexcept override { return feature_; }
  [[nodiscard]] std::span<const DocNumber> documents() const noexcept override { return documents_; }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  /// Postings of tombstoned documents left out so far.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  /// Postings taken so far from each of the runs, including those of tombstoned documents.
  [[nodiscard]] std::span<const std::uint64_t> taken() const noexcept { return taken_; }

 private:
  struct Source;
  struct Head {
    Feature feature{};
    std::uint32_t source = 0;
  };

  explicit PostingStream(const Tombstones& tombstones) noexcept;
  [[nodiscard]] Result<void> advance_top();
  [[nodiscard]] bool top_is_alone() const noexcept;
  [[nodiscard]] Result<void> advance(std::uint32_t source);
  [[nodiscard]] Result<void> gather();
  void sort_documents();
  void drop_tombstoned();

  const Tombstones* tombstones_;
  std::vector<Source> sources_;
  std::vector<Head> heap_;               ///< least feature first
  bool top_is_consumed_ = false;         ///< the list of the heap's top has been taken
  std::vector<std::uint32_t> consumed_;  ///< sources not in the heap whose current list has been taken
  Feature feature_{};
  std::span<const DocNumber> documents_;
  std::span<const std::uint32_t> counts_;
  std::vector<DocNumber> own_documents_;
  std::vector<std::uint32_t> own_counts_;
  std::uint64_t left_out_ = 0;
  std::vector<std::uint64_t> taken_;  ///< by source
};

static_assert(PostingCursor<PostingStream>);

}  // namespace akin
