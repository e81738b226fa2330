#include <string>
#include <utility>

#include "base/rfc3339.h"
#include "server/api/body.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

/// Less than a collection takes: a page of a list holds up to 1000 of them.
constexpr std::size_t kMaxMetadata = std::size_t{64} << 10U;
constexpr IntegerRange kListLimit{.absent = 100, .min = 1, .max = 1000};

Result<Response> store(const Call& call, Collection& collection, const SourceDocument& document) {
  if (document.metadata.size() > kMaxMetadata) {
    return Error{Errc::too_large, "field 'metadata'",
                 std::to_string(document.metadata.size()) + " bytes are over the limit of " +
                     std::to_string(kMaxMetadata),
                 "shorten it"};
  }
  AKIN_TRY(const FeatureSequence features, collection.analyze(document.text));
  AKIN_TRY(const PutResult result, collection.put(document, features));
  if (call.service.watches) call.service.watches->notify();
  Json object;
  object["id"] = document.id;
  object["replaced"] = result.replaced;
  object["stored"] = format_rfc3339(result.revision);
  object["sentences"] = features.sentences;
  object["features"] = features.hashes.size();
  object["alerts"] = alerts_array(features.alerts);
  return json_response(result.replaced ? 200 : 201, object);
}

}  // namespace

Error no_document(const Collection& collection, std::string_view id) {
  return Error{
      Errc::not_found, "document " + in_quotes(id) + " in collection " + in_quotes(collection.name()),
      "does not exist", "GET /v1/collections/" + collection.name() + "/documents lists those there are"};
}

Result<Response> list_documents(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"after", "limit"}));
  AKIN_TRY(const std::uint64_t limit, parameters.integer("limit", kListLimit));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const StoreStats stats, snapshot->stats());
  // One more than asked for tells whether there is a next page.
  AKIN_TRY(auto records,
           snapshot->list(parameters.text("after").value_or(""), static_cast<std::size_t>(limit) + 1));
  const bool more = records.size() > limit;
  if (more) records.pop_back();
  Json documents = Json::array();
  for (const DocumentRecord& record : records) documents.push_back(document_object(record));
  Json object;
  object["total"] = stats.documents;
  object["documents"] = std::move(documents);
  object["next"] = more ? Json(records.back().id) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_document(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"text"}));
  AKIN_TRY(const bool with_text, parameters.flag("text"));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  const std::string& id = call.captures[1];
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(*collection, id);
  Json object = document_object(*record);
  if (with_text) {
    AKIN_TRY(std::string text, snapshot->text(id));
    object["text"] = std::move(text);
  }
  return json_response(200, object);
}

Result<Response> put_document(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"title"}));
  AKIN_TRY(const BodyType type, body_type(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  const std::string& id = call.captures[1];
  const auto title = parameters.text("title");
  if (type == BodyType::text) {
    return store(call, *collection,
                 {.id = id, .title = title.value_or(""), .metadata = "", .text = call.request.body});
  }
  if (title) {
    return Error{Errc::invalid_argument, "query parameter 'title'", "given beside a JSON body",
                 "give the title as a field of the JSON"};
  }
  AKIN_TRY(const Fields fields, json_body(call.request, {"text", "title", "metadata"}));
  AKIN_TRY(const std::string_view text, fields.required_string("text"));
  AKIN_TRY(const auto json_title, fields.string("title"));
  AKIN_TRY(const std::string metadata, fields.object("metadata"));
  return store(call, *collection, {.id = id, .title = json_title.value_or(""), .metadata = metadata, .text = text});
}

Result<Response> delete_document(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto collection, open_collection(call));
  const std::string& id = call.captures[1];
  AKIN_TRY(const std::uint64_t removed, collection->remove({id}));
  if (removed == 0) return no_document(*collection, id);
  return json_response(200, {{"id", id}, {"deleted", true}});
}

}  // namespace akin::api
