#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/held_memory.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/conditions.h"
#include "server/api/read/file_source.h"
#include "server/api/read/form.h"
#include "server/api/read/metadata.h"
#include "server/api/read/parameters.h"
#include "server/api/write/file_object.h"
#include "server/filter/filter.h"

namespace akin::api {

namespace {

struct DocumentPage {
  std::vector<StoredDocument> records;
  std::uint64_t total = 0;  ///< of all pages
};

Result<DocumentPage> all(const Snapshot& snapshot, std::string_view after, std::size_t wanted) {
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  AKIN_TRY(std::vector<StoredDocument> records, snapshot.list(after, wanted));
  return DocumentPage{std::move(records), stats.documents};
}

/// Reads every record, because the total must be exact.
Result<DocumentPage> matching(const Snapshot& snapshot, const filter::Filter& filter, std::string_view after,
                              std::size_t wanted) {
  constexpr std::size_t kTogether = 256;
  DocumentPage page;
  std::string last;
  for (;;) {
    AKIN_TRY(std::vector<StoredDocument> records, snapshot.list(last, kTogether));
    if (records.empty()) return page;
    last = records.back().id;
    for (StoredDocument& record : records) {
      if (!filter.accepts(record)) continue;
      ++page.total;
      if (record.id > after && page.records.size() < wanted) page.records.push_back(std::move(record));
    }
  }
}

Response tagged(Response response, Revision revision) {
  response.headers.emplace_back("ETag", entity_tag(revision));
  return response;
}

/// `file`: what the document was read from, if it was a file.
Result<Response> store(const Call& call, Collection& collection, const SourceDocument& document,
                       const Precondition& condition, const extract::Document* file = nullptr) {
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * document.text.size()));
  TextFindings findings;
  const SourceChange change{.document = document, .condition = condition, .findings = &findings};
  AKIN_TRY(const WriteResults results, collection.write({&change, 1}, WriteMode::all));
  const PutResult& result = *results.front();
  if (call.service.watches) call.service.watches->notify();
  Json object;
  object["id"] = document.id;
  object["replaced"] = result.replaced;
  const bool described = file != nullptr && is_described(*file);
  add_stored(object, result.revision, findings, described ? file_object(*file) : nullptr);
  return tagged(json_response(result.replaced ? 200 : 201, object), result.revision);
}

Result<Response> store_file(const Call& call, Collection& collection, const BodyType& type,
                            const Parameters& given, const Precondition& condition) {
  AKIN_TRY(const FileSource source, read_file_source(call.service, call.request, type,
                                                     {.id = call.captures[1],
                                                      .title = given.text("title"),
                                                      .metadata = given.text("metadata").value_or(""),
                                                      .file_name = given.text("file_name")},
                                                     collection.keeps_files()));
  return store(call, collection, source.document(call.request.body), condition, &source.file);
}

Result<Response> store_text(const Call& call, Collection& collection, const Parameters& given,
                            const Precondition& condition) {
  if (given.text("file_name")) {
    return Error{Errc::invalid_argument, given.what("file_name"), "given together with a text",
                 "leave it out, or send the text as a file: 'Content-Type: application/octet-stream'"};
  }
  AKIN_TRY(const std::string metadata, joined_metadata("", given.text("metadata").value_or("")));
  return store(call, collection,
               {.id = call.captures[1],
                .title = given.text("title").value_or(""),
                .metadata = metadata,
                .text = call.request.body},
               condition);
}

Result<Response> store_fields(const Call& call, Collection& collection, const Parameters& given,
                              const Precondition& condition) {
  for (const std::string_view name : {"title", "metadata", "file_name", "encoding"}) {
    if (!given.text(name)) continue;
    return Error{Errc::invalid_argument, given.what(name), "given together with a JSON body",
                 "give the title and the metadata as fields of the JSON"};
  }
  AKIN_TRY(Json value, json_value(call.request));
  if (value.is_object() && value.contains("id")) {
    return Error{Errc::invalid_argument, "field 'id'", "the id is a part of the path",
                 "PUT the document to /v1/collections/" + collection.name() + "/documents/ID"};
  }
  AKIN_TRY(const Fields fields, Fields::read(std::move(value), {"text", "title", "metadata"}));
  AKIN_TRY(const std::string_view text, fields.required_string("text"));
  AKIN_TRY(const auto title, fields.string("title"));
  AKIN_TRY(const std::string metadata, read_metadata(fields));
  return store(call, collection,
               {.id = call.captures[1], .title = title.value_or(""), .metadata = metadata, .text = text},
               condition);
}

