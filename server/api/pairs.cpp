#include <memory>
#include <string>
#include <utility>

#include "server/api/body.h"
#include "server/api/handlers.h"
#include "server/api/memory_size.h"
#include "server/api/parameters.h"
#include "server/api/tasks.h"

namespace akin::api {

namespace {

/// What one request may make the server use; the command line knows no such limit.
constexpr std::uint64_t kMaxMemory = std::uint64_t{16} << 30U;

Result<std::uint64_t> memory_of(const Fields& fields) {
  AKIN_TRY(const auto text, fields.string("memory"));
  if (!text) return kDefaultPairsMemory;
  AKIN_TRY(const std::uint64_t memory, parse_memory_size(*text));
  if (memory <= kMaxMemory) return memory;
  return Error{Errc::invalid_argument, "field 'memory'", "more than 16G", "give 16G or less"};
}

Result<PairsRequest> pairs_request(const Request& request) {
  AKIN_TRY(const Fields fields,
           json_body(request, {"bound", "min_containment", "min_resemblance", "memory"}));
  AKIN_TRY(const auto bound, fields.integer("bound", 0xffffffffU));
  AKIN_TRY(const auto min_containment, fields.share("min_containment"));
  AKIN_TRY(const auto min_resemblance, fields.share("min_resemblance"));
  if (!bound && !min_containment && !min_resemblance) {
    return Error{Errc::invalid_argument, "JSON body",
                 "has none of 'bound', 'min_containment' and 'min_resemblance'", "give at least one of them"};
  }
  PairsRequest pairs;
  pairs.condition = {.bound = bound.value_or(0),
                     .min_containment = min_containment.value_or(0.0),
                     .min_resemblance = min_resemblance.value_or(0.0)};
  AKIN_TRY(pairs.memory, memory_of(fields));
  return pairs;
}

/// The collection is looked at when its turn comes, so that a waiting task holds no snapshot.
Result<void> find_pairs(const Collection& collection, PairsRequest request, TaskContext& context) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  request.stop = context.stop();
  request.progress = [&](const PairsProgress& now) { context.progress(now.share); };
  AKIN_CHECK(snapshot->pairs(
      request, [&](const DocumentPair& pair) { return context.write(pair_object(pair).dump()); }));
  return {};
}

}  // namespace

Result<Response> post_pairs(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const PairsRequest request, pairs_request(call.request));
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(const TaskInfo task, tasks->add("pairs", collection->name(), [=](TaskContext& context) {
    return find_pairs(*collection, request, context);
  }));
  Response response = json_response(202, task_object(task));
  response.headers.emplace_back("Location", "/v1/tasks/" + task.id);
  return response;
}

}  // namespace akin::api
