#include "index/lmdb/tables/runs.h"

#include <algorithm>
#include <utility>

#include "base/crc32c.h"
#include "index/codec/encoding.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

namespace {

constexpr std::size_t kRunKeyBytes = 16;
constexpr std::size_t kKeyCheckBytes = 4;

Error damaged(std::uint32_t run, Feature feature, const std::string& what) {
  return corrupt("run " + std::to_string(run) + ", " + name_of(feature), what);
}

}  // namespace

bool is_recent(const PostingState& state, const RunInfo& run) noexcept {
  return run.first_document >= state.recent_from && run.postings < kSmallRunPostings;
}

std::uint64_t recent_postings(const PostingState& state) noexcept {
  std::uint64_t postings = 0;
  for (const RunInfo& run : state.runs) postings += is_recent(state, run) ? run.postings : 0;
  return postings;
}

std::string encode_posting_state(const PostingState& state) {
  std::string bytes;
  append_varint(bytes, state.runs.size());
  for (const RunInfo& run : state.runs) {
    append_u32(bytes, run.id);
    append_u64(bytes, run.postings);
    append_u32(bytes, static_cast<std::uint32_t>(run.first_document));
    append_u32(bytes, static_cast<std::uint32_t>(run.last_document));
    append_u64(bytes, static_cast<std::uint64_t>(run.from));
  }
  append_u32(bytes, state.next_run);
  append_u32(bytes, static_cast<std::uint32_t>(state.recent_from));
  append_u32(bytes, static_cast<std::uint32_t>(state.packed_to));
  append_checksum(bytes);
  return bytes;
}

std::optional<PostingState> decode_posting_state(std::string_view bytes) {
  const std::optional<std::string_view> body = without_checksum(bytes);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  PostingState state;
  constexpr std::size_t kRunBytes = 28;
  const std::uint64_t runs = reader.varint();
  if (!reader.ok() || runs > reader.left() / kRunBytes) return std::nullopt;
  state.runs.resize(runs);
  for (RunInfo& run : state.runs) {
    run.id = reader.u32();
    run.postings = reader.u64();
    run.first_document = DocNumber{reader.u32()};
    run.last_document = DocNumber{reader.u32()};
    run.from = Feature{reader.u64()};
  }
  state.next_run = reader.u32();
  state.recent_from = DocNumber{reader.u32()};
  state.packed_to = DocNumber{reader.u32()};
  if (!reader.finished()) return std::nullopt;
  return state;
}

Result<PostingState> read_posting_state(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(const std::optional<std::string_view> bytes, txn.get(tables.meta, format::kPostingsEntry));
  if (!bytes) return corrupt("meta 'postings'", "the entry is missing");
  std::optional<PostingState> state = decode_posting_state(*bytes);
  if (!state) return corrupt("meta 'postings'", "the entry cannot be decoded");
  return std::move(*state);
}

Result<void> write_posting_state(lmdb::WriteTxn& txn, const Tables& tables, const PostingState& state) {
  return txn.put(tables.meta, format::kPostingsEntry, encode_posting_state(state));
}

std::string run_key(std::uint32_t run, Feature feature, DocNumber document) {
  std::string key;
  key.reserve(kRunKeyBytes);
  append_u32_big_endian(key, run);
  append_u64_big_endian(key, static_cast<std::uint64_t>(feature));
  append_u32_big_endian(key, static_cast<std::uint32_t>(document));
  return key;
}

std::optional<RunKey> decode_run_key(std::string_view key) {
  if (key.size() != kRunKeyBytes + kKeyCheckBytes ||
      crc32c(key.substr(0, kRunKeyBytes)) != load_u32_big_endian(key.data() + kRunKeyBytes))
    return std::nullopt;
  return RunKey{load_u32_big_endian(key.data()), Feature{load_u64_big_endian(key.data() + 4)},
                DocNumber{load_u32_big_endian(key.data() + 12)}};
}

