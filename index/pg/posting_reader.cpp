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
                                      std::span<const std::int64_t> buckets) {
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
  /// `parts`: those whose answers are taken, in their order. `known`: what is not looked up.
  Answer(const LookUp& wanted, const PostingCache& cache, std::span<const std::size_t> parts,
         const KnownPostings& known)
      : ranges_(wanted.ranges),
        cache_(cache),
        parts_(parts),
        known_(known),
        keeps_rows_(wanted.are_keys && !parts.empty()) {}

  /// One answer of each part, or the coordinator's. Further ones are of the only part.
  Result<void> take_all(const std::vector<Rows>& answers) {
    rows_of_level_.clear();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!parts_.empty()) part_ = parts_[std::min(i, parts_.size() - 1)];
      AKIN_CHECK(take(answers[i]));
      if (i < parts_.size() && has_version_) versions_.emplace(part_, std::move(version_));
      has_version_ = false;
      version_ = {};
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

  /// Whether what was not looked up is what the servers have.
  [[nodiscard]] bool agrees() const {
    return (known_.blocks.values.empty() && known_.rows.values.empty()) || known_.versions == versions_;
  }
  /// Whether a key's blocks need not be looked up.
  [[nodiscard]] bool knows_blocks_of(std::int64_t key) const {
    return !parts_.empty() && known_.blocks.contains(key, parts_.front());
  }
  /// Whether a bucket's rows need not be looked up.
  [[nodiscard]] bool knows_rows_of(std::int64_t bucket) const {
    return !parts_.empty() && known_.rows.contains(bucket, parts_.front());
  }

  /// The levels that have rows, ascending.
  [[nodiscard]] std::vector<int> levels() const {
    std::vector<int> levels;
    for (const auto& [level, rows] : rows_of_level_) {
      if (level != kBlocks && rows > 0) levels.push_back(level);
    }
    return levels;
  }

  [[nodiscard]] const std::map<PostingCache::Id, std::int64_t>& missing() const noexcept { return missing_; }
  void add_block(std::int64_t key, std::size_t part, std::shared_ptr<const Block> block) {
    blocks_[key][part].push_back(std::move(block));
  }

  /// What was looked up of blocks, and of these buckets, if all parts have versions.
  [[nodiscard]] KnownPostings looked_up(std::span<const std::int64_t> buckets) {
    KnownPostings read;
    if (parts_.empty() || versions_.size() < parts_.size()) return read;
    read.versions = versions_;
    for (const auto& [key, of_parts] : blocks_) {
      for (const std::size_t part : parts_) {
        const auto own = of_parts.find(part);
        read.blocks.values.emplace_back(std::pair(key, part),
                                        own == of_parts.end() ? std::make_shared<const Blocks>()
                                                              : std::make_shared<const Blocks>(own->second));
      }
    }
    for (const std::int64_t bucket : buckets) {
      if (level_of(bucket) > PostingCache::kKeptLevel || knows_rows_of(bucket)) continue;
      for (const std::size_t part : parts_) {
        const std::pair of(bucket, part);
        read.rows.values.emplace_back(of, std::make_shared<const BucketRows>(std::move(rows_[of])));
      }
    }
    return read;
  }

  Result<KeyPostings> finish() {
    for (const auto& [of, rows] : known_.rows.values) {
      for (const std::string& row : *rows) AKIN_CHECK(take_checked(of.first, row));
    }
    for (const auto& [of, blocks] : known_.blocks.values) add_to_list(of.first, *blocks);
    for (const auto& [key, of_parts] : blocks_) {
      for (const auto& [part, blocks] : of_parts) add_to_list(key, blocks);
    }
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
    const std::optional<std::string_view> checked = checked_postings(bytes, bucket);
    if (!checked || !is_bucket(bucket)) return damaged_postings("bucket", bucket);
    if (keeps_rows_ && level_of(bucket) <= PostingCache::kKeptLevel)
      rows_[{bucket, part_}].emplace_back(*checked);
    return take_checked(bucket, *checked);
  }

  /// Takes the wanted keys' postings of a bucket's row.
  Result<void> take_checked(std::int64_t bucket, std::string_view checked) {
    const std::int64_t first = first_key(bucket);
    const auto end = std::ranges::upper_bound(
        ranges_, first + static_cast<std::int64_t>(last_key_offset(bucket)), {}, &KeyRange::first);
    auto wanted = std::ranges::lower_bound(ranges_, first, {}, &KeyRange::last);
    if (wanted >= end) return {};
    const auto take = [&](std::int64_t key, std::int64_t document, std::uint32_t count) {
      while (wanted != end && wanted->last < key) ++wanted;
      if (wanted != end && wanted->first <= key) postings_.rare.push_back({key, document, count});
    };
    const bool is_sound = for_each_in_checked_row(checked, bucket, take, std::prev(end)->last);
    return is_sound ? Result<void>() : damaged_postings("bucket", bucket);
  }

  void take_block(const PostingCache::Id& id, std::int64_t key) {
    if (auto block = cache_.find(id)) {
      add_block(key, static_cast<std::size_t>(id.first), std::move(block));
    } else {
      missing_.emplace(id, key);
    }
  }

  std::span<const KeyRange> ranges_;
  const PostingCache& cache_;
  std::span<const std::size_t> parts_;
  const KnownPostings& known_;
  const bool keeps_rows_;
  KeyPostings postings_;
  std::map<std::int64_t, std::map<std::size_t, Blocks>> blocks_;     ///< looked up, by key and part
  std::map<std::pair<std::int64_t, std::size_t>, BucketRows> rows_;  ///< to be kept, by bucket and part
  std::map<PostingCache::Id, std::int64_t> missing_;                 ///< → key
  std::map<int, std::int64_t> rows_of_level_;
  std::map<std::size_t, PackedVersion> versions_;  ///< by part; none where the rows have no version yet
  std::size_t part_ = 0;                           ///< the one whose answer is taken
  PackedVersion version_;                          ///< of that part
  bool has_version_ = false;
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
  const std::vector<std::int64_t> buckets = buckets_of(wanted.firsts, guessed);
  KnownPostings known;
  if (wanted.are_keys) known = cache_.known(wanted.firsts, buckets, parts);
  for (;;) {
    Answer answer(wanted, cache_, parts, known);
    AKIN_CHECK(look_up(servers, wanted, buckets, answer));
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
    if (wanted.are_keys) cache_.add_known(answer.looked_up(buckets));
    return answer.finish();
  }
}

Result<void> PostingReader::look_up(ContentServers& servers, const LookUp& wanted,
                                    std::span<const std::int64_t> all_buckets, Answer& answer) const {
  if (!wanted.are_keys && servers.asks_coordinator()) return look_up_foreign(wanted, all_buckets, answer);
  std::vector<std::int64_t> buckets;
  std::ranges::remove_copy_if(all_buckets, std::back_inserter(buckets),
                              [&](std::int64_t bucket) { return answer.knows_rows_of(bucket); });
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

Result<void> PostingReader::look_up_foreign(const LookUp& wanted, std::span<const std::int64_t> all_buckets,
                                            Answer& answer) const {
  constexpr std::size_t kAtOnce = 200;
  for (std::size_t at = 0; at < wanted.ranges.size(); at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, wanted.ranges.size() - at);
    // A bucket's row is taken once for all ranges.
    const std::span<const std::int64_t> buckets = at == 0 ? all_buckets : std::span<const std::int64_t>();
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
      const PostingCache::Id id{blocks.number(row, 1), blocks.number(row, 0)};
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
