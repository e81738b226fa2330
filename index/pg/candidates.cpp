#include "index/pg/candidates.h"

#include <algorithm>
#include <unordered_map>

#include "index/feature_counts.h"
#include "index/pg/segments.h"

namespace akin::pg {
namespace {

/// A query's features in the form of the tables.
struct Query {
  std::vector<std::int64_t> rare, frequent;                  ///< keys; each in one of the two, once
  std::unordered_map<std::int64_t, std::uint64_t> repeated;  ///< key → count, if over 1
  std::uint64_t extra = 0;  ///< the most that repeats can add to the number of common keys
};

/// Splits the keys: up to `most` of those in the most documents, according to akin.frequent_features_N, are
/// frequent.
Result<void> part(Connection& connection, StoreNumber store, std::uint64_t most, Query& query) {
  if (most == 0) return {};
  AKIN_TRY(const Rows frequent,
           connection.run(
               of_store("SELECT key FROM akin.frequent_features_@ WHERE key = ANY($1)"
                        " ORDER BY df DESC, key LIMIT $2",
                        store),
               Params()
                   .numbers(query.rare)
                   .number(static_cast<std::int64_t>(std::min<std::uint64_t>(most, query.rare.size())))));
  for (std::size_t row = 0; row < frequent.size(); ++row) query.frequent.push_back(frequent.number(row, 0));
  std::ranges::sort(query.frequent);
  std::erase_if(query.rare,
                [&](std::int64_t key) { return std::ranges::binary_search(query.frequent, key); });
  return {};
}

/// Adds to each candidate the overlap with the query beyond one of each feature.
Result<void> add_repeats(Connection& connection, StoreNumber store, const Query& query,
                         std::vector<Candidate>& candidates) {
  if (query.repeated.empty() || candidates.empty()) return {};
  std::vector<std::int64_t> keys, documents;
  keys.reserve(query.repeated.size());
  for (const auto& [key, count] : query.repeated) keys.push_back(key);
  documents.reserve(candidates.size());
  for (const auto& [document, x] : candidates) documents.push_back(document);
  AKIN_TRY(
      const Rows rows,
      connection.run(
          of_store("SELECT key, doc, n FROM akin.repeats_@ WHERE key = ANY($1) AND doc = ANY($2)", store),
          Params().numbers(keys).numbers(documents)));
  std::unordered_map<std::int64_t, std::uint64_t> extra;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto stored = static_cast<std::uint64_t>(rows.number(row, 2));
    extra[rows.number(row, 1)] += std::min(stored, query.repeated.at(rows.number(row, 0))) - 1;
  }
  for (auto& [document, x] : candidates) {
    if (const auto more = extra.find(document); more != extra.end()) x += more->second;
  }
  return {};
}

}  // namespace

Result<std::vector<Candidate>> find_candidates(Connection& connection, StoreNumber store,
                                               std::span<const int> levels, const FeatureSequence& query,
                                               std::uint64_t least) {
  Query keys;
  for (const FeatureCount& entry : count_features(query.hashes)) {
    keys.rare.push_back(key_of(entry.feature));
    keys.extra += entry.count - 1;
    if (entry.count > 1) keys.repeated.emplace(keys.rare.back(), entry.count);
  }
  // A document with X >= least has at least this many different features in common.
  const std::uint64_t common = least > keys.extra ? least - keys.extra : 1;
  AKIN_CHECK(part(connection, store, common - 1, keys));
  const std::uint64_t of_rare = common - keys.frequent.size();
  std::vector<Candidate> candidates;
  AKIN_CHECK(connection.stream({of_store(kSearch, store), Params()
                                                              .numbers(keys.rare)
                                                              .number(static_cast<std::int64_t>(of_rare))
                                                              .numbers(keys.frequent)
                                                              .numbers(buckets_of(keys.rare, levels))
                                                              .numbers(buckets_of(keys.frequent, levels))},
                               [&](const Rows& row) -> Result<void> {
                                 const auto x = static_cast<std::uint64_t>(row.number(0, 1));
                                 if (x >= common) candidates.push_back({row.number(0, 0), x});
                                 return {};
                               }));
  AKIN_CHECK(add_repeats(connection, store, keys, candidates));
  std::erase_if(candidates, [least](const Candidate& one) { return one.x < least; });
  return candidates;
}

}  // namespace akin::pg
