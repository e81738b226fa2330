#include "index/pg/posting_reader.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "index/pg/content_servers.h"
#include "index/pg/packing.h"
#include "index/posting.h"

namespace akin::pg {
namespace {

/// The bytes of blocks that are kept.
constexpr std::size_t kMostCached = std::size_t{128} << 20;

// Kinds of rows.
constexpr std::int64_t kSizes = 0, kRecent = 1, kPacked = 2, kBlock = 3;

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
  AKIN_CHECK(set_bits(*block, key));
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
  bytes_ += block->bytes();
  if (bytes_ > kMostCached) {
    bytes_ = block->bytes();
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

namespace {

/// look_up_statement for ranges of keys. $1, $2: their first and last keys; $3: the buckets.
std::string look_up_ranges_statement(const std::string& part) {
  // For each range, whatever the size of the table when the plan was made: OFFSET keeps the planner from
  // turning the join round.
  const auto in_ranges = [](const std::string& columns, const std::string& own, const std::string& table) {
    return " UNION ALL SELECT " + columns + " FROM unnest($1, $2) AS r (first, last), LATERAL (SELECT " +
           own + " FROM akin." + table + "_@ WHERE key BETWEEN first AND last OFFSET 0) AS p";
  };
  return "SELECT 0::bigint AS kind, level, postings, rows, NULL::bytea FROM akin.posting_sizes_@" +
         in_ranges("1::bigint, key, doc, n, NULL", "key, doc, n", "postings") +
         " UNION ALL SELECT 2::bigint, bucket, 0::bigint, 0::bigint, body FROM akin.packed_postings_@"
         " WHERE bucket = ANY($3)" +
         in_ranges("3::bigint, id, key, " + part + ", NULL", "id, key", "frequent_postings");
}

std::string quoted(std::int64_t number) { return "'" + std::to_string(number) + "'::bigint"; }

/// The same in a form that postgres_fdw ships, which knows no ranges as parameters.
std::string look_up_foreign_statement(std::span<const KeyRange> ranges,
                                      const std::vector<std::int64_t>& buckets) {
  std::string condition, list;
  for (const KeyRange& one : ranges) {
    condition += (condition.empty() ? "key BETWEEN " : " OR key BETWEEN ") + quoted(one.first) + " AND " +
                 quoted(one.last);
  }
  for (const std::int64_t bucket : buckets) list += (list.empty() ? "" : ",") + std::to_string(bucket);
  return "SELECT 0::bigint AS kind, level, postings, rows, NULL::bytea FROM akin.posting_sizes_@"
         " UNION ALL SELECT 1::bigint, key, doc, n, NULL FROM akin.postings_@ WHERE " +
         condition +
         " UNION ALL SELECT 2::bigint, bucket, 0::bigint, 0::bigint, body FROM akin.packed_postings_@"
         " WHERE bucket = ANY('{" +
         list + "}'::bigint[]) UNION ALL SELECT 3::bigint, id, key, " + std::string(kPartColumn) +
         ", NULL FROM akin.frequent_postings_@ WHERE " + condition;
}

}  // namespace

/// Gathers what the look-ups return.
class PostingReader::Answer {
 public:
  Answer(std::span<const KeyRange> ranges, const BlockCache& cache) : ranges_(ranges), cache_(cache) {}

  Result<void> take_all(const std::vector<Rows>& answers) {
    rows_of_level_.clear();
    for (const Rows& rows : answers) AKIN_CHECK(take(rows));
    return {};
  }

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
    auto wanted = std::ranges::lower_bound(ranges_, first_key(bucket), {}, &KeyRange::last);
    const bool is_sound = for_each_in_row(bytes, bucket, [&](auto key, auto document, auto count) {
      while (wanted != ranges_.end() && wanted->last < key) ++wanted;
      if (wanted != ranges_.end() && wanted->first <= key) postings_.rare.push_back({key, document, count});
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

  std::span<const KeyRange> ranges_;
  const BlockCache& cache_;
  KeyPostings postings_;
  std::map<std::int64_t, std::vector<std::shared_ptr<const Block>>> blocks_;  ///< by key
  std::map<BlockCache::Id, std::int64_t> missing_;                            ///< → key
  std::map<int, std::int64_t> rows_of_level_;
};

Result<KeyPostings> PostingReader::read(std::span<const std::int64_t> keys) const {
  std::vector<KeyRange> ranges;
  ranges.reserve(keys.size());
  for (const std::int64_t key : keys) ranges.push_back({key, key});
  const LookUp wanted{ranges, {keys.begin(), keys.end()}, true};
  return ask_servers<KeyPostings>(connection_, parts_, {},
                                  [&](ContentServers& servers) { return read_from(servers, wanted); });
}

Result<KeyPostings> PostingReader::read_ranges(std::span<const KeyRange> ranges,
                                               std::optional<std::size_t> only) const {
  LookUp wanted{ranges, {}, false};
  for (const KeyRange& one : ranges) wanted.firsts.push_back(one.first);
  return ask_servers<KeyPostings>(connection_, parts_, only,
                                  [&](ContentServers& servers) { return read_from(servers, wanted); });
}

Result<KeyPostings> PostingReader::read_from(ContentServers& servers, const LookUp& wanted) const {
  const std::vector<int> guessed = cache_.levels();
  if (guessed.empty()) servers.fix();
  for (;;) {
    Answer answer(wanted.ranges, cache_);
    AKIN_CHECK(look_up(servers, wanted, guessed, answer));
    const std::vector<int> levels = answer.levels();
    std::vector<int> missed;
    std::ranges::set_difference(levels, guessed, std::back_inserter(missed));
    const bool is_all = missed.empty() && answer.missing().empty();
    // A merge between two statements would move postings from what the second asks for.
    if (!is_all && !servers.is_fixed()) {
      servers.fix();
      continue;
    }
    if (levels != guessed) cache_.set_levels(levels);
    if (!missed.empty()) AKIN_CHECK(look_up_missed(servers, wanted, missed, answer));
    if (!answer.missing().empty()) AKIN_CHECK(read_blocks(servers, answer));
    servers.end();
    return answer.finish();
  }
}

Result<void> PostingReader::look_up(ContentServers& servers, const LookUp& wanted,
                                    const std::vector<int>& levels, Answer& answer) const {
  if (!wanted.are_keys && servers.asks_coordinator()) return look_up_foreign(wanted, levels, answer);
  const std::vector<std::int64_t> buckets = buckets_of(wanted.firsts, levels);
  Params params;
  params.numbers(wanted.firsts);
  if (!wanted.are_keys) {
    std::vector<std::int64_t> lasts;
    for (const KeyRange& one : wanted.ranges) lasts.push_back(one.last);
    params.numbers(lasts);
  }
  params.numbers(buckets);
  const auto statement = [&](const std::string& part) {
    return of_store(wanted.are_keys ? look_up_statement(part) : look_up_ranges_statement(part), store_);
  };
  AKIN_TRY(const std::vector<Rows> answers, servers.ask(statement, params, kPartColumn));
  return answer.take_all(answers);
}

Result<void> PostingReader::look_up_foreign(const LookUp& wanted, const std::vector<int>& levels,
                                            Answer& answer) const {
  constexpr std::size_t kAtOnce = 200;
  for (std::size_t at = 0; at < wanted.ranges.size(); at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, wanted.ranges.size() - at);
    // A bucket's row is taken once for all ranges.
    const std::vector<std::int64_t> buckets =
        at == 0 ? buckets_of(wanted.firsts, levels) : std::vector<std::int64_t>();
    std::vector<Rows> answers;
    AKIN_TRY(Rows rows, connection_.run_once(of_store(
                            look_up_foreign_statement(wanted.ranges.subspan(at, count), buckets), store_)));
    answers.push_back(std::move(rows));
    AKIN_CHECK(answer.take_all(answers));
  }
  return {};
}

Result<void> PostingReader::look_up_missed(ContentServers& servers, const LookUp& wanted,
                                           const std::vector<int>& levels, Answer& answer) const {
  const auto statement = [&](const std::string&) {
    return of_store(
        "SELECT 2::bigint, bucket, 0::bigint, 0::bigint, body FROM akin.packed_postings_@"
        " WHERE bucket = ANY($1)",
        store_);
  };
  AKIN_TRY(const std::vector<Rows> answers,
           servers.ask(statement, Params().numbers(buckets_of(wanted.firsts, levels)), kPartColumn));
  for (const Rows& rows : answers) AKIN_CHECK(answer.take(rows));
  return {};
}

Result<void> PostingReader::read_blocks(ContentServers& servers, Answer& answer) const {
  std::vector<std::int64_t> wanted;
  for (const auto& [id, key] : answer.missing()) wanted.push_back(id.second);
  AKIN_TRY(const std::vector<Rows> answers,
           servers.ask(
               [&](const std::string& part) {
                 return of_store(
                     "SELECT id, " + part + ", body FROM akin.frequent_postings_@ WHERE id = ANY($1)",
                     store_);
               },
               Params().numbers(wanted), kPartColumn));
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