Result<void> append_block(lmdb::WriteTxn& txn, const Tables& tables, std::string_view key,
                          std::string_view block) {
  std::string checked(key);
  append_u32_big_endian(checked, crc32c(key));
  return txn.append(tables.runs, checked, block);
}

Result<void> RunWriter::flush() {
  if (mixed_.empty()) return {};
  const std::string key = run_key(info_.id, mixed_.first_feature(), mixed_.first_document());
  return sink_(key, mixed_.take());
}

Result<void> RunWriter::add(Feature feature, std::span<const DocNumber> documents,
                            std::span<const std::uint32_t> counts) {
  info_.postings += documents.size();
  info_.first_document = std::min(info_.first_document, documents.front());
  info_.last_document = std::max(info_.last_document, documents.back());
  if (documents.size() < kLongList) {
    if (mixed_.add(feature, documents, counts)) return {};
    AKIN_CHECK(flush());
    static_cast<void>(mixed_.add(feature, documents, counts));
    return {};
  }
  AKIN_CHECK(flush());
  ListRest rest{documents, counts, static_cast<std::uint32_t>(documents.size())};
  while (!rest.documents.empty()) {
    const std::size_t taken = pack_list_block(rest, block_);
    AKIN_CHECK(sink_(run_key(info_.id, feature, rest.documents.front()), block_));
    rest.documents = rest.documents.subspan(taken);
    rest.counts = rest.counts.subspan(taken);
  }
  return {};
}

Result<RunCursor> RunCursor::open(const lmdb::Txn& txn, const Tables& tables, std::uint32_t run,
                                  Feature from) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.runs));
  return RunCursor(std::move(cursor), run, from);
}

std::span<const DocNumber> RunCursor::documents() const noexcept {
  return {documents_.data() + first_, last_ - first_};
}
std::span<const std::uint32_t> RunCursor::counts() const noexcept {
  return {counts_.data() + first_, last_ - first_};
}

Result<void> RunCursor::step() { return come_to(cursor_.next()); }

Result<void> RunCursor::come_to(Result<bool> moved) {
  there_ = false;
  if (moved.has_error() && !cursor_.is_on_damaged_entry()) return std::move(moved).failure();
  if (!moved.has_error() && !*moved) return {};
  const std::optional<RunKey> key = decode_run_key(cursor_.key());
  there_ = !key || key->run == run_;
  if (there_ && moved.has_error()) damage_ = std::move(moved).error();
  if (!key && !damage_) damage_ = damaged(run_, feature_, "a block's key is damaged");
  return {};
}

Result<void> RunCursor::begin() {
  begun_ = true;
  Result<bool> before = cursor_.seek_at_most(run_key(run_, from_, DocNumber{0}));
  if (before.has_error()) return come_to(std::move(before));
  const std::optional<RunKey> key = *before ? decode_run_key(cursor_.key()) : std::nullopt;
  const std::optional<PackedBlock> block = *before ? PackedBlock::open(cursor_.value()) : std::nullopt;
  // The list may be in the block before the first key that is large enough. A list block has one feature,
  // which is smaller, and may be the last of several blocks.
  const bool is_before =
      *before && (!key || key->run != run_ || (block && block->is_of_list() && key->feature != from_));
  return come_to(!*before || is_before ? cursor_.to_key_after() : std::move(before));
}

Result<bool> RunCursor::next() {
  if (!begun_) AKIN_CHECK(begin());
  for (;;) {
    if (last_ < features_.size()) {
      first_ = last_;
      feature_ = features_[first_];
      while (last_ < features_.size() && features_[last_] == feature_) ++last_;
    } else {
      AKIN_TRY(const bool loaded, load());
      if (!loaded) return false;
      if (!features_.empty()) continue;
    }
    if (feature_ >= from_) return true;
  }
}

