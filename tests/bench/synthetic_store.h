// LMDB stores filled with a synthetic collection.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "index/lmdb/store/store.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

namespace akin::bench {

/// Seed of all made data, so that every run measures the same.
inline constexpr std::uint64_t kSeed = 20'09;

[[nodiscard]] std::shared_ptr<LmdbStore> make_store(const std::filesystem::path& folder);
[[nodiscard]] std::shared_ptr<LmdbStore> open_store(const std::filesystem::path& folder);

/// A document without text. Views `features`.
[[nodiscard]] NewDocument as_document(const FeatureSequence& features, std::string id);

/// Puts documents [begin, end) of the collection, in batches. Returns the seconds that the store took: making
/// the documents is not counted.
double fill(Store& store, const SyntheticCollection& collection, std::uint64_t begin, std::uint64_t end);

/// How a query is answered.
struct QueryKind {
  std::string name;  ///< for rows: "bound 3"
  std::uint64_t bound = 3;
  double min_containment = 0.0;
};

/// The default request, and one that asks for a tenth of the query.
[[nodiscard]] std::vector<QueryKind> query_kinds();

/// Seconds of `count` searches, sorted, each with a snapshot of its own. Queries have 300 features, places in
/// documents [0, documents). Throws if one finds nothing: each holds two stored passages.
[[nodiscard]] std::vector<double> search_seconds(const Store& store, const SyntheticCollection& collection,
                                                 std::uint64_t documents, std::size_t count,
                                                 const QueryKind& kind);

/// Seconds of one such search.
[[nodiscard]] double search_once(const Store& store, const FeatureSequence& query, const QueryKind& kind);

}  // namespace akin::bench
