#include "index/pg/postings/posting_reader.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "index/codec/posting.h"
#include "index/pg/postings/packing.h"

namespace akin::pg {
namespace {

// Kinds of rows.
constexpr std::int64_t kSizes = 0, kRecent = 1, kPacked = 2, kBlock = 3;

KeyPostings those_of(const KeyPostings& all, std::span<const std::int64_t> keys) {
  const auto has = [&](std::int64_t key) { return std::ranges::binary_search(keys, key); };
  KeyPostings some;
  std::ranges::copy_if(all.rare, std::back_inserter(some.rare), has, &StoredPosting::key);
  std::ranges::copy_if(all.frequent, std::back_inserter(some.frequent), has, &FrequentList::key);
  return some;
}

/// kLookUp for ranges of keys. $1, $2: their first and last keys; $3: the buckets.
std::string look_up_ranges() {
  // For each range, whatever the size of the table when the plan was made: OFFSET keeps the planner from
  // turning the join round.
  const auto in_ranges = [](const std::string& columns, const std::string& own, const std::string& table) {
    return " UNION ALL SELECT " + columns + " FROM unnest($1, $2) AS r (first, last), LATERAL (SELECT " +
           own + " FROM akin." + table + "_@ WHERE key BETWEEN first AND last OFFSET 0) AS p";
  };
  return "SELECT 0::bigint AS kind, level, postings, rows, NULL::bytea FROM akin.posting_sizes_@" +
         in_ranges("1::bigint, key, doc, n, NULL", "key, doc, n", "postings") +
         " UNION ALL SELECT 2::bigint, bucket, NULL, NULL, body FROM akin.packed_postings_@"
         " WHERE bucket = ANY($3)" +
         in_ranges("3::bigint, id, key, NULL, NULL", "id, key", "frequent_postings");
}

}  // namespace

/// Gathers what the look-ups return.
class PostingReader::Answer {
 public:
  /// `known`: what is not looked up.
  Answer(const LookUp& wanted, const PostingCache& cache, const KnownPostings& known)
      : ranges_(wanted.ranges), cache_(cache), known_(known), keeps_rows_(wanted.are_keys) {}

  Result<void> take(const Rows& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::int64_t first = rows.number(row, 1);
      switch (rows.number(row, 0)) {
        case kSizes:
          take_size(static_cast<int>(first), {rows.number(row, 2), rows.number(row, 3)});
          break;
        case kRecent:
          postings_.rare.push_back(
              {first, rows.number(row, 2), static_cast<std::uint32_t>(rows.number(row, 3))});
          break;
        case kPacked:
          AKIN_CHECK(take_packed(first, rows.bytes(row, 4)));
          break;
        case kBlock:
          take_block(first, rows.number(row, 2));
          break;
        default:
          return damaged_postings("rows of kind", rows.number(row, 0));
      }
    }
    return {};
  }

  /// Whether what was not looked up is what the store has.
  [[nodiscard]] bool agrees() const {
    return (known_.blocks.values.empty() && known_.rows.values.empty()) ||
           (has_version_ && known_.version == version_);
  }
  /// Whether a key's blocks need not be looked up.
  [[nodiscard]] bool knows_blocks_of(std::int64_t key) const { return known_.blocks.contains(key); }
  /// Whether a bucket's rows need not be looked up.
  [[nodiscard]] bool knows_rows_of(std::int64_t bucket) const { return known_.rows.contains(bucket); }

  /// The levels that have rows, ascending.
  [[nodiscard]] std::vector<int> levels() const {
    std::vector<int> levels;
    for (const auto& [level, rows] : rows_of_level_) {
      if (!are_blocks(level) && rows > 0) levels.push_back(level);
    }
    return levels;
  }

  /// Blocks that the cache does not have → their keys.
  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& missing() const noexcept { return missing_; }
  void add_block(std::int64_t key, std::shared_ptr<const Block> block) {
    blocks_[key].push_back(std::move(block));
  }

  /// What was looked up of blocks, and of these buckets, if there is a version.
  [[nodiscard]] KnownPostings looked_up(std::span<const std::int64_t> buckets) {
    KnownPostings read;
    if (!has_version_) return read;
    read.version = version_;
    for (const auto& [key, blocks] : blocks_)
      read.blocks.values.emplace_back(key, std::make_shared<const Blocks>(blocks));
    for (const std::int64_t bucket : buckets) {
      if (knows_rows_of(bucket)) continue;
      read.rows.values.emplace_back(bucket, std::make_shared<const BucketRows>(std::move(rows_[bucket])));
    }
    return read;
  }

