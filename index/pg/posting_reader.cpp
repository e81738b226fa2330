#include "index/pg/posting_reader.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "index/pg/content_servers.h"
#include "index/pg/packing.h"
#include "index/posting.h"

namespace akin::pg {
namespace {

// Kinds of rows.
constexpr std::int64_t kSizes = 0, kRecent = 1, kPacked = 2, kBlock = 3;

/// Two sessions share the look-up of so many packed rows: fewer take one session less time than the other
/// needs to begin.
constexpr std::size_t kShared = 128;

}  // namespace

std::string look_up_statement(const std::string& part) {
  return "SELECT 0::bigint AS kind, level, postings, rows, NULL::bytea FROM akin.posting_sizes_@"
         " UNION ALL SELECT 1::bigint, key, doc, n, NULL FROM akin.postings_@ WHERE key = ANY($1)"
         " UNION ALL SELECT 2::bigint, bucket, NULL, NULL, body FROM akin.packed_postings_@"
         " WHERE bucket = ANY($2) UNION ALL SELECT 3::bigint, id, key, " +
         part + ", NULL FROM akin.frequent_postings_@ WHERE key = ANY($3)";
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
  /// `parts`: those whose answers are taken, in their order. `known`: blocks that are not looked up.
  Answer(std::span<const KeyRange> ranges, const BlockCache& cache, std::span<const std::size_t> parts,
         const ListedBlocks& known)
      : ranges_(ranges), cache_(cache), parts_(parts), known_(known) {}

  Result<void> take_all(const std::vector<Rows>& answers) {
    rows_of_level_.clear();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      AKIN_CHECK(take(answers[i]));
      if (i < parts_.size() && version_) {
        version_->postings = block_sizes_.postings;
        version_->rows = block_sizes_.rows;
        versions_.emplace(parts_[i], *version_);
      }
      version_.reset();
      block_sizes_ = {};
    }
    return {};
  }

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
          take_block({rows.number(row, 3), first}, rows.number(row, 2));
          break;
        default:
          return damaged_postings("rows of kind", rows.number(row, 0));
      }
    }
    return {};
  }

  /// Whether the blocks that were not looked up are those that the servers have.
  [[nodiscard]] bool agrees() const { return known_.blocks.empty() || known_.versions == versions_; }
  /// Whether a key's blocks need not be looked up.
  [[nodiscard]] bool knows_blocks_of(std::int64_t key) const {
    return !parts_.empty() && known_.blocks.contains({key, parts_.front()});
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
  void add_block(std::int64_t key, std::size_t part, std::shared_ptr<const Block> block) {
    blocks_[key][part].push_back(std::move(block));
  }

  /// The blocks that were looked up, if all parts have versions.
  [[nodiscard]] ListedBlocks looked_up() const {
    ListedBlocks listed;
    if (parts_.empty() || versions_.size() < parts_.size()) return listed;
    listed.versions = versions_;
    for (const auto& [key, of_parts] : blocks_) {
      for (const std::size_t part : parts_) {
        const auto own = of_parts.find(part);
        listed.blocks.emplace(std::pair(key, part), own == of_parts.end()
                                                        ? std::make_shared<const Blocks>()
                                                        : std::make_shared<const Blocks>(own->second));
      }
    }
    return listed;
  }

  KeyPostings finish() {
    for (const auto& [of, blocks] : known_.blocks) add_to_list(of.first, *blocks);
    for (const auto& [key, of_parts] : blocks_) {
      for (const auto& [part, blocks] : of_parts) add_to_list(key, blocks);
    }
    return std::move(postings_);
  }

 private:
  void take_size(int level, const LevelSize& size) {
    if (level == kBlocksVersion) {
      if (!version_) version_.emplace();
      const std::uint64_t mask = (std::uint64_t{1} << kVersionBits) - 1;
      version_->changes = (version_->changes + static_cast<std::uint64_t>(size.postings)) & mask;
    } else if (level == kBlocks) {
      block_sizes_.postings += size.postings;
      block_sizes_.rows += size.rows;
    } else {
      rows_of_level_[level] += size.rows;
    }
  }

  /// The list is empty, or the last one is the same key's.
  void add_to_list(std::int64_t key, const Blocks& blocks) {
    if (blocks.empty()) return;
    if (postings_.frequent.empty() || postings_.frequent.back().key != key)
      postings_.frequent.emplace_back().key = key;
    FrequentList& list = postings_.frequent.back();
    for (const auto& block : blocks) list.postings += block->postings;
    list.blocks.insert(list.blocks.end(), blocks.begin(), blocks.end());
  }

  Result<void> take_packed(std::int64_t bucket, std::string_view bytes) {
    if (!is_bucket(bucket)) return damaged_postings("bucket", bucket);
    const std::int64_t first = first_key(bucket);
    const auto end = std::ranges::upper_bound(
        ranges_, first + static_cast<std::int64_t>(last_key_offset(bucket)), {}, &KeyRange::first);
    auto wanted = std::ranges::lower_bound(ranges_, first, {}, &KeyRange::last);
    if (wanted >= end) return {};
    const auto take = [&](std::int64_t key, std::int64_t document, std::uint32_t count) {
      while (wanted != end && wanted->last < key) ++wanted;
      if (wanted != end && wanted->first <= key) postings_.rare.push_back({key, document, count});
    };
    const bool is_sound = for_each_in_row(bytes, bucket, take, std::prev(end)->last);
    return is_sound ? Result<void>() : damaged_postings("bucket", bucket);
  }

  void take_block(const BlockCache::Id& id, std::int64_t key) {
    if (auto block = cache_.find(id)) {
      add_block(key, static_cast<std::size_t>(id.first), std::move(block));
    } else {
      missing_.emplace(id, key);
    }
  }

  std::span<const KeyRange> ranges_;
  const BlockCache& cache_;
  std::span<const std::size_t> parts_;
  const ListedBlocks& known_;
  KeyPostings postings_;
  std::map<std::int64_t, std::map<std::size_t, Blocks>> blocks_;  ///< looked up, by key and part
  std::map<BlockCache::Id, std::int64_t> missing_;                ///< → key
  std::map<int, std::int64_t> rows_of_level_;
  std::map<std::size_t, BlocksVersion> versions_;  ///< by part; none where the blocks have no version yet
  std::optional<BlocksVersion> version_;           ///< of the part that is being taken
  LevelSize block_sizes_;                          ///< of that part
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
  const std::vector<std::size_t> parts = servers.asked_parts();
  ListedBlocks known = wanted.are_keys ? cache_.listed(wanted.firsts, parts) : ListedBlocks();
  for (;;) {
    Answer answer(wanted.ranges, cache_, parts, known);
    AKIN_CHECK(look_up(servers, wanted, guessed, answer));
    if (!answer.agrees()) {
      known = {};
      continue;
    }
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
    if (wanted.are_keys) cache_.add_listed(answer.looked_up());
    return answer.finish();
  }
}

