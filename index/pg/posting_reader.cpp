#include "index/pg/posting_reader.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "index/pg/packing.h"
#include "index/pg/posting_servers.h"
#include "index/posting.h"

namespace akin::pg {
namespace {

/// The bytes of blocks that are kept.
constexpr std::size_t kMostCached = std::size_t{128} << 20;

// Kinds of rows.
constexpr std::int64_t kSizes = 0, kRecent = 1, kPacked = 2, kBlock = 3;

Result<std::shared_ptr<const Block>> make_block(std::string_view bytes, std::int64_t key) {
  const std::optional<std::string_view> checked = checked_postings(bytes, key);
  if (!checked) return damaged_postings("block of key", key);
  auto block = std::make_shared<Block>();
  block->checked = *checked;
  const bool is_sound = for_each_in_checked_block(*checked, [&](std::int64_t document, std::uint32_t) {
    if (block->postings++ == 0) block->first = document;
    block->last = document;
  });
  if (!is_sound) return damaged_postings("block of key", key);
  return std::shared_ptr<const Block>(std::move(block));
}

}  // namespace

std::shared_ptr<const Block> BlockCache::find(const Id& id) const {
  const std::lock_guard guard(mutex_);
  const auto found = blocks_.find(id);
  return found == blocks_.end() ? nullptr : found->second;
}

void BlockCache::add(const Id& id, std::shared_ptr<const Block> block) {
  const std::lock_guard guard(mutex_);
  bytes_ += block->checked.size();
  if (bytes_ > kMostCached) {
    bytes_ = block->checked.size();
    blocks_.clear();
  }
  blocks_.insert_or_assign(id, std::move(block));
}

std::vector<int> BlockCache::levels() const {
  const std::lock_guard guard(mutex_);
  return levels_;
}

void BlockCache::set_levels(const std::vector<int>& levels) {
  const std::lock_guard guard(mutex_);
  levels_ = levels;
}

std::string look_up_statement(const std::string& part) {
  return "SELECT 0::bigint AS kind, level, postings, rows, NULL::bytea FROM akin.posting_sizes_@"
         " UNION ALL SELECT 1::bigint, key, doc, n, NULL FROM akin.postings_@ WHERE key = ANY($1)"
         " UNION ALL SELECT 2::bigint, bucket, 0::bigint, 0::bigint, body FROM akin.packed_postings_@"
         " WHERE bucket = ANY($2) UNION ALL SELECT 3::bigint, id, key, " +
         part + ", NULL FROM akin.frequent_postings_@ WHERE key = ANY($1)";
}

/// Gathers what the look-ups return.
class PostingReader::Answer {
 public:
  Answer(std::span<const std::int64_t> keys, const BlockCache& cache) : keys_(keys), cache_(cache) {}

  Result<void> take(const Rows& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::int64_t first = rows.number(row, 1);
      switch (rows.number(row, 0)) {
        case kSizes:
          rows_of_level_[static_cast<int>(first)] += rows.number(row, 3);
          break;
        case kRecent:
          postings_.rare.push_back(
              {first, rows.number(row, 2), static_cast<std::uint32_t>(rows.number(row, 3))});
          break;
        case kPacked:
          AKIN_CHECK(take_packed(first, rows.bytes(row, 4)));
          break;
        case kBlock:
          take_block({rows.number(row, 3), first}, rows.number(row, 2));
          break;
        default:
          return damaged_postings("rows of kind", rows.number(row, 0));
      }
    }
    return {};
  }

  /// The levels that have rows, ascending.
  [[nodiscard]] std::vector<int> levels() const {
    std::vector<int> levels;
    for (const auto& [level, rows] : rows_of_level_) {
      if (level != kBlocks && rows > 0) levels.push_back(level);
    }
    return levels;
  }

  [[nodiscard]] const std::map<BlockCache::Id, std::int64_t>& missing() const noexcept { return missing_; }
  void add_block(std::int64_t key, std::shared_ptr<const Block> block) {
    blocks_[key].push_back(std::move(block));
  }

  KeyPostings finish() {
    for (auto& [key, blocks] : blocks_) {
      FrequentList& list = postings_.frequent.emplace_back();
      list.key = key;
      for (const auto& block : blocks) list.postings += block->postings;
      list.blocks = std::move(blocks);
    }
    return std::move(postings_);
  }

