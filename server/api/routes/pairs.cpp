#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/search/filtered_pairs.h"

namespace akin::api {

namespace {

/// The most memory that one request may make the server use; the command line has no such limit.
constexpr std::uint64_t kMaxMemory = std::uint64_t{16} << 30U;

/// Starts a task whose parameters are the conditions, set or not, and what else is given.
Result<Response> start(const Call& call, std::string_view type) {
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {}));
  AKIN_TRY(const PairsQuestion question, pairs_question(body.parameters, collection.get()));
  const PairsRequest& request = question.request;
  if (request.memory > kMaxMemory) {
    return Error{Errc::invalid_argument, body.parameters.what("memory"), "more than 16G", "give 16G or less"};
  }
  Json parameters;
  parameters["bound"] = request.condition.bound;
  parameters["min_containment"] = request.condition.min_containment;
  parameters["min_resemblance"] = request.condition.min_resemblance;
  parameters["memory"] = request.memory;
  if (request.reuse) parameters["reuse"] = true;
  if (request.common_limit) parameters["common_limit"] = *request.common_limit;
  for (const char* name : {"filter", "tier", "linkage"}) {
    if (const auto given = body.parameters.text(name)) parameters[name] = *given;
  }
  return start_task(call, type, collection->name(), std::move(parameters));
}

}  // namespace

Result<Response> find_pairs(const Call& call) { return start(call, "pairs"); }

Result<Response> find_groups(const Call& call) { return start(call, "groups"); }

}  // namespace akin::api
