// Passes over the posting lists of an LMDB store.
#pragma once

#include <optional>

#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "index/pairs/list_stream.h"

namespace akin {

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
