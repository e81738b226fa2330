// Looking features up: the posting list of one feature over all runs of a transaction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/codec/feature_counts.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/postings/run_filters.h"
#include "index/lmdb/tables/packed_block.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// A contiguous part of a feature's postings. Views the transaction.
struct ListPart {
  std::uint32_t run = 0;
  std::uint32_t size = 0;    ///< postings, including those of tombstoned documents
  PackedBlock block;         ///< the block with it, or the first one of the list alone
  PackedBlock::Slice slice;  ///< of a mixed block
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

  /// Look-ups of features that a run does not have are left out from here on. Requires a read transaction of
  /// the filters' store.
  void filter_by(RunFilters& filters) { filters_ = filters.of(state_); }

  /// Features looked up in ascending order are fastest.
  [[nodiscard]] Result<ListRef> find(Feature feature);
  /// Appends the lists of some features, which ascend: while one block is sought, the processor fetches those
  /// before it. More than kTogether may displace each other in its cache.
  static constexpr std::size_t kTogether = 16;
  [[nodiscard]] Result<void> find_all(std::span<const Feature> features, std::vector<ListRef>& found);

  /// Announces that features, which ascend, will be looked up (lmdb::Txn::announce).
  void announce(std::span<const Feature> features) const;

  /// Calls visit(DocNumber, count) for every posting; documents ascend within a part only. Some may be
  /// tombstoned.
  template <class Visit>
  [[nodiscard]] Result<void> for_each(const ListRef& list, Visit&& visit) {
    return for_each_part(list, visit, [&](const PackedBlock& block) { return visit_all(block, visit); });
  }

  /// The same, but blocks that are bitmaps are passed to visit_bitmap(const PackedBlock&).
  template <class Visit, class VisitBitmap>
  [[nodiscard]] Result<void> for_each_dense(const ListRef& list, Visit&& visit, VisitBitmap&& visit_bitmap) {
    return for_each_part(list, visit, [&](const PackedBlock& block) {
      if (block.kind() != BlockKind::bitmap) return visit_all(block, visit);
      visit_bitmap(block);
      return true;
    });
  }

  /// The count of the feature in a document, 0 if it is not listed.
  [[nodiscard]] Result<std::uint32_t> count(const ListRef& list, DocNumber document);

  /// All features with the same leading bits (feature >> shift) that list a document.
  [[nodiscard]] Result<std::vector<Feature>> features_of(std::uint64_t leading, unsigned shift,
                                                         DocNumber document);

 private:
  template <class Visit>
  static bool visit_all(const PackedBlock& block, Visit& visit) {
    return block.for_each_document(
        [&](std::uint32_t document, std::uint32_t count) { visit(DocNumber{document}, count); });
  }

  /// Passes blocks of the list alone to visit_block(const PackedBlock&), which returns false if one is
  /// damaged, and other postings to `visit`.
  template <class Visit, class VisitBlock>
  [[nodiscard]] Result<void> for_each_part(const ListRef& list, Visit& visit, const VisitBlock& visit_block) {
    for (std::uint32_t p = list.first_part; p < list.first_part + list.parts; ++p) {
      const ListPart part = parts_[p];
      if (!part.block.is_of_list()) {
        for (std::uint32_t i = part.slice.first; i < part.slice.last; ++i)
          visit(DocNumber{part.block.mixed_document(i)}, part.block.count(i));
      } else {
        AKIN_CHECK(for_each_block(list.feature, part, visit_block));
      }
    }
    return {};
  }

  /// The blocks of a list in a run; visit(const PackedBlock&) returns false if one is damaged.
  template <class Visit>
  [[nodiscard]] Result<void> for_each_block(Feature feature, const ListPart& part, const Visit& visit) {
    std::uint32_t seen = 0;
    std::optional<PackedBlock> block = part.block;
    for (bool is_first = true; block; is_first = false) {
      seen += block->size();
      if (seen > part.size || !visit(*block)) return damaged(feature);
      if (seen == part.size) return {};
      AKIN_TRY(block, is_first ? block_after(feature, part.run, block->last_document())
                               : block_here(feature, part.run, cursor_.next()));
    }
    return damaged(feature);
  }

