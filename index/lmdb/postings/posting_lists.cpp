#include "index/lmdb/postings/posting_lists.h"

#include <algorithm>
#include <utility>

#include "base/waiting.h"
#include "index/codec/encoding.h"
#include "index/lmdb/env/read_ahead.h"

namespace akin {

namespace {

/// A block's key on the stack.
struct KeyBytes {
  KeyBytes(std::uint32_t run, Feature feature, DocNumber document) noexcept {
    const auto bits = static_cast<std::uint64_t>(feature);
    const auto number = static_cast<std::uint32_t>(document);
    for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<char>(run >> (24 - 8 * i) & 0xffU);
    for (unsigned i = 0; i < 8; ++i) bytes[4 + i] = static_cast<char>(bits >> (56 - 8 * i) & 0xffU);
    for (unsigned i = 0; i < 4; ++i) bytes[12 + i] = static_cast<char>(number >> (24 - 8 * i) & 0xffU);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), bytes.size()}; }
  std::array<char, 16> bytes{};
};

}  // namespace

Error PostingLists::damaged(Feature feature) {
  return corrupt("table 'runs', " + name_of(feature), "a block of its postings is damaged");
}

Result<PostingLists> PostingLists::open(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(PostingState state, read_posting_state(txn, tables));
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.runs));
  return PostingLists(std::move(state), txn, tables, std::move(cursor));
}

Result<ListRef> PostingLists::find(Feature feature) {
  std::vector<ListRef> found;
  AKIN_CHECK(find_all({&feature, 1}, found));
  return found.front();
}

Result<void> PostingLists::find_all(std::span<const Feature> features, std::vector<ListRef>& found) {
  std::vector<std::optional<Sought>> blocks;
  blocks.reserve(features.size() * state_.runs.size());
  for (const Feature feature : features) {
    for (std::size_t run = 0; run < state_.runs.size(); ++run) {
      std::optional<Sought>& block = blocks.emplace_back();
      if (!may_be_in(run, feature)) continue;
      AKIN_TRY(block, seek_block(feature, state_.runs[run].id, DocNumber{0}));
      if (block && !block->is_verified) cursor_.expect_value();
    }
  }
  auto block = blocks.begin();
  for (const Feature feature : features) {
    ListRef list{feature, 0, static_cast<std::uint32_t>(parts_.size()), 0};
    for (std::size_t run = 0; run < state_.runs.size(); ++run, ++block) {
      if (*block) AKIN_CHECK(add_part(**block, list));
    }
    list.parts = static_cast<std::uint32_t>(parts_.size()) - list.first_part;
    found.push_back(list);
  }
  return {};
}

void PostingLists::announce(std::span<const Feature> features) const {
  std::vector<std::string> keys;
  for (std::size_t run = 0; run < state_.runs.size(); ++run) {
    for (const Feature feature : features) {
      if (may_be_in(run, feature))
        keys.emplace_back(KeyBytes(state_.runs[run].id, feature, DocNumber{0}).view());
    }
  }
  std::sort(keys.begin(), keys.end());
  txn_->announce(tables_->runs, keys);
}

Result<std::optional<PostingLists::Sought>> PostingLists::seek_block(Feature feature, std::uint32_t run,
                                                                     DocNumber document) {
  AKIN_TRY(bool there, cursor_.seek_gap(KeyBytes(run, feature, document).view()));
  if (!cursor_.key_after().empty()) {
    const std::optional<RunKey> after = decode_run_key(cursor_.key_after());
    if (!after) return damaged(feature);
    const bool wanted = after->run == run && after->feature == feature &&
                        (document == DocNumber{0} || after->document == document);
    if (wanted) {
      AKIN_TRY(there, cursor_.to_key_after());
      return std::optional(Sought{*after, cursor_.key(), cursor_.value(), true});
    }
  }
  if (!there) return std::optional<Sought>();
  const std::optional<RunKey> key = decode_run_key(cursor_.key());
  if (!key) return damaged(feature);
  if (key->run != run) return std::optional<Sought>();
  return std::optional(Sought{*key, cursor_.key(), cursor_.value()});
}

Result<PackedBlock> PostingLists::open_block(Feature feature, const Sought& sought) {
  std::string_view value = sought.value;
  if (!sought.is_verified) {
    AKIN_TRY(value, cursor_.verified(sought.key_bytes, sought.value));
  }
  const std::optional<PackedBlock> block = PackedBlock::open(value);
  if (!block) return damaged(feature);
  return *block;
}

Result<void> PostingLists::add_part(const Sought& sought, ListRef& list) {
  AKIN_TRY(const PackedBlock block, open_block(list.feature, sought));
  ListPart part;
  part.run = sought.key.run;
  part.block = block;
  if (!block.is_of_list()) {
    part.slice = block.find(list.feature);
    part.size = part.slice.last - part.slice.first;
  } else if (sought.key.feature == list.feature) {
    part.size = block.list_size();
  }
  if (part.size == 0) return {};
  parts_.push_back(part);
  list.size += part.size;
  return {};
}

