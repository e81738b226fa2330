// Which documents share more than a bound with a query: counted exactly by the engine.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
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
using TakeHit = std::function<Result<const StoredDocument*>(const Json& hit)>;
inline const Json kRecordFields = {"number", "sizes", "record"};

/// The searches of one snapshot, one after another. One thread.
///
/// The engine counts how many of the query's words (layout.h) a document has. It refuses a search with more
/// than about a thousand words: then each part of the query is a search, and their counts are added up.
class OverlapSearch {
 public:
  /// `view` must outlive this.
  explicit OverlapSearch(const View& view) noexcept : view_(view) {}

  /// The documents with X >= least > 0 that the request does not exclude, and that have another than a common
  /// feature. SearchRequest::accept does not count here. Of answers with few hits, `take` receives them.
  /// Begins with SearchRequest::next in the same request: if few documents share anything with it, none of
  /// its features is common, and these documents are what it finds.
  [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request, std::uint64_t least,
                                                          const TakeHit& take);
  /// Documents that have one of SearchRequest::common, counted by the last search.
  [[nodiscard]] std::uint64_t with_common() const noexcept { return with_common_; }
  /// As Snapshot::common_features.
  [[nodiscard]] Result<std::vector<Feature>> common(std::span<const Feature> features, std::uint64_t limit);

 private:
  /// A search for a part of a query, best first.
  struct Part {
    Json query;
    Json after;  ///< the sort values of the last hit; null at first
    [[nodiscard]] View::Search search(std::size_t size) const;
    /// With the records of the hits. `counted`: as the engine's track_total_hits.
    [[nodiscard]] View::Search first_search(const Json& counted) const;
  };
  /// What a query has found.
  struct Found {
    std::vector<Part> open;  ///< parts that may find more
    std::unordered_map<std::int64_t, std::uint64_t> x;
    /// Adds the hits of the answer to a part, which is open from then on if there may be more.
    void add(Part part, const Json& hits, std::size_t size);
  };
  /// A query that is expected next, without common features and X > 0.
  struct Ahead {
    std::vector<Feature> query;
    std::vector<std::string> exclude;
    std::uint64_t documents = 0;  ///< that have any of its features, at most
    Found found;
  };

  static std::vector<Part> parts_of(const SearchRequest& request, std::uint64_t least);
  /// Until no part is open.
  [[nodiscard]] Result<void> find_all(Found& found) const;
  /// Counts exactly how many documents have each of the features.
  [[nodiscard]] Result<void> count_documents(std::span<const Feature> features);

  const View& view_;
  std::optional<Ahead> ahead_;
  std::uint64_t with_common_ = 0;
  std::unordered_map<Feature, std::uint64_t> documents_with_;  ///< counted last
};

}  // namespace akin::opensearch
