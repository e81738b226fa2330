// Work on whole collections, each as a task.
#include <string>
#include <utility>

#include "index/collection/collection_name.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/parameters.h"

namespace akin::api {

namespace {

/// An empty body means an object without fields.
Result<Fields> optional_fields(const Call& call, std::initializer_list<std::string_view> known) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  if (call.request.body.empty()) return Fields::read(Json::object(), known);
  return json_body(call.request, known);
}

}  // namespace

Result<Response> post_reindex(const Call& call) {
  AKIN_TRY(const Fields fields, optional_fields(call, {"scheme"}));
  AKIN_TRY(const auto given, fields.string("scheme"));
  std::string scheme;
  if (given) {
    AKIN_TRY(const auto known, make_scheme(*given));
    AKIN_TRY(const auto dictionary, call.service.dictionaries->configured());
    AKIN_CHECK(features_fingerprint(*known, *dictionary));
    scheme = known->name();
  }
  // The collection may be one that only a reindex makes readable.
  AKIN_TRY(const std::string name, collection_name(call));
  AKIN_TRY(const StoreIdentity identity, call.service.catalog->identity(name));
  if (!identity.store_text) {
    return Error{Errc::unsupported, "collection " + in_quotes(name),
                 "it keeps no texts, so it cannot be rebuilt from them",
                 "make a new collection and store the originals in it"};
  }
  Json parameters;
  parameters["scheme"] = scheme;
  return start_task(call, "reindex", name, std::move(parameters));
}

Result<Response> post_compact(const Call& call) {
  AKIN_CHECK(optional_fields(call, {}));
  AKIN_TRY(const auto collection, open_collection(call));
  return start_task(call, "compact", collection->name(), Json::object());
}

Result<Response> post_backup(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const Fields fields, json_body(call.request, {"name", "collections"}));
  AKIN_TRY(const std::string_view name, fields.required_string("name"));
  // A backup's name becomes a folder's name, so the rule for names of collections applies.
  if (!is_collection_name(name)) {
    return Error{Errc::invalid_argument, "field 'name'",
                 in_quotes(name) + " is not a valid name for a backup", kCollectionNameRule};
  }
  AKIN_TRY(const auto collections, fields.strings("collections"));
  if (!collections || collections->empty()) AKIN_CHECK(require_collection(call.request, ""));
  Json parameters;
  parameters["name"] = name;
  parameters["collections"] = Json::array();
  for (const std::string& collection : collections.value_or(std::vector<std::string>())) {
    AKIN_CHECK(require_collection(call.request, collection));
    AKIN_CHECK(call.service.catalog->identity(collection));
    parameters["collections"].push_back(collection);
  }
  return start_task(call, "backup", "", std::move(parameters));
}

}  // namespace akin::api
