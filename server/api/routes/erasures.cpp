// Erasing documents and persons from everything that is stored, while the server runs.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/collection/collection_name.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/run/erasure.h"
#include "server/run/hand_ins.h"
#include "server/state/rewrite_state.h"

namespace akin::api {

namespace {

/// Cancels what was handed in of this owner's texts, which may be at work.
Result<void> withdraw_all(const Service& service, const std::string& owner) {
  if (service.hand_ins == nullptr) return {};
  AKIN_TRY(const std::vector<tasks::TaskInfo> all, service.hand_ins->list());
  for (const tasks::TaskInfo& task : all) {
    if (task.parameters.value("owner", Json()) != Json(owner)) continue;
    const auto withdrawn = withdraw(service, task);
    if (withdrawn.has_error() && withdrawn.error().code != Errc::not_found) return withdrawn.error();
  }
  return {};
}

/// The id of the task that compacts the collection, so that its free pages go; null if there is none.
Result<Json> compaction_of(const Call& call, const std::string& collection) {
  if (call.service.tasks == nullptr || call.service.catalog->get(collection).has_error()) return Json();
  AKIN_TRY(const tasks::TaskInfo task,
           call.service.tasks->add("compact", collection, Json::object(), call.request.client));
  return Json(task.id);
}

Error wrong_body(std::string reason) {
  return Error{Errc::invalid_argument, "JSON body", std::move(reason),
               "give 'person', or 'collection' and 'id' of a document"};
}

}  // namespace

Result<Response> erase(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "erasures"));
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(const Fields fields, json_body(call.request, {"collection", "id", "person"}));
  AKIN_TRY(const auto person, fields.string("person"));
  AKIN_TRY(const auto collection, fields.string("collection"));
  AKIN_TRY(const auto id, fields.string("id"));
  if (collection.has_value() != id.has_value()) return wrong_body("names a document by one field only");
  if (person.has_value() == id.has_value())
    return wrong_body(person ? "names a person and a document" : "names nothing");
  const state::Actor by = actor_of(call.request);
  Erased erased;
  Json task;
  if (person) {
    const std::string owner(*person);
    AKIN_CHECK(withdraw_all(call.service, owner));
    AKIN_TRY(erased, erase_person(call.service.state, owner, by));
  } else {
    const std::string name(*collection);
    if (!is_collection_name(name)) {
      return Error{Errc::invalid_argument, "field 'collection'",
                   in_quotes(name) + " is not a collection's name", kCollectionNameRule};
    }
    AKIN_TRY(erased, erase_document(*call.service.catalog, call.service.state, name, std::string(*id), by));
    AKIN_TRY(task, compaction_of(call, name));
  }
  if (!call.service.data.empty()) AKIN_CHECK(state::mark_to_rewrite(call.service.data));
  Json object = erased_object(erased);
  object["task"] = std::move(task);
  return json_response(200, object);
}

Result<Response> search_erased(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "the files of the server"));
  if (call.service.data.empty()) {
    return Error{Errc::unsupported, "data folder", "the files are those of a database",
                 "search those of its server after VACUUM FULL"};
  }
  AKIN_TRY(const Fields fields, json_body(call.request, {"texts"}));
  AKIN_TRY(const auto texts, fields.strings("texts"));
  AKIN_TRY(const Json found, find_in_files(call.service.data, texts.value_or(std::vector<std::string>())));
  AKIN_CHECK(record(call, "files.searched", found.at("found").dump()));
  return json_response(200, found);
}

}  // namespace akin::api
