// Looking features up: the posting list of one feature over all runs and the recent postings of a
// transaction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "index/lmdb/lmdb.h"
#include "index/lmdb/packed_block.h"
#include "index/lmdb/recent_postings.h"
#include "index/lmdb/runs.h"
#include "index/lmdb/tables.h"

namespace akin {

/// A contiguous part of a feature's postings. Views the transaction.
struct ListPart {
  enum class Place : std::uint8_t { mixed, list, recent };
  Place place = Place::mixed;
  std::uint32_t run = 0;
  std::uint32_t size = 0;    ///< postings, including those of tombstoned documents
  PackedBlock block;         ///< mixed: the block; list: the first one
  PackedBlock::Slice slice;  ///< mixed
};

/// Where a feature's postings are.
struct ListRef {
  Feature feature{};
  std::uint64_t size = 0;  ///< postings, including those of tombstoned documents
  std::uint32_t first_part = 0, parts = 0;
};

/// One thread at a time; must not outlive the transaction. Errors of all functions: corrupt.
class PostingLists {
 public:
  [[nodiscard]] static Result<PostingLists> open(const lmdb::Txn& txn, const Tables& tables);

  /// Features looked up in ascending order are fastest.
  [[nodiscard]] Result<ListRef> find(Feature feature);

  /// Calls visit(DocNumber, count) for every posting; documents ascend within a part only. Some may be
  /// tombstoned.
  template <class Visit>
  [[nodiscard]] Result<void> for_each(const ListRef& list, Visit&& visit) {
    for (std::uint32_t p = list.first_part; p < list.first_part + list.parts; ++p) {
      const ListPart part = parts_[p];
      if (part.place == ListPart::Place::mixed) {
        for (std::uint32_t i = part.slice.first; i < part.slice.last; ++i)
          visit(DocNumber{part.block.mixed_document(i)}, part.block.count(i));
        continue;
      }
      if (part.place == ListPart::Place::recent) {
        AKIN_CHECK(read_recent(list.feature));
        for (std::size_t i = 0; i < documents_.size(); ++i) visit(documents_[i], counts_[i]);
        continue;
      }
      std::uint32_t seen = 0;
      std::optional<PackedBlock> block = part.block;
      while (block) {
        seen += block->size();
        if (seen > part.size || !block->for_each_document([&](std::uint32_t d, std::uint32_t count) {
              visit(DocNumber{d}, count);
            })) {
          return damaged(list.feature);
        }
        if (seen == part.size) break;
        AKIN_TRY(block, next_block(list.feature, part.run, block->last_document()));
      }
      if (seen != part.size) return damaged(list.feature);
    }
    return {};
  }

  /// The count of the feature in a document, 0 if it is not listed.
  [[nodiscard]] Result<std::uint32_t> count(const ListRef& list, DocNumber document);

  /// All features with the same leading bits (feature >> shift) that list a document.
  [[nodiscard]] Result<std::vector<Feature>> features_of(std::uint64_t leading, unsigned shift,
                                                         DocNumber document);

 private:
  PostingLists(PostingState state, const lmdb::Txn& txn, const Tables& tables, lmdb::Cursor cursor)
      : state_(std::move(state)), txn_(&txn), tables_(&tables), cursor_(std::move(cursor)) {}
  /// Comes to the last block of a run whose key is that of the feature and document or less; for document 0
  /// also to the feature's first block. Returns its key; nothing if there is none. The block is verified.
  [[nodiscard]] Result<std::optional<RunKey>> seek_block(Feature feature, std::uint32_t run,
                                                         DocNumber document);
  /// The block to which the cursor has come.
  [[nodiscard]] Result<PackedBlock> open_block(Feature feature) const;
  [[nodiscard]] Result<void> find_in_run(const RunInfo& run, ListRef& list);
  [[nodiscard]] Result<void> read_recent(Feature feature);
  /// The block of a list after a document; nothing if there is none.
  [[nodiscard]] Result<std::optional<PackedBlock>> next_block(Feature feature, std::uint32_t run,
                                                              DocNumber behind);
  /// The block of a list that would hold a document.
  [[nodiscard]] Result<std::optional<PackedBlock>> block_of(Feature feature, std::uint32_t run,
                                                            DocNumber document);
  [[nodiscard]] static Error damaged(Feature feature);

  PostingState state_;
  const lmdb::Txn* txn_;
  const Tables* tables_;
  lmdb::Cursor cursor_;                 ///< over the runs
  std::optional<RecentCursor> recent_;  ///< if there are any
  std::vector<ListPart> parts_;
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace akin
