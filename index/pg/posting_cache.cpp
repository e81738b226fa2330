#include "index/pg/posting_cache.h"

#include <algorithm>
#include <optional>

namespace akin::pg {
namespace {

/// The bytes of blocks that are kept.
constexpr std::size_t kMostCached = std::size_t{128} << 20;
/// The bytes of a part's rows that are kept.
constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;

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

std::shared_ptr<const Block> PostingCache::find(const Id& id) const {
  const std::lock_guard guard(mutex_);
  const auto found = blocks_.find(id);
  return found == blocks_.end() ? nullptr : found->second;
}

void PostingCache::add(const Id& id, std::shared_ptr<const Block> block) {
  const std::lock_guard guard(mutex_);
  bytes_ += block->bytes();
  if (bytes_ > kMostCached) {
    bytes_ = block->bytes();
    blocks_.clear();
    parts_.clear();
  }
  blocks_.insert_or_assign(id, std::move(block));
}

KnownPostings PostingCache::known(std::span<const std::int64_t> keys, std::span<const std::int64_t> buckets,
                                  std::span<const std::size_t> parts) const {
  KnownPostings known;
  std::vector<const Part*> owners;
  const std::lock_guard guard(mutex_);
  for (const std::size_t part : parts) {
    const auto own = parts_.find(part);
    if (own == parts_.end()) return {};
    known.versions.emplace(part, own->second.version);
    owners.push_back(&own->second);
  }
  if (parts.empty()) return known;
  const auto take = [&](std::span<const std::int64_t> numbers, const auto values, auto& out) {
    for (const std::int64_t number : numbers) {
      const std::size_t before = out.size();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto own = (owners[i]->*values).find(number);
        if (own == (owners[i]->*values).end()) {
          out.resize(before);
          break;
        }
        out.emplace_back(std::pair(number, parts[i]), own->second);
      }
    }
  };
  take(keys, &Part::blocks, known.blocks.values);
  take(buckets, &Part::rows, known.rows.values);
  return known;
}

void PostingCache::add_known(const KnownPostings& read) {
  const std::lock_guard guard(mutex_);
  for (const auto& [part, version] : read.versions) {
    Part& own = parts_[part];
    if (own.version != version) own = {version, {}, {}, 0};
  }
  for (const auto& [of, blocks] : read.blocks.values)
    parts_.at(of.second).blocks.insert_or_assign(of.first, blocks);
  for (const auto& [of, rows] : read.rows.values) {
    Part& own = parts_.at(of.second);
    std::size_t bytes = sizeof(of) + sizeof(BucketRows);
    for (const std::string& row : *rows) bytes += sizeof(std::string) + row.size();
    if (own.row_bytes + bytes > kMostRowBytes) {
      own.rows.clear();
      own.row_bytes = 0;
    }
    if (own.rows.insert_or_assign(of.first, rows).second) own.row_bytes += bytes;
  }
}

std::vector<int> PostingCache::levels() const {
  const std::lock_guard guard(mutex_);
  return levels_;
}

void PostingCache::set_levels(const std::vector<int>& levels) {
  const std::lock_guard guard(mutex_);
  levels_ = levels;
}

}  // namespace akin::pg
