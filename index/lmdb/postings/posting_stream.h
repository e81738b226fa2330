// Merges runs into one pass over whole posting lists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "index/pairs/list_stream.h"

namespace akin {

class PostingStream final : public ListStream {
 public:
  /// Leaves out lists of features below `from`, and the documents in `tombstones`; these and the transaction
  /// must outlive the stream.
  [[nodiscard]] static Result<PostingStream> open(const lmdb::Txn& txn, const Tables& tables,
                                                  std::span<const RunInfo> runs, Feature from,
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
  struct Head {
    Feature feature{};
    std::uint32_t run = 0;  ///< its place in runs_
  };

  explicit PostingStream(const Tombstones& tombstones) noexcept : tombstones_(&tombstones) {}
  [[nodiscard]] Result<void> advance_top();
  [[nodiscard]] bool top_is_alone() const noexcept;
  [[nodiscard]] Result<void> advance(std::uint32_t run);
  [[nodiscard]] Result<void> gather();
  void sort_documents();
  void drop_tombstoned();

  const Tombstones* tombstones_;
  std::vector<RunCursor> runs_;
  std::vector<Head> heap_;               ///< least feature first
  bool top_is_consumed_ = false;         ///< the list of the heap's top has been taken
  std::vector<std::uint32_t> consumed_;  ///< runs not in the heap whose current list has been taken
  Feature feature_{};
  std::span<const DocNumber> documents_;
  std::span<const std::uint32_t> counts_;
  std::vector<DocNumber> own_documents_;
  std::vector<std::uint32_t> own_counts_;
  std::uint64_t left_out_ = 0;
  std::vector<std::uint64_t> taken_;  ///< by run
};

static_assert(PostingCursor<PostingStream>);

/// The lists as of a transaction, which must outlive the source and its streams.
class LmdbListSource final : public ListSource {
 public:
  /// With a tier (morph/schemes/tiers.h) only the lists of its features. Error: corrupt.
  [[nodiscard]] static Result<LmdbListSource> make(const lmdb::Txn& txn, const Tables& tables,
                                                   std::optional<std::size_t> tier);

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return document_limit_; }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  LmdbListSource(const lmdb::Txn& txn, const Tables& tables) noexcept : txn_(txn), tables_(tables) {}

  const lmdb::Txn& txn_;
  const Tables& tables_;
  std::uint64_t document_limit_ = 0;
  std::optional<std::size_t> tier_;
  PostingState state_;
  Tombstones tombstones_;
};

}  // namespace akin
