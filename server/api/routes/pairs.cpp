#include <memory>
#include <string>
#include <utility>

#include "index/search/tier_search.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/memory_size.h"
#include "server/api/read/parameters.h"
#include "server/filter/filter.h"
#include "server/search/tier_options.h"
#include "server/tasks/tasks.h"

namespace akin::api {

namespace {

/// The most memory that one request may make the server use; the command line has no such limit.
constexpr std::uint64_t kMaxMemory = std::uint64_t{16} << 30U;

Result<std::uint64_t> memory_of(const Fields& fields) {
  AKIN_TRY(const auto text, fields.string("memory"));
  if (!text) return kDefaultPairsMemory;
  AKIN_TRY(const std::uint64_t memory, parse_memory_size(*text));
  if (memory <= kMaxMemory) return memory;
  return Error{Errc::invalid_argument, "field 'memory'", "more than 16G", "give 16G or less"};
}

/// The parameters of a task: every condition, set or not, and "reuse" if the pairs are those of
/// PairsRequest::reuse.
Result<Json> pairs_parameters(const Fields& fields, const Collection& collection) {
  AKIN_TRY(const auto bound, fields.integer("bound", 0xffffffffU));
  AKIN_TRY(const auto min_containment, fields.share("min_containment"));
  AKIN_TRY(const auto min_resemblance, fields.share("min_resemblance"));
  const bool reuse = !bound && !fields.has("tier") && !fields.has("common_limit") &&
                     finds_reuse(collection.scheme()) && collection.keeps_texts();
  if (!reuse && !bound && !min_containment && !min_resemblance) {
    return Error{Errc::invalid_argument, "JSON body",
                 "has none of 'bound', 'min_containment' and 'min_resemblance'", "give at least one of them"};
  }
  AKIN_TRY(const std::uint64_t memory, memory_of(fields));
  Json parameters;
  parameters["bound"] = bound.value_or(0);
  parameters["min_containment"] = min_containment.value_or(0.0);
  parameters["min_resemblance"] = min_resemblance.value_or(0.0);
  parameters["memory"] = memory;
  if (reuse) parameters["reuse"] = true;
  AKIN_TRY(const auto common_limit, fields.integer("common_limit", 0xffffffffU));
  if (common_limit && *common_limit == 0) {
    return Error{Errc::invalid_argument, "field 'common_limit'", "must be at least 1",
                 "give a number of documents, or leave it out"};
  }
  if (common_limit) parameters["common_limit"] = *common_limit;
  AKIN_TRY(const auto filter, fields.string("filter"));
  if (filter) {
    AKIN_CHECK(filter::Filter::parse(*filter));
    parameters["filter"] = *filter;
  }
  AKIN_TRY(const auto tier, fields.string("tier"));
  if (tier) parameters["tier"] = *tier;
  return parameters;
}

Result<void> add_linkage(const Fields& fields, Json& parameters) {
  AKIN_TRY(const auto linkage, fields.string("linkage"));
  if (!linkage) return {};
  if (*linkage != "single" && *linkage != "complete") {
    return Error{Errc::invalid_argument, "field 'linkage'", "is neither 'single' nor 'complete'",
                 "give one of them, or leave it out"};
  }
  parameters["linkage"] = *linkage;
  return {};
}

Result<Response> start(const Call& call, std::string_view type) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const Fields fields,
           json_body(call.request, {"bound", "min_containment", "min_resemblance", "common_limit", "filter",
                                    "memory", "tier", "linkage"}));
  if (type == "pairs" && fields.has("linkage")) {
    return Error{Errc::invalid_argument, "field 'linkage'", "is one of groups", "leave it out"};
  }
  AKIN_TRY(Json parameters, pairs_parameters(fields, *collection));
  AKIN_CHECK(add_linkage(fields, parameters));
  AKIN_TRY(const std::optional<std::size_t> tier, tier_of(parameters, collection->scheme()));
  const Scheme& scheme = tier ? *collection->scheme().tiers()[*tier].scheme : collection->scheme();
  AKIN_CHECK(check_containment(scheme, parameters["min_containment"].get<double>()));
  return start_task(call, type, collection->name(), std::move(parameters));
}

}  // namespace

Result<Response> post_pairs(const Call& call) { return start(call, "pairs"); }

Result<Response> post_groups(const Call& call) { return start(call, "groups"); }

}  // namespace akin::api
