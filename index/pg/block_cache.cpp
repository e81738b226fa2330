#include "index/pg/block_cache.h"

#include <algorithm>
#include <optional>

namespace akin::pg {
namespace {

/// The bytes of blocks that are kept.
constexpr std::size_t kMostCached = std::size_t{128} << 20;

/// Sets the bits of a block whose postings are close enough for bits to be small.
Result<void> set_bits(Block& block, std::int64_t key) {
  constexpr std::uint64_t kMostBitsOfPosting = 16;
  const auto range = static_cast<std::uint64_t>(block.last - block.first);
  if (range > kMostBitsOfPosting * block.postings) return {};
  const std::int64_t groups = block.last / OverlapPlanes::kGroup - block.first / OverlapPlanes::kGroup + 1;
  block.bits.resize(static_cast<std::size_t>(groups) * OverlapPlanes::kGroupWords);
  return for_each_posting(block, key, [&](std::int64_t document, std::uint32_t count) {
    const auto bit = static_cast<std::uint64_t>(document - block.first_bit());
    block.bits[bit / 64] |= std::uint64_t{1} << bit % 64;
    if (count > 1) block.repeated.emplace_back(document, count);
  });
}

}  // namespace

Result<std::shared_ptr<const Block>> make_block(std::string_view bytes, std::int64_t key) {
  const std::optional<std::string_view> checked = checked_postings(bytes, key);
  if (!checked) return damaged_postings("block of key", key);
  auto block = std::make_shared<Block>();
  block->checked = *checked;
  ByteReader left(*checked);
  packed::GroupReader reader(left);
  do {
    if (block->postings % Block::kSkip == 0)
      block->places.push_back({block->last, static_cast<std::uint32_t>(checked->size() - left.left())});
    const bool is_sound = reader.next([&](std::int64_t document, std::uint32_t) {
      if (block->postings++ == 0) block->first = document;
      block->last = document;
    });
    if (!is_sound) return damaged_postings("block of key", key);
  } while (left.left() > 0);
  AKIN_CHECK(set_bits(*block, key));
  return std::shared_ptr<const Block>(std::move(block));
}

std::uint32_t Block::count_of(std::int64_t document) const {
  if (document < first || document > last) return 0;
  // The first posting has no document before it.
  const auto next = std::ranges::lower_bound(places.begin() + 1, places.end(), document, {}, &Place::before);
  const Place& place = *std::prev(next);
  ByteReader left(std::string_view(checked).substr(place.offset));
  packed::GroupReader reader(left, place.offset == 0 ? std::nullopt : std::optional(place.before));
  std::int64_t at = -1;
  std::uint32_t times = 0;
  while (at < document && left.left() > 0) {
    const bool is_posting = reader.next([&](std::int64_t own, std::uint32_t count) {
      at = own;
      times = count;
    });
    if (!is_posting) return 0;  // not after make_block has read it
  }
  return at == document ? times : 0;
}

std::shared_ptr<const Block> BlockCache::find(const Id& id) const {
  const std::lock_guard guard(mutex_);
  const auto found = blocks_.find(id);
  return found == blocks_.end() ? nullptr : found->second;
}

void BlockCache::add(const Id& id, std::shared_ptr<const Block> block) {
  const std::lock_guard guard(mutex_);
  bytes_ += block->bytes();
  if (bytes_ > kMostCached) {
    bytes_ = block->bytes();
    blocks_.clear();
    listed_.clear();
  }
  blocks_.insert_or_assign(id, std::move(block));
}

ListedBlocks BlockCache::listed(std::span<const std::int64_t> keys,
                                std::span<const std::size_t> parts) const {
  ListedBlocks found;
  const std::lock_guard guard(mutex_);
  for (const std::size_t part : parts) {
    const auto own = listed_.find(part);
    if (own == listed_.end()) return {};
    found.versions.emplace(part, own->second.version);
  }
  if (parts.empty()) return found;
  for (const std::int64_t key : keys) {
    const auto has = [&](std::size_t part) { return listed_.at(part).lists.contains(key); };
    if (!std::ranges::all_of(parts, has)) continue;
    for (const std::size_t part : parts)
      found.blocks.emplace(std::pair(key, part), listed_.at(part).lists.at(key));
  }
  return found;
}

void BlockCache::add_listed(const ListedBlocks& listed) {
  const std::lock_guard guard(mutex_);
  for (const auto& [part, version] : listed.versions) {
    PartLists& own = listed_[part];
    if (own.version != version) own = {version, {}};
  }
  for (const auto& [of, blocks] : listed.blocks)
    listed_.at(of.second).lists.insert_or_assign(of.first, blocks);
}

std::vector<int> BlockCache::levels() const {
  const std::lock_guard guard(mutex_);
  return levels_;
}

void BlockCache::set_levels(const std::vector<int>& levels) {
  const std::lock_guard guard(mutex_);
  levels_ = levels;
}

}  // namespace akin::pg