Result<void> PostingReader::look_up(ContentServers& servers, const LookUp& wanted,
                                    const std::vector<int>& levels, Answer& answer) const {
  if (!wanted.are_keys && servers.asks_coordinator()) return look_up_foreign(wanted, levels, answer);
  const std::vector<std::int64_t> buckets = buckets_of(wanted.firsts, levels);
  const bool is_shared = wanted.are_keys && servers.can_share() && buckets.size() >= kShared;
  const std::span own =
      std::span(buckets).first(is_shared ? buckets.size() - buckets.size() / 2 : buckets.size());
  Params params;
  params.numbers(wanted.firsts);
  if (!wanted.are_keys) {
    std::vector<std::int64_t> lasts;
    for (const KeyRange& one : wanted.ranges) lasts.push_back(one.last);
    params.numbers(lasts);
  }
  params.numbers(own);
  if (wanted.are_keys) {
    std::vector<std::int64_t> unknown;
    std::ranges::remove_copy_if(wanted.firsts, std::back_inserter(unknown),
                                [&](std::int64_t key) { return answer.knows_blocks_of(key); });
    params.numbers(unknown);
  }
  const auto statement = [&](const std::string& part) {
    return of_store(wanted.are_keys ? look_up_statement(part) : look_up_ranges_statement(part), store_);
  };
  if (is_shared) {
    AKIN_TRY(const std::vector<Rows> answers,
             servers.ask_shared({statement("0::bigint"), params},
                                packed_rows(std::span(buckets).subspan(own.size()))));
    return answer.take_all(answers);
  }
  AKIN_TRY(const std::vector<Rows> answers, servers.ask(statement, params, kPartColumn));
  return answer.take_all(answers);
}

Statement PostingReader::packed_rows(std::span<const std::int64_t> buckets) const {
  return {of_store("SELECT 2::bigint, bucket, 0::bigint, 0::bigint, body FROM akin.packed_postings_@"
                   " WHERE bucket = ANY($1)",
                   store_),
          Params().numbers(buckets)};
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
  const Statement statement = packed_rows(buckets_of(wanted.firsts, levels));
  AKIN_TRY(const std::vector<Rows> answers,
           servers.ask([&](const std::string&) { return statement.sql; }, statement.params, kPartColumn));
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
      answer.add_block(key->second, static_cast<std::size_t>(id.first), std::move(block));
    }
  }
  if (found == answer.missing().size()) return {};
  return corrupt("block " + std::to_string(answer.missing().begin()->first.second),
                 "it is listed but missing");
}

}  // namespace akin::pg