  /// Whether a feature's list may have a part in a run, of which this is the number in state_.
  [[nodiscard]] bool may_be_in(std::size_t run, Feature feature) const noexcept {
    if (feature < state_.runs[run].from) return false;
    return filters_.empty() || !filters_[run] || filters_[run]->may_have(feature);
  }

  PostingLists(PostingState state, const lmdb::Txn& txn, const Tables& tables, lmdb::Cursor cursor)
      : state_(std::move(state)), txn_(&txn), tables_(&tables), cursor_(std::move(cursor)) {}
  /// A block that may have a feature's list, where it is stored.
  struct Sought {
    RunKey key;
    std::string_view key_bytes, value;
    bool is_verified = false;  ///< and its check has been taken off the value
  };
  /// Comes to the last block of a run whose key is that of the feature and document or less; for document 0
  /// also to the feature's first block. Nothing if there is none.
  [[nodiscard]] Result<std::optional<Sought>> seek_block(Feature feature, std::uint32_t run,
                                                         DocNumber document);
  [[nodiscard]] Result<PackedBlock> open_block(Feature feature, const Sought& sought);
  /// Adds the part of a list that is in a block.
  [[nodiscard]] Result<void> add_part(const Sought& sought, ListRef& list);
  /// The block of a list after a document; nothing if there is none.
  [[nodiscard]] Result<std::optional<PackedBlock>> block_after(Feature feature, std::uint32_t run,
                                                               DocNumber before);
  /// The block to which the cursor has moved, if it is one of this list.
  [[nodiscard]] Result<std::optional<PackedBlock>> block_here(Feature feature, std::uint32_t run,
                                                              const Result<bool>& moved);
  /// The block of a list that would hold a document.
  [[nodiscard]] Result<std::optional<PackedBlock>> block_of(Feature feature, std::uint32_t run,
                                                            DocNumber document);
  [[nodiscard]] static Error damaged(Feature feature);

  /// A block of a list, which has the list's postings of documents first … last.
  struct Recent {
    Feature feature{};
    std::uint32_t run = 0;
    DocNumber first{}, last{};
    PackedBlock block;
  };

  PostingState state_;
  const lmdb::Txn* txn_;
  const Tables* tables_;
  lmdb::Cursor cursor_;                                    ///< over the runs
  std::optional<Recent> recent_;                           ///< the last one that was asked for a document
  std::vector<std::shared_ptr<const RunFilter>> filters_;  ///< of each run, null without one; or empty
  std::vector<ListPart> parts_;
};

/// The lists of some features, which were looked up together.
struct FoundLists {
  std::vector<Feature> features;  ///< ascending, each once
  std::vector<ListRef> refs;      ///< of each of them; empty ones too
  PostingLists lists;             ///< that the refs are for
};

/// The lists of the last two sets of features: a search asks which of its features are common before it reads
/// their lists, and in how many of them a document is. One thread at a time; neither this nor the lists may
/// outlive the transaction.
class LookUps {
 public:
  /// `filters`: those of the store, which must outlive this.
  explicit LookUps(RunFilters& filters) noexcept : filters_(&filters) {}

  /// The lists of features, which ascend, each once. Error: corrupt.
  [[nodiscard]] Result<std::shared_ptr<FoundLists>> find(const lmdb::Txn& txn, const Tables& tables,
                                                         std::span<const Feature> features);
  /// The same if they are among those kept, else null.
  [[nodiscard]] std::shared_ptr<FoundLists> known(std::span<const Feature> features) const;

 private:
  RunFilters* filters_;
  std::array<std::shared_ptr<FoundLists>, 2> last_;
  std::size_t next_ = 0;
};

}  // namespace akin