Result<std::optional<PackedBlock>> PostingLists::block_after(Feature feature, std::uint32_t run,
                                                             DocNumber before) {
  const auto number = static_cast<std::uint32_t>(before);
  return block_here(feature, run,
                    cursor_.seek_at_least(KeyBytes(run, feature, DocNumber{number + 1}).view()));
}

Result<std::optional<PackedBlock>> PostingLists::block_here(Feature feature, std::uint32_t run,
                                                            const Result<bool>& moved) {
  AKIN_TRY(const bool there, moved);
  const std::optional<RunKey> key = there ? decode_run_key(cursor_.key()) : std::nullopt;
  if (there && !key) return damaged(feature);
  if (!key || key->run != run || key->feature != feature) return std::optional<PackedBlock>();
  AKIN_TRY(const PackedBlock block, open_block(feature, {*key, cursor_.key(), cursor_.value(), true}));
  if (!block.is_of_list()) return damaged(feature);
  return std::optional(block);
}

Result<std::optional<PackedBlock>> PostingLists::block_of(Feature feature, std::uint32_t run,
                                                          DocNumber document) {
  // Documents are asked for in their order, and neighbours are in one block.
  const bool is_recent = recent_ && recent_->feature == feature && recent_->run == run &&
                         document >= recent_->first && document <= recent_->last;
  if (is_recent) return std::optional(recent_->block);
  AKIN_TRY(const std::optional<Sought> sought, seek_block(feature, run, document));
  if (!sought || sought->key.feature != feature) return std::optional<PackedBlock>();
  AKIN_TRY(const PackedBlock block, open_block(feature, *sought));
  if (!block.is_of_list()) return damaged(feature);
  recent_ = Recent{feature, run, sought->key.document, block.last_document(), block};
  return std::optional(block);
}

Result<std::uint32_t> PostingLists::count(const ListRef& list, DocNumber document) {
  for (std::uint32_t p = list.first_part; p < list.first_part + list.parts; ++p) {
    const ListPart& part = parts_[p];
    std::uint32_t found = 0;
    if (!part.block.is_of_list()) {
      for (std::uint32_t i = part.slice.first; i < part.slice.last; ++i) {
        if (part.block.mixed_document(i) == static_cast<std::uint32_t>(document)) found = part.block.count(i);
      }
    } else {
      AKIN_TRY(const std::optional<PackedBlock> block, block_of(list.feature, part.run, document));
      if (block) found = block->find(document);
    }
    if (found != 0) return found;
  }
  return std::uint32_t{0};
}

Result<std::vector<Feature>> PostingLists::features_of(std::uint64_t leading, unsigned shift,
                                                       DocNumber document) {
  const Feature from{leading << shift};
  const auto same = [&](Feature feature) { return static_cast<std::uint64_t>(feature) >> shift == leading; };
  std::vector<Feature> found;
  for (const RunInfo& run : state_.runs) {
    if (document < run.first_document || document > run.last_document) continue;
    AKIN_TRY(RunCursor cursor, RunCursor::open(*txn_, *tables_, run.id, std::max(from, run.from)));
    for (;;) {
      AKIN_TRY(const bool there, cursor.next());
      if (!there || !same(cursor.feature())) break;
      if (std::binary_search(cursor.documents().begin(), cursor.documents().end(), document))
        found.push_back(cursor.feature());
    }
  }
  return found;
}

std::shared_ptr<FoundLists> LookUps::known(std::span<const Feature> features) const {
  for (const auto& one : last_) {
    if (one && std::ranges::equal(one->features, features)) return one;
  }
  return nullptr;
}

Result<std::shared_ptr<FoundLists>> LookUps::find(const lmdb::Txn& txn, const Tables& tables,
                                                  std::span<const Feature> features) {
  if (auto before = known(features)) return before;
  AKIN_TRY(PostingLists lists, PostingLists::open(txn, tables));
  lists.filter_by(*filters_);
  auto found =
      std::make_shared<FoundLists>(FoundLists{{features.begin(), features.end()}, {}, std::move(lists)});
  found->refs.reserve(features.size());
  lmdb::ColdReads cold;
  for (std::size_t i = 0; i < features.size(); i += PostingLists::kTogether) {
    const auto rest = features.subspan(i);
    AKIN_CHECK(check_work());
    if (cold.found_before(i)) found->lists.announce(rest);
    AKIN_CHECK(
        found->lists.find_all(rest.first(std::min(PostingLists::kTogether, rest.size())), found->refs));
  }
  last_[next_] = found;
  next_ = (next_ + 1) % last_.size();
  return found;
}

}  // namespace akin
