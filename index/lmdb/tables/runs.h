// Runs: sorted, packed, immutable sets of postings in the table "runs", written at once or by a merge. Key of
// a block: run u32, first feature u64, first document u32, and a check over these, so that a key is known to
// be sound without its block; all big-endian. A posting list is entirely in one mixed block, or alone in
// consecutive blocks, each of which is a list or a bitmap.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/codec/posting.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/packed_block.h"
#include "index/overlap/posting_cursor.h"

namespace akin {

struct Tables;

/// A run of fewer postings is small: while it is recent, the next write may take it over.
inline constexpr std::uint64_t kSmallRunPostings = 32'768;

struct RunInfo {
  std::uint32_t id = 0;
  std::uint64_t postings = 0;
  DocNumber first_document{};  ///< all documents of the run are in [first, last]
  DocNumber last_document{};
  Feature from{};  ///< lists of smaller features have been merged into another run
  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

/// Where postings are; stored in one entry of the meta table, so that it changes atomically.
struct PostingState {
  std::vector<RunInfo> runs;   ///< ids ascending
  std::uint32_t next_run = 0;  ///< ids below this have been given out
  DocNumber recent_from{};     ///< documents below this have no recent postings: merges may take their runs
  DocNumber packed_to{};       ///< the sequences of documents below this have been packed
  friend bool operator==(const PostingState&, const PostingState&) = default;
};

/// Whether a run is small and no merge can have chosen it, so that a batch may take it over.
[[nodiscard]] bool is_recent(const PostingState& state, const RunInfo& run) noexcept;
/// Postings in recent runs.
[[nodiscard]] std::uint64_t recent_postings(const PostingState& state) noexcept;

[[nodiscard]] std::string encode_posting_state(const PostingState& state);
[[nodiscard]] std::optional<PostingState> decode_posting_state(std::string_view bytes);
/// Error: corrupt.
[[nodiscard]] Result<PostingState> read_posting_state(const lmdb::Txn& txn, const Tables& tables);
[[nodiscard]] Result<void> write_posting_state(lmdb::WriteTxn& txn, const Tables& tables,
                                               const PostingState& state);

/// Without the check: it sorts immediately before the key with it.
[[nodiscard]] std::string run_key(std::uint32_t run, Feature feature, DocNumber document);

struct RunKey {
  std::uint32_t run = 0;
  Feature feature{};
  DocNumber document{};
};
/// Nothing if it is not a key, or does not have its check.
[[nodiscard]] std::optional<RunKey> decode_run_key(std::string_view key);
/// Stores a block under a run_key, which is larger than all others.
[[nodiscard]] Result<void> append_block(lmdb::WriteTxn& txn, const Tables& tables, std::string_view key,
                                        std::string_view block);

/// Packs posting lists into blocks.
class RunWriter {
 public:
  using Sink = std::function<Result<void>(std::string_view key, std::string_view block)>;
  RunWriter(std::uint32_t run, Sink sink)
      : info_{run, 0, kEnd, DocNumber{}, Feature{}}, sink_(std::move(sink)) {}

  /// Features ascend strictly; a list is whole and not empty. Errors are the sink's.
  [[nodiscard]] Result<void> add(Feature feature, std::span<const DocNumber> documents,
                                 std::span<const std::uint32_t> counts);
  /// Passes all blocks that are not full yet to the sink; more lists may follow.
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] const RunInfo& info() const noexcept { return info_; }

 private:
  RunInfo info_;
  Sink sink_;
  MixedBlockBuilder mixed_;
  std::string block_;
};

/// Walks over the lists of one run in a transaction. Verifies the checksum of every block.
class RunCursor {
 public:
  /// Begins at the first list whose feature is at least `from`.
  [[nodiscard]] static Result<RunCursor> open(const lmdb::Txn& txn, const Tables& tables, std::uint32_t run,
                                              Feature from);
  /// Moves to the next list; false after the last one. Errors: corrupt (the cursor is then after the damaged
  /// block, where `next` continues).
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] Feature feature() const noexcept { return feature_; }
  [[nodiscard]] std::span<const DocNumber> documents() const noexcept;
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept;

 private:
  RunCursor(lmdb::Cursor cursor, std::uint32_t run, Feature from) noexcept
      : cursor_(std::move(cursor)), run_(run), from_(from) {}
  [[nodiscard]] Result<bool> load();
  [[nodiscard]] Result<void> load_list(std::uint32_t list_size);
  [[nodiscard]] Result<void> begin();
  /// Advances the LMDB cursor.
  [[nodiscard]] Result<void> step();
  /// Takes the result of a move of the LMDB cursor: a damaged block is reported when it is loaded.
  [[nodiscard]] Result<void> come_to(Result<bool> moved);
  /// Whether the LMDB cursor is on a sound block of the current feature.
  [[nodiscard]] bool is_on_list() const;

  lmdb::Cursor cursor_;
  std::uint32_t run_;
  Feature from_;
  bool begun_ = false;
  bool there_ = false;             ///< the LMDB cursor is on a block that has not been loaded
  std::optional<Error> damage_;    ///< of that block
  std::vector<Feature> features_;  ///< of a mixed block; empty for a long list
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
  std::size_t first_ = 0, last_ = 0;  ///< the current list
  Feature feature_{};
};

static_assert(PostingCursor<RunCursor>);

/// Appends all postings of a run, by feature, then document. Error: corrupt.
[[nodiscard]] Result<void> read_run(const lmdb::Txn& txn, const Tables& tables, const RunInfo& run,
                                    std::vector<Posting>& postings);

/// Erases the blocks of a run that hold features below `from` only.
[[nodiscard]] Result<void> erase_blocks_below(lmdb::WriteTxn& txn, const Tables& tables, std::uint32_t run,
                                              Feature from);
/// Erases all blocks of a run.
[[nodiscard]] Result<void> erase_run(lmdb::WriteTxn& txn, const Tables& tables, std::uint32_t run);

}  // namespace akin
