// A search for all requests that need one: by text or by stored document, in one collection or several.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "index/collection.h"
#include "server/api/message.h"
#include "server/api/parameters.h"
#include "server/api/search_query.h"

namespace akin::api {

/// How much is reported about each document found.
enum class Verbosity {
  ids,     ///< id and x
  normal,  ///< title, measures, passages
  full,    ///< the whole record
};

struct SearchOptions {
  SearchRequest request;  ///< the page: without a query and bounds
  SearchChoices choices;
  Verbosity verbosity = Verbosity::normal;
  bool passage_text = false;
};

/// The query: either a text or an id. What the text is a view of must outlive the search.
struct SearchSubject {
  std::optional<std::string_view> text;
  std::string id;                          ///< of a stored document, which is omitted from the answer
  std::string collection;                  ///< the collection of that document; empty if only one is searched
  std::optional<Sha256> file_sha256 = {};  ///< of the file that the text was read from
};

using Collections = std::vector<std::shared_ptr<Collection>>;

/// The query parameters of a search, and "collections" if `several`.
[[nodiscard]] Result<Parameters> search_parameters(std::span<const Parameter> query, bool several);
[[nodiscard]] Result<SearchOptions> search_options(const Parameters& parameters);

/// Reads {"text"} or {"id"}; if `several`, "collection" is required with the id. The text is a view of
/// the fields.
[[nodiscard]] Result<SearchSubject> search_subject(const Fields& fields, bool several);

/// The similar_object of a search in one collection. Errors: not_found (the document); as Snapshot::search;
/// unsupported (texts of passages from a collection that does not store texts).
[[nodiscard]] Result<Json> search_in(const Collection& collection, const SearchOptions& options,
                                     const SearchSubject& subject);

/// The same over several collections with the same scheme: every result has its "collection"; "total" counts
/// the results from all of them, and "collections" has the total of each. Equal results are ordered by
/// collection, then by id; a search in tiers orders first by the tier that found a result. Errors also:
/// mismatch (different schemes, whose features cannot be compared).
[[nodiscard]] Result<Json> search_across(const Collections& collections, const SearchOptions& options,
                                         const SearchSubject& subject);

}  // namespace akin::api
