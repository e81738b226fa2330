// Which documents share more than a bound with a query: counted exactly by the engine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/opensearch/documents/document_reader.h"
#include "index/store/store.h"

namespace akin::opensearch {

struct Candidate {
  std::int64_t document = 0;
  std::uint64_t x = 0;
};

/// The searches of one snapshot, one after another. One thread.
///
/// The engine counts how many of the query's words (layout.h) a document has. It refuses a search with more
/// than about a thousand words: then each part of the query is a search, and their counts are added up.
class OverlapSearch {
 public:
  /// Both must outlive this. `documents` takes the hits of answers that have few.
  OverlapSearch(const View& view, DocumentReader& documents) noexcept : view_(view), documents_(documents) {}

  /// A request for the documents with X >= least > 0 that it does not exclude, and that have another than a
  /// common feature. SearchRequest::accept does not count.
  struct Expected {
    SearchRequest request;
    std::uint64_t least = 1;
  };
  /// Asks about SearchRequest::next in the same request to the engine: if few documents share anything with
  /// it, none of its features is common, and these documents are what it finds.
  [[nodiscard]] Result<std::vector<Candidate>> candidates(const Expected& wanted);
  /// As Snapshot::expect: `common` asks for these candidates, with any X, instead of counting features.
  void expect(Expected expected) { expected_ = std::move(expected); }
  /// Documents that have one of SearchRequest::common, counted by the last search.
  [[nodiscard]] std::uint64_t with_common() const noexcept { return with_common_; }
  /// As Snapshot::common_features.
  [[nodiscard]] Result<std::vector<Feature>> common(std::span<const Feature> features, std::uint64_t limit);

 private:
  /// A search for a part of a query, best first.
  struct Part {
    Json query;
    bool is_whole = true;  ///< the part is all of the query
    Json after;            ///< the sort values of the last hit; null at first
    [[nodiscard]] View::Search search(std::size_t size) const;
  };
  /// A question to the engine, perhaps before it is needed, and what was found so far.
  struct Asked {
    std::vector<Feature> query, common;
    std::vector<std::string> exclude;
    std::uint64_t least = 1;
    std::vector<Part> open = {};  ///< that may find more
    std::unordered_map<std::int64_t, std::uint64_t> x = {};
    std::uint64_t documents = 0;  ///< that it finds, at most
    std::uint64_t with_common = 0;
    /// Whether it finds all that the other asks for.
    [[nodiscard]] bool is_as_wide_as(const Asked& other) const;
    [[nodiscard]] std::vector<Part> parts() const;
    /// Adds the hits of the answer to a part, which is open from then on if there may be more.
    void add(Part part, const Json& hits, std::size_t size);
  };

  /// Asks for what is expected and for SearchRequest::next, as far as they were not asked for.
  [[nodiscard]] Result<void> ask(const Expected& expected);
  /// Until no part is open.
  [[nodiscard]] Result<void> find_all(Asked& asked) const;
  /// Whether what was asked for says that no more than `limit` documents have any of the features.
  [[nodiscard]] bool is_none_in(std::span<const Feature> features, std::uint64_t limit) const;
  /// Counts the documents that have each of the features: exactly those of a feature that `least` documents
  /// of each shard have, and of another one a part.
  [[nodiscard]] Result<std::vector<std::uint64_t>> count_documents(std::span<const Feature> features,
                                                                   std::uint64_t least) const;

  const View& view_;
  DocumentReader& documents_;
  std::optional<Expected> expected_;
  std::vector<Asked> asked_;  ///< the last request's own and its next, as far as they are not used up
  std::uint64_t with_common_ = 0;
};

}  // namespace akin::opensearch
