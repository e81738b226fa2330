// Which documents share more than a bound with a query: counted exactly by the engine.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/opensearch/documents/view.h"
#include "index/store/store.h"

namespace akin::opensearch {

struct Candidate {
  std::int64_t document = 0;
  std::uint64_t x = 0;
};

/// Receives hits that have the fields of kRecordFields, whichever of the answers they are in.
using TakeHit = std::function<Result<void>(const Json& hit)>;
inline const Json kRecordFields = {"number", "sizes", "record"};

/// How many documents have a feature, of those that are there, whether they exist or not.
struct FeatureDocuments {
  std::unordered_map<Feature, std::uint64_t> of;
  std::uint64_t all = 0;  ///< documents with any feature or none
};

struct Candidates {
  std::vector<Candidate> found;
  std::uint64_t with_common = 0;  ///< documents that have one of SearchRequest::common
  FeatureDocuments next;
};

/// The documents with X >= least > 0 that the request does not exclude, and that have another than a common
/// feature. SearchRequest::accept does not count here. Of answers with few hits, `take` receives them. Counts
/// the documents of the features `next`, which ascend, by the way.
///
/// The engine counts how many of the query's words (layout.h) a document has. It refuses a search with more
/// than about a thousand words: then each part of the query is a search, and their counts are added up.
[[nodiscard]] Result<Candidates> find_candidates(const View& view, const SearchRequest& request,
                                                 std::uint64_t least, std::span<const Feature> next,
                                                 const TakeHit& take);

/// As Snapshot::common_features. Asks nothing if the features and all documents have been counted.
[[nodiscard]] Result<std::vector<Feature>> find_common(const View& view, std::span<const Feature> features,
                                                       std::uint64_t limit, FeatureDocuments known);

}  // namespace akin::opensearch
