// Which documents share more than a bound with a query: counted exactly by the engine.
#pragma once

#include <functional>
#include <span>
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

/// The documents with X >= least > 0 that the request does not exclude, and that have another than a common
/// feature. SearchRequest::accept does not count here. Of answers with few hits, `take` receives them.
///
/// The engine counts how many of the query's words (layout.h) a document has. It refuses a search with more
/// than about a thousand words: then each part of the query is a search, and their counts are added up.
[[nodiscard]] Result<std::vector<Candidate>> find_candidates(const View& view, const SearchRequest& request,
                                                             std::uint64_t least, const TakeHit& take);

/// How many documents have at least one of the features.
[[nodiscard]] Result<std::uint64_t> count_having(const View& view, const std::vector<Feature>& features);

/// As Snapshot::common_features.
[[nodiscard]] Result<std::vector<Feature>> find_common(const View& view, std::span<const Feature> features,
                                                       std::uint64_t limit);

}  // namespace akin::opensearch