  Result<KeyPostings> finish() {
    for (const auto& [bucket, rows] : known_.rows.values) {
      for (const std::string& row : *rows) AKIN_CHECK(take_checked(bucket, row));
    }
    for (const auto& [key, blocks] : known_.blocks.values) add_list(key, *blocks);
    for (const auto& [key, blocks] : blocks_) add_list(key, blocks);
    return std::move(postings_);
  }

 private:
  void take_size(int level, const LevelSize& size) {
    if (level == kPackedVersion) {
      has_version_ = true;
      const std::uint64_t mask = (std::uint64_t{1} << kVersionBits) - 1;
      version_.changes = (version_.changes + static_cast<std::uint64_t>(size.postings)) & mask;
      return;
    }
    rows_of_level_[level] += size.rows;
    LevelSize& own = version_.sizes[level];
    own.postings += size.postings;
    own.rows += size.rows;
    if (own == LevelSize()) version_.sizes.erase(level);
  }

  void add_list(std::int64_t key, const Blocks& blocks) {
    FrequentList& list = postings_.frequent.emplace_back();
    list.key = key;
    list.blocks = blocks;
    for (const auto& block : blocks) list.postings += block->postings;
  }

  Result<void> take_packed(std::int64_t bucket, std::string_view bytes) {
    const std::optional<std::string_view> checked = checked_postings(bytes, bucket);
    if (!checked || !is_bucket(bucket)) return damaged_postings("bucket", bucket);
    if (keeps_rows_) rows_[bucket].emplace_back(*checked);
    return take_checked(bucket, *checked);
  }

  /// Takes the wanted keys' postings of a bucket's row.
  Result<void> take_checked(std::int64_t bucket, std::string_view checked) {
    const KeyRange keys = keys_of_bucket(bucket);
    const auto end = std::ranges::upper_bound(ranges_, keys.last, {}, &KeyRange::first);
    auto wanted = std::ranges::lower_bound(ranges_, keys.first, {}, &KeyRange::last);
    if (wanted >= end) return {};
    const auto take = [&](std::int64_t key, std::int64_t document, std::uint32_t count) {
      while (wanted != end && wanted->last < key) ++wanted;
      if (wanted != end && wanted->first <= key) postings_.rare.push_back({key, document, count});
    };
    const bool is_sound = for_each_in_checked_row(checked, bucket, take, std::prev(end)->last);
    return is_sound ? Result<void>() : damaged_postings("bucket", bucket);
  }

  void take_block(std::int64_t id, std::int64_t key) {
    if (auto block = cache_.find(id)) {
      add_block(key, std::move(block));
    } else {
      missing_.emplace(id, key);
    }
  }

  std::span<const KeyRange> ranges_;
  const PostingCache& cache_;
  const KnownPostings& known_;
  const bool keeps_rows_;
  KeyPostings postings_;
  std::map<std::int64_t, Blocks> blocks_;         ///< looked up, by key
  std::map<std::int64_t, BucketRows> rows_;       ///< to be kept, by bucket
  std::map<std::int64_t, std::int64_t> missing_;  ///< blocks → keys
  std::map<int, std::int64_t> rows_of_level_;
  PackedVersion version_;
  bool has_version_ = false;  ///< none before packed rows change for the first time
};

Result<KeyPostings> PostingReader::read(std::span<const std::int64_t> keys) const {
  std::vector<KeyRange> ranges;
  ranges.reserve(keys.size());
  for (const std::int64_t key : keys) ranges.push_back({key, key});
  return read_from({ranges, {keys.begin(), keys.end()}, true});
}

std::shared_ptr<const KeyPostings> PostingReader::kept(std::span<const std::int64_t> keys) const {
  const auto known =
      std::ranges::find_if(kept_, [&](const Kept& one) { return std::ranges::equal(one.keys, keys); });
  return known == kept_.end() ? nullptr : known->postings;
}

Result<std::shared_ptr<const KeyPostings>> PostingReader::read_kept(
    std::span<const std::int64_t> keys) const {
  if (auto known = kept(keys)) return known;
  AKIN_TRY(KeyPostings postings, read(keys));
  return keep(keys, std::move(postings));
}