/// Stores the document whose id is the second capture. The body is not a form.
Result<Response> store_body(const Call& call) {
  AKIN_TRY(const Parameters given,
           Parameters::read(call.query, {"title", "metadata", "file_name", "encoding"}));
  AKIN_TRY(const Precondition condition, write_condition(call.request));
  AKIN_TRY(BodyType type, body_type(call.request));
  AKIN_TRY(type, in_encoding(std::move(type), given.text("encoding")));
  AKIN_TRY(const auto collection, open_collection(call));
  switch (type.kind) {
    case BodyKind::file:
      return store_file(call, *collection, type, given, condition);
    case BodyKind::text:
      return store_text(call, *collection, given, condition);
    case BodyKind::json:
      return store_fields(call, *collection, given, condition);
  }
  std::abort();
}

}  // namespace

Error no_document(const Collection& collection, std::string_view id) {
  return Error{
      Errc::not_found, "document " + in_quotes(id) + " in collection " + in_quotes(collection.name()),
      "does not exist", "GET /v1/collections/" + collection.name() + "/documents lists its documents"};
}

Result<Response> list_documents(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"cursor", "limit", "filter"}));
  AKIN_TRY(const std::uint64_t limit, parameters.integer("limit", kListLimit));
  AKIN_TRY(const std::string_view after, parameters.key_of_cursor());
  std::optional<filter::Filter> filtered;
  if (const auto text = parameters.text("filter")) {
    AKIN_TRY(filtered, filter::Filter::parse(*text));
  }
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  // One record more than requested shows whether there is a next page.
  const std::size_t wanted = static_cast<std::size_t>(limit) + 1;
  AKIN_TRY(DocumentPage page,
           filtered ? matching(*snapshot, *filtered, after, wanted) : all(*snapshot, after, wanted));
  std::vector<StoredDocument>& records = page.records;
  const bool more = records.size() > limit;
  if (more) records.pop_back();
  Json documents = Json::array();
  for (const DocumentRecord& record : records) documents.push_back(document_object(record));
  Json object;
  object["total"] = page.total;
  object["documents"] = std::move(documents);
  object["next"] = more ? Json(cursor_after(records.back().id)) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_document(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"text"}));
  AKIN_TRY(const bool with_text, parameters.flag("text", true));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  const std::string& id = call.captures[1];
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(*collection, id);
  AKIN_TRY(const Freshness fresh, freshness(call.request, record->revision));
  if (fresh == Freshness::not_changed) return tagged(Response{304, {}, ""}, record->revision);
  if (fresh == Freshness::not_wanted) return other_revision(id, record->revision);
  Json object = document_object(*record);
  if (with_text) {
    AKIN_CHECK(require_shown(call, collection->name(), *record));
    AKIN_TRY(std::string text, snapshot->text(*record));
    object["text"] = std::move(text);
  }
  return tagged(json_response(200, object), record->revision);
}

Result<Response> post_document(const Call& call) {
  Call named{call.service, call.request, call.captures, call.query};
  named.captures.push_back("doc-" + random_token());
  AKIN_TRY(Response response, without_form(named, store_body));
  response.headers.emplace_back("Location",
                                "/v1/collections/" + named.captures[0] + "/documents/" + named.captures[1]);
  return response;
}

Result<Response> put_document(const Call& call) { return without_form(call, store_body); }

Result<Response> delete_document(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto collection, open_collection(call));
  const std::string& id = call.captures[1];
  AKIN_TRY(Precondition condition, write_condition(call.request));
  condition.or_absent = true;  // then the answer is 404
  const SourceChange removal{.document = {.id = id}, .remove = true, .condition = std::move(condition)};
  AKIN_TRY(const WriteResults results, collection->write({&removal, 1}, WriteMode::all));
  if (!results.front()->replaced) return no_document(*collection, id);
  return json_response(200, {{"id", id}, {"deleted", true}});
}

}  // namespace akin::api