 private:
  Result<void> take_packed(std::int64_t bucket, std::string_view bytes) {
    auto wanted = std::ranges::lower_bound(keys_, first_key(bucket));
    const bool is_sound = for_each_in_row(bytes, bucket, [&](auto key, auto document, auto count) {
      while (wanted != keys_.end() && *wanted < key) ++wanted;
      if (wanted != keys_.end() && *wanted == key) postings_.rare.push_back({key, document, count});
    });
    return is_sound ? Result<void>() : damaged_postings("bucket", bucket);
  }

  void take_block(const BlockCache::Id& id, std::int64_t key) {
    if (auto block = cache_.find(id)) {
      add_block(key, std::move(block));
    } else {
      missing_.emplace(id, key);
    }
  }

  std::span<const std::int64_t> keys_;
  const BlockCache& cache_;
  KeyPostings postings_;
  std::map<std::int64_t, std::vector<std::shared_ptr<const Block>>> blocks_;  ///< by key
  std::map<BlockCache::Id, std::int64_t> missing_;                            ///< → key
  std::map<int, std::int64_t> rows_of_level_;
};

Result<KeyPostings> PostingReader::read(std::span<const std::int64_t> keys) const {
  for (bool is_first = true;; is_first = false) {
    AKIN_TRY(PostingServers servers, PostingServers::open(connection_, parts_));
    Result<KeyPostings> postings = read_from(servers, keys);
    // The connection to a shard that was restarted meanwhile is replaced once.
    if (!postings.has_error() || !is_first || !servers.has_broken()) return postings;
  }
}

Result<KeyPostings> PostingReader::read_from(PostingServers& servers,
                                             std::span<const std::int64_t> keys) const {
  Answer answer(keys, cache_);
  const std::vector<int> guessed = cache_.levels();
  const auto take = [&](const std::vector<Rows>& answers) -> Result<void> {
    for (const Rows& rows : answers) AKIN_CHECK(answer.take(rows));
    return {};
  };
  AKIN_TRY(const std::vector<Rows> first,
           servers.ask([&](const std::string& part) { return of_store(look_up_statement(part), store_); },
                       Params().numbers(keys).numbers(buckets_of(keys, guessed))));
  AKIN_CHECK(take(first));
  const std::vector<int> levels = answer.levels();
  std::vector<int> missed;
  std::ranges::set_difference(levels, guessed, std::back_inserter(missed));
  if (!missed.empty()) {
    AKIN_TRY(const std::vector<Rows> more,
             servers.ask(
                 [&](const std::string&) {
                   return of_store(
                       "SELECT 2::bigint, bucket, 0::bigint, 0::bigint, body FROM"
                       " akin.packed_postings_@ WHERE bucket = ANY($1)",
                       store_);
                 },
                 Params().numbers(buckets_of(keys, missed))));
    AKIN_CHECK(take(more));
  }
  if (levels != guessed) cache_.set_levels(levels);
  if (!answer.missing().empty()) AKIN_CHECK(read_blocks(servers, answer));
  servers.end();
  return answer.finish();
}

Result<void> PostingReader::read_blocks(PostingServers& servers, Answer& answer) const {
  std::vector<std::int64_t> wanted;
  for (const auto& [id, key] : answer.missing()) wanted.push_back(id.second);
  AKIN_TRY(const std::vector<Rows> answers,
           servers.ask(
               [&](const std::string& part) {
                 return of_store(
                     "SELECT id, " + part + ", body FROM akin.frequent_postings_@ WHERE id = ANY($1)",
                     store_);
               },
               Params().numbers(wanted)));
  std::size_t found = 0;
  for (const Rows& blocks : answers) {
    for (std::size_t row = 0; row < blocks.size(); ++row) {
      const BlockCache::Id id{blocks.number(row, 1), blocks.number(row, 0)};
      const auto key = answer.missing().find(id);
      // Other parts have blocks of the same numbers.
      if (key == answer.missing().end()) continue;
      ++found;
      AKIN_TRY(std::shared_ptr<const Block> block, make_block(blocks.bytes(row, 2), key->second));
      cache_.add(id, block);
      answer.add_block(key->second, std::move(block));
    }
  }
  if (found == answer.missing().size()) return {};
  return corrupt("block " + std::to_string(answer.missing().begin()->first.second),
                 "it is listed but missing");
}

}  // namespace akin::pg