Result<void> PostingReader::read_together(std::span<const std::int64_t> keys,
                                          std::span<const std::int64_t> next) const {
  if (keys.empty() || next.empty() || kept(keys) || kept(next)) return {};
  std::vector<std::int64_t> both;
  std::ranges::set_union(keys, next, std::back_inserter(both));
  AKIN_TRY(const KeyPostings all, read(both));
  keep(next, those_of(all, next));
  keep(keys, those_of(all, keys));
  return {};
}

std::shared_ptr<const KeyPostings> PostingReader::keep(std::span<const std::int64_t> keys,
                                                       KeyPostings postings) const {
  constexpr std::size_t kMostKept = 4;
  if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
  kept_.push_back({{keys.begin(), keys.end()}, std::make_shared<const KeyPostings>(std::move(postings))});
  return kept_.back().postings;
}

Result<KeyPostings> PostingReader::read_ranges(std::span<const KeyRange> ranges) const {
  LookUp wanted{ranges, {}, false};
  for (const KeyRange& one : ranges) wanted.firsts.push_back(one.first);
  return read_from(wanted);
}

Result<KeyPostings> PostingReader::read_from(const LookUp& wanted) const {
  const std::vector<int> guessed = cache_.levels();
  const std::vector<std::int64_t> buckets = buckets_of(wanted.ranges, guessed);
  KnownPostings known;
  if (wanted.are_keys) known = cache_.known(wanted.firsts, buckets);
  for (;;) {
    Answer answer(wanted, cache_, known);
    AKIN_CHECK(look_up(wanted, buckets, answer));
    if (!answer.agrees()) {
      known = {};
      continue;
    }
    const std::vector<int> levels = answer.levels();
    std::vector<int> missed;
    std::ranges::set_difference(levels, guessed, std::back_inserter(missed));
    if (levels != guessed) cache_.set_levels(levels);
    if (!missed.empty()) AKIN_CHECK(look_up_missed(wanted, missed, answer));
    if (!answer.missing().empty()) AKIN_CHECK(read_blocks(answer));
    if (wanted.are_keys) cache_.add_known(answer.looked_up(buckets));
    return answer.finish();
  }
}

Result<void> PostingReader::look_up(const LookUp& wanted, std::span<const std::int64_t> all_buckets,
                                    Answer& answer) const {
  std::vector<std::int64_t> buckets;
  std::ranges::remove_copy_if(all_buckets, std::back_inserter(buckets),
                              [&](std::int64_t bucket) { return answer.knows_rows_of(bucket); });
  Params params;
  params.numbers(wanted.firsts);
  if (!wanted.are_keys) {
    std::vector<std::int64_t> lasts;
    for (const KeyRange& one : wanted.ranges) lasts.push_back(one.last);
    params.numbers(lasts);
  }
  params.numbers(buckets);
  if (wanted.are_keys) {
    std::vector<std::int64_t> unknown;
    std::ranges::remove_copy_if(wanted.firsts, std::back_inserter(unknown),
                                [&](std::int64_t key) { return answer.knows_blocks_of(key); });
    params.numbers(unknown);
  }
  AKIN_TRY(const Rows rows,
           look_ups_.run(of_store(wanted.are_keys ? kLookUp : look_up_ranges(), store_), std::move(params)));
  return answer.take(rows);
}

Result<void> PostingReader::look_up_missed(const LookUp& wanted, const std::vector<int>& levels,
                                           Answer& answer) const {
  AKIN_TRY(const Rows rows,
           look_ups_.run(of_store("SELECT 2::bigint, bucket, NULL::bigint, NULL::bigint, body"
                                  " FROM akin.packed_postings_@ WHERE bucket = ANY($1)",
                                  store_),
                         Params().numbers(buckets_of(wanted.ranges, levels))));
  return answer.take(rows);
}

Result<void> PostingReader::read_blocks(Answer& answer) const {
  std::vector<std::int64_t> wanted;
  for (const auto& [id, key] : answer.missing()) wanted.push_back(id);
  AKIN_TRY(const Rows rows,
           look_ups_.run(of_store("SELECT id, body FROM akin.frequent_postings_@ WHERE id = ANY($1)", store_),
                         Params().numbers(wanted)));
  if (rows.size() != wanted.size()) {
    return corrupt("block " + std::to_string(wanted.front()), "it is listed but missing");
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int64_t id = rows.number(row, 0), key = answer.missing().at(id);
    AKIN_TRY(std::shared_ptr<const Block> block, make_block(rows.bytes(row, 1), key));
    cache_.add(id, block);
    answer.add_block(key, std::move(block));
  }
  return {};
}

}  // namespace akin::pg
