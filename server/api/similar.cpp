#include <cstdint>
#include <string>
#include <utility>

#include "server/api/body.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"
#include "server/filter/filter.h"

namespace akin::api {

namespace {

// A text has fewer than 2^32 features, and a collection fewer than 2^32 documents.
constexpr std::uint64_t kMax32 = 0xffffffffU;
constexpr IntegerRange kBound{.absent = 3, .min = 0, .max = kMax32};
constexpr IntegerRange kNoBound{.absent = 0, .min = 0, .max = kMax32};
constexpr IntegerRange kLimit{.absent = 10, .min = 0, .max = 1000};
constexpr IntegerRange kOffset{.absent = 0, .min = 0, .max = kMax32};

/// Whether `sort` asks for the best alone.
Result<bool> best_only(const Parameters& parameters) {
  const auto sort = parameters.text("sort");
  if (!sort || *sort == "x") return false;
  if (*sort == "containment") return true;
  return Error{Errc::invalid_argument, "query parameter 'sort'", in_quotes(*sort) + " is no order",
               "give 'x' or 'containment'"};
}

Result<SearchRequest> search_request(const Call& call) {
  AKIN_TRY(const Parameters parameters,
           Parameters::read(call.query,
                            {"bound", "min_containment", "limit", "offset", "evidence", "sort", "filter"}));
  SearchRequest request;
  AKIN_TRY(request.best_only, best_only(parameters));
  AKIN_TRY(request.bound, parameters.integer("bound", request.best_only ? kNoBound : kBound));
  AKIN_TRY(request.min_containment, parameters.share("min_containment"));
  AKIN_TRY(request.limit, parameters.integer("limit", kLimit));
  AKIN_TRY(request.offset, parameters.integer("offset", kOffset));
  AKIN_TRY(request.evidence, parameters.flag("evidence"));
  if (const auto wanted = parameters.text("filter")) {
    AKIN_TRY(const filter::Filter read, filter::Filter::parse(*wanted));
    request.accept = [read](const DocumentRecord& one) -> Result<bool> { return read.accepts(one); };
  }
  return request;
}

/// Runs the search in `snapshot` and renders it.
Result<Response> answer(const Snapshot& snapshot, SearchRequest request, const FeatureSequence& query) {
  request.query = &query;
  AKIN_TRY(const SearchResult result, snapshot.search(request));
  return json_response(200, similar_object(request, result));
}

/// Analyses first and opens the snapshot then: an open snapshot holds back the reuse of pages.
Result<Response> similar_to_text(const Collection& collection, SearchRequest request, std::string_view text) {
  AKIN_TRY(const FeatureSequence query, collection.analyze(text));
  AKIN_TRY(const auto snapshot, collection.snapshot());
  return answer(*snapshot, request, query);
}

Result<Response> similar_to_document(const Collection& collection, SearchRequest request,
                                     std::string_view id) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(collection, id);
  AKIN_TRY(const FeatureSequence query, snapshot->features(id));
  request.exclude = {std::string(id)};
  return answer(*snapshot, request, query);
}

}  // namespace

Result<Response> post_similar(const Call& call) {
  AKIN_TRY(const SearchRequest request, search_request(call));
  AKIN_TRY(const BodyType type, body_type(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  if (type == BodyType::text) return similar_to_text(*collection, request, call.request.body);
  AKIN_TRY(const Fields fields, json_body(call.request, {"text", "id"}));
  AKIN_TRY(const auto text, fields.string("text"));
  AKIN_TRY(const auto id, fields.string("id"));
  if (text.has_value() == id.has_value()) {
    return Error{Errc::invalid_argument, "JSON body",
                 text ? "has both 'text' and 'id'" : "has neither 'text' nor 'id'", "give one of the two"};
  }
  return text ? similar_to_text(*collection, request, *text) : similar_to_document(*collection, request, *id);
}

}  // namespace akin::api
