#include "index/pg/postings/posting_cache.h"

#include <algorithm>

namespace akin::pg {
namespace {

/// The bytes of blocks that are kept.
constexpr std::size_t kMostCached = std::size_t{128} << 20;
/// The bytes of rows that are kept.
constexpr std::size_t kMostKeptBytes = std::size_t{96} << 20;

/// The bytes of all collections together.
constexpr std::size_t kMostTogether = std::size_t{512} << 20;

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

PostingCaches& PostingCaches::of_process() {
  static PostingCaches caches(kMostTogether);
  return caches;
}

void PostingCaches::add(PostingCache& cache) {
  const std::lock_guard guard(mutex_);
  caches_.push_back(&cache);
}

void PostingCaches::remove(PostingCache& cache) {
  const std::lock_guard guard(mutex_);
  std::erase(caches_, &cache);
  bytes_ -= cache.clear();
}

void PostingCaches::trim() {
  if (bytes_ <= most_) return;
  const std::lock_guard guard(mutex_);
  std::vector<PostingCache*> oldest = caches_;
  std::ranges::sort(oldest, {}, [](const PostingCache* one) { return one->asked_.load(); });
  for (PostingCache* cache : oldest) {
    if (bytes_ <= most_) return;
    bytes_ -= cache->clear();
  }
}

PostingCache::PostingCache(PostingCaches& caches) : caches_(caches) { caches_.add(*this); }

PostingCache::~PostingCache() { caches_.remove(*this); }

std::size_t PostingCache::clear() {
  const std::lock_guard guard(mutex_);
  const std::size_t bytes = held();
  blocks_.clear();
  versioned_.reset();
  bytes_ = 0;
  return bytes;
}

void PostingCache::note_bytes(std::size_t before) {
  caches_.bytes_ += held() - before;  // modulo 2^64, if there are fewer
}

std::shared_ptr<const Block> PostingCache::find(std::int64_t id) const {
  const std::lock_guard guard(mutex_);
  touch();
  const auto found = blocks_.find(id);
  return found == blocks_.end() ? nullptr : found->second;
}

void PostingCache::add(std::int64_t id, const std::shared_ptr<const Block>& block) {
  {
    const std::lock_guard guard(mutex_);
    touch();
    const std::size_t before = held(), size = block->bytes();
    if (bytes_ + size > kMostCached) {
      bytes_ = 0;
      blocks_.clear();
      versioned_.reset();
    }
    if (blocks_.try_emplace(id, block).second) bytes_ += size;
    note_bytes(before);
  }
  caches_.trim();
}

KnownPostings PostingCache::known(std::span<const std::int64_t> keys,
                                  std::span<const std::int64_t> buckets) const {
  KnownPostings known;
  const std::lock_guard guard(mutex_);
  touch();
  if (!versioned_) return known;
  known.version = versioned_->version;
  const auto take = [](std::span<const std::int64_t> numbers, const auto& values, auto& out) {
    for (const std::int64_t number : numbers) {
      if (const auto own = values.find(number); own != values.end()) out.emplace_back(number, own->second);
    }
  };
  take(keys, versioned_->blocks, known.blocks.values);
  take(buckets, versioned_->rows, known.rows.values);
  return known;
}

void PostingCache::add_known(const KnownPostings& read) {
  if (!read.version) return;
  {
    const std::lock_guard guard(mutex_);
    const std::size_t before = held();
    keep(read);
    note_bytes(before);
  }
  caches_.trim();
}

void PostingCache::keep(const KnownPostings& read) {
  if (!versioned_ || versioned_->version != *read.version) versioned_ = {*read.version, {}, {}, 0};
  for (const auto& [key, blocks] : read.blocks.values) versioned_->blocks.insert_or_assign(key, blocks);
  for (const auto& [bucket, rows] : read.rows.values) {
    std::size_t bytes = sizeof(bucket) + sizeof(BucketRows);
    for (const std::string& row : *rows) bytes += sizeof(std::string) + row.size();
    if (versioned_->row_bytes + bytes > kMostKeptBytes) {
      versioned_->rows.clear();
      versioned_->row_bytes = 0;
    }
    if (versioned_->rows.insert_or_assign(bucket, rows).second) versioned_->row_bytes += bytes;
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
