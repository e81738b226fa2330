// One search, whatever request asks for it: by text or by stored document, in one collection or in several.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/collection.h"
#include "server/api/message.h"
#include "server/api/parameters.h"
#include "server/api/tier_options.h"

namespace akin::api {

/// How much is told of each document found.
enum class Verbosity {
  ids,     ///< id and x
  normal,  ///< title, measures, passages
  full,    ///< its whole record
};

struct SearchOptions {
  SearchRequest request;  ///< without a query
  Verbosity verbosity = Verbosity::normal;
  bool passage_text = false;
  std::vector<TierChoice> tiers;  ///< empty: the collection's first, or it has none
};

/// What is searched for. One of text and id.
struct SearchSubject {
  std::optional<std::string> text;
  std::string id;          ///< of a stored document, which is left out of the answer
  std::string collection;  ///< where that document is; empty where only one is searched
};

using Collections = std::vector<std::shared_ptr<Collection>>;

/// The query parameters of a search, and "collections" if `several`.
[[nodiscard]] Result<Parameters> search_parameters(std::span<const Parameter> query, bool several);
[[nodiscard]] Result<SearchOptions> search_options(const Parameters& parameters);

/// Reads {"text"} or {"id"}, with "collection" beside the id if `several`.
[[nodiscard]] Result<SearchSubject> search_subject(const Fields& fields, bool several);

/// The similar_object of a search in one collection. Errors: not_found (the document); as Snapshot::search;
/// unsupported (text of passages of a collection that keeps none).
[[nodiscard]] Result<Json> search_in(const Collection& collection, const SearchOptions& options,
                                     const SearchSubject& subject);

/// The same over several collections of one scheme: every result has its "collection"; `total` counts those
/// of all, and "collections" tells each one's. Equal results are ordered by collection, then by id; in tiers,
/// first by the place of the tier that found them. Errors
/// also: mismatch (other schemes: their features cannot be compared).
[[nodiscard]] Result<Json> search_across(const Collections& collections, const SearchOptions& options,
                                         const SearchSubject& subject);

}  // namespace akin::api
