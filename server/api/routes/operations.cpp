// Work on whole collections, each as a task.
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "index/collection/collection_name.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/audit/audit_log.h"

namespace akin::api {

Result<Response> reindex_collection(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {}));
  const auto given = body.parameters.text("scheme");
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

Result<Response> compact_collection(const Call& call) {
  AKIN_CHECK(json_with_parameters(call, {}));
  AKIN_TRY(const auto collection, open_collection(call));
  return start_task(call, "compact", collection->name(), Json::object());
}

Result<Response> back_up(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {}));
  const std::string_view name = body.parameters.text("name").value_or("");
  // A backup's name becomes a folder's name, so the rule for names of collections applies.
  if (!is_collection_name(name)) {
    return Error{Errc::invalid_argument, body.parameters.what("name"),
                 in_quotes(name) + " is not a valid name for a backup", kCollectionNameRule};
  }
  const std::string_view collections = body.parameters.text("collections").value_or("");
  if (collections.empty()) AKIN_CHECK(require_collection(call.request, ""));
  Json parameters;
  parameters["name"] = name;
  parameters["collections"] = Json::array();
  if (!collections.empty()) {
    for (const std::string_view collection : split(collections, ',')) {
      AKIN_CHECK(require_collection(call.request, collection));
      AKIN_CHECK(call.service.catalog->identity(collection));
      parameters["collections"].push_back(collection);
    }
  }
  const audit::Event event{.by = actor_of(call.request),
                           .action = "backup.made",
                           .about = std::string(name),
                           .details = {{"collections", parameters.at("collections")}}};
  std::optional<Response> started;
  AKIN_CHECK(audit::record_and_do(log_of(call.service), event, [&]() -> Result<void> {
    AKIN_TRY(started, start_task(call, "backup", "", std::move(parameters)));
    return {};
  }));
  return *std::move(started);
}

}  // namespace akin::api