Result<bool> RunCursor::load() {
  features_.clear();
  documents_.clear();
  counts_.clear();
  first_ = last_ = 0;
  if (!there_) return false;
  if (damage_) {
    Error damage = *std::exchange(damage_, std::nullopt);
    AKIN_CHECK(step());
    return damage;
  }
  const RunKey key = *decode_run_key(cursor_.key());
  const std::optional<PackedBlock> block = PackedBlock::open(cursor_.value());
  if (!block) {
    AKIN_CHECK(step());
    return damaged(run_, key.feature, "a block of postings is damaged");
  }
  if (!block->is_of_list()) {
    const bool sound = block->append_mixed(features_, documents_, counts_);
    AKIN_CHECK(step());
    if (!sound) {
      features_.clear();
      return damaged(run_, key.feature, "a block of postings is damaged");
    }
    return true;
  }
  feature_ = key.feature;
  AKIN_CHECK(load_list(block->list_size()));
  last_ = documents_.size();
  return true;
}

bool RunCursor::is_on_list() const {
  return there_ && !damage_ && decode_run_key(cursor_.key())->feature == feature_;
}

Result<void> RunCursor::load_list(std::uint32_t list_size) {
  while (is_on_list()) {
    const RunKey key = *decode_run_key(cursor_.key());
    const std::optional<PackedBlock> block = PackedBlock::open(cursor_.value());
    const bool sound = block && block->is_of_list() &&
                       (documents_.empty() || key.document > documents_.back()) &&
                       block->append_list(documents_, counts_);
    AKIN_CHECK(step());
    if (!sound) {
      while (is_on_list()) AKIN_CHECK(step());
      return damaged(run_, feature_, "a block of postings is damaged");
    }
  }
  if (documents_.size() == list_size) return {};
  return damaged(run_, feature_, "its list does not have as many postings as its header says");
}

Result<void> read_run(const lmdb::Txn& txn, const Tables& tables, const RunInfo& run,
                      std::vector<Posting>& postings) {
  AKIN_TRY(RunCursor cursor, RunCursor::open(txn, tables, run.id, run.from));
  for (;;) {
    AKIN_TRY(const bool there, cursor.next());
    if (!there) return {};
    for (std::size_t i = 0; i < cursor.documents().size(); ++i)
      postings.push_back({cursor.feature(), cursor.documents()[i], cursor.counts()[i]});
  }
}

Result<void> erase_blocks_below(lmdb::WriteTxn& txn, const Tables& tables, std::uint32_t run, Feature from) {
  AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.runs));
  AKIN_TRY(bool there, cursor.seek_at_least(run_key(run, Feature{0}, DocNumber{0})));
  const auto is_of_run = [&](const std::optional<RunKey>& key) { return there && key && key->run == run; };
  for (;;) {
    const std::optional<RunKey> key = there ? decode_run_key(cursor.key()) : std::nullopt;
    if (!is_of_run(key) || key->feature >= from) return {};
    // A mixed block ends where the next one begins; a list block has one feature. All blocks of a list must
    // go together, or the list would be incomplete.
    const std::optional<PackedBlock> block = PackedBlock::open(cursor.value());
    if (!block || !block->is_of_list()) {
      AKIN_TRY(there, cursor.next());
      const std::optional<RunKey> next = there ? decode_run_key(cursor.key()) : std::nullopt;
      if (!is_of_run(next) || next->feature > from) return {};
      AKIN_TRY(there, cursor.previous());
    }
    AKIN_CHECK(cursor.erase());
    AKIN_TRY(there, cursor.next());
  }
}

Result<void> erase_run(lmdb::WriteTxn& txn, const Tables& tables, std::uint32_t run) {
  AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.runs));
  AKIN_TRY(bool there, cursor.seek_at_least(run_key(run, Feature{0}, DocNumber{0})));
  while (there) {
    const std::optional<RunKey> key = decode_run_key(cursor.key());
    if (!key || key->run != run) return {};
    AKIN_CHECK(cursor.erase());
    AKIN_TRY(there, cursor.next());
  }
  return {};
}

}  // namespace akin
