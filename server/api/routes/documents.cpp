#include <algorithm>
#include <cstdlib>
#include <limits>
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
#include "server/api/write/file_object.h"
#include "server/filter/filter.h"
#include "server/judge/collection_feed.h"

namespace akin::api {

namespace {

struct DocumentPage {
  std::vector<StoredDocument> records;
  std::optional<std::uint64_t> total;  ///< of all pages, if it was counted
};

/// Begins the key of a cursor of a list by ids: one of a list by time is a number, which may be an id, too.
constexpr std::string_view kOfIds = "id:";

/// A place in a list of documents, by their ids or by the time at which they were stored.
struct ListPlace {
  bool by_time = false;
  std::string id = {};
  Revision revision = {};

  [[nodiscard]] Result<std::vector<StoredDocument>> next(const Snapshot& snapshot, std::size_t limit) const {
    return by_time ? snapshot.changes(revision, limit) : snapshot.list(id, limit);
  }
  [[nodiscard]] bool is_before(const StoredDocument& record) const {
    return by_time ? revision < record.revision : id < record.id;
  }
  void move_to(const StoredDocument& record) {
    id = record.id;
    revision = record.revision;
  }
  [[nodiscard]] std::string cursor() const {
    return cursor_after(by_time ? std::to_string(revision.value) : std::string(kOfIds) + id);
  }
};

/// What a list is asked for.
struct AskedList {
  std::optional<filter::Filter> filter;
  ListPlace begin, page;
  bool counts = false;

  [[nodiscard]] bool is_whole() const { return !filter && begin.revision == Revision(); }
};

Result<AskedList> asked_list(const Parameters& parameters) {
  AskedList asked;
  if (const auto text = parameters.text("filter")) {
    AKIN_TRY(asked.filter, filter::Filter::parse(*text));
  }
  asked.counts = parameters.flag("total");
  const auto since = parameters.text("since");
  asked.begin.by_time = since || parameters.text("order") == "stored";
  if (since) {
    if (parameters.text("order") == "id") {
      return Error{Errc::invalid_argument, parameters.what("order"),
                   "documents since a time are not listed by id", "leave it out, or leave 'since' out"};
    }
    AKIN_TRY(const Revision first, judge::revision_at(*since, parameters.what("since")));
    asked.begin.revision = Revision(first.value - std::min<std::uint64_t>(first.value, 1));
  }
  asked.page = asked.begin;
  if (!parameters.text("cursor").value_or("").empty()) {
    const std::string_view key = parameters.key_of_cursor();
    if (!asked.page.by_time) {
      if (!key.starts_with(kOfIds)) return no_cursor(parameters);
      asked.page.id = key.substr(kOfIds.size());
    } else {
      AKIN_TRY(const std::uint64_t place,
               parameters.place_of_cursor(std::numeric_limits<std::uint64_t>::max()));
      asked.page.revision = std::max(asked.begin.revision, Revision(place));
    }
  }
  return asked;
}

/// `wanted` documents. Reads every record if those that a filter or a time selects are to be counted.
Result<DocumentPage> read_page(const Snapshot& snapshot, const AskedList& asked, std::size_t wanted) {
  constexpr std::size_t kTogether = 256;
  DocumentPage page;
  const bool counts = asked.counts && !asked.is_whole();
  if (counts) page.total = 0;
  if (asked.is_whole()) {
    AKIN_TRY(const StoreStats stats, snapshot.stats());
    page.total = stats.documents;
  }
  ListPlace place = counts ? asked.begin : asked.page;
  while (counts || page.records.size() < wanted) {
    AKIN_TRY(std::vector<StoredDocument> records,
             place.next(snapshot, asked.filter || counts ? kTogether : wanted));
    if (records.empty()) break;
    place.move_to(records.back());
    for (StoredDocument& record : records) {
      if (asked.filter && !asked.filter->accepts(record)) continue;
      if (counts) ++*page.total;
      if (asked.page.is_before(record) && page.records.size() < wanted)
        page.records.push_back(std::move(record));
    }
  }
  return page;
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

Result<Response> store_text(const Call& call, Collection& collection, std::string_view text,
                            const Parameters& given, const Precondition& condition) {
  AKIN_TRY(const std::string metadata, joined_metadata("", given.text("metadata").value_or("")));
  return store(
      call, collection,
      {.id = call.captures[1], .title = given.text("title").value_or(""), .metadata = metadata, .text = text},
      condition);
}

Result<Response> store_fields(const Call& call, Collection& collection, const Precondition& condition) {
  const auto body = json_with_parameters(call, {"text"});
  if (body.has_error() && body.error().what == "field 'id'") {
    return Error{Errc::invalid_argument, "field 'id'", "the id is a part of the path",
                 "PUT the document to /v1/collections/" + collection.name() + "/documents/ID"};
  }
  AKIN_CHECK(body);
  AKIN_TRY(const std::string_view text, body->fields.required_string("text"));
  return store_text(call, collection, text, body->parameters, condition);
}

/// Stores the document whose id is the second capture. The body is not a form.
Result<Response> store_body(const Call& call) {
  const Parameters& given = call.parameters;
  AKIN_TRY(const Precondition condition, write_condition(call.request));
  AKIN_TRY(BodyType type, body_type(call.request));
  AKIN_TRY(type, in_encoding(std::move(type), given.text("encoding")));
  AKIN_TRY(const auto collection, open_collection(call));
  switch (type.kind) {
    case BodyKind::file:
      return store_file(call, *collection, type, given, condition);
    case BodyKind::text:
      if (given.text("file_name")) {
        return Error{Errc::invalid_argument, given.what("file_name"), "given together with a text",
                     "leave it out, or send the text as a file: 'Content-Type: application/octet-stream'"};
      }
      return store_text(call, *collection, call.request.body, given, condition);
    case BodyKind::json:
      return store_fields(call, *collection, condition);
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
  const std::uint64_t limit = *call.parameters.integer("limit");
  AKIN_TRY(AskedList asked, asked_list(call.parameters));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  // One record more than requested shows whether there is a next page.
  const std::size_t wanted = static_cast<std::size_t>(limit) + 1;
  AKIN_TRY(DocumentPage page, read_page(*snapshot, asked, wanted));
  std::vector<StoredDocument>& records = page.records;
  const bool more = records.size() > limit;
  if (more) records.pop_back();
  Json documents = Json::array();
  for (const DocumentRecord& record : records) documents.push_back(document_object(record));
  Json object;
  object["total"] = page.total ? Json(*page.total) : Json(nullptr);
  object["documents"] = std::move(documents);
  if (more) asked.page.move_to(records.back());
  object["next"] = more ? Json(asked.page.cursor()) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_document(const Call& call) {
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  const std::string& id = call.captures[1];
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(*collection, id);
  AKIN_TRY(const Freshness fresh, freshness(call.request, record->revision));
  if (fresh == Freshness::not_changed) return tagged(Response{304, {}, ""}, record->revision);
  if (fresh == Freshness::not_wanted) return other_revision(id, record->revision);
  Json object = document_object(*record);
  if (call.parameters.lists("include", "text")) {
    AKIN_CHECK(require_shown(call, collection->name(), *record));
    AKIN_TRY(std::string text, snapshot->text(*record));
    object["text"] = std::move(text);
  }
  return tagged(json_response(200, object), record->revision);
}

Result<Response> add_document(const Call& call) {
  Call named = call;
  named.captures.push_back("doc-" + random_token());
  AKIN_TRY(Response response, without_form(named, store_body));
  response.headers.emplace_back("Location",
                                "/v1/collections/" + named.captures[0] + "/documents/" + named.captures[1]);
  return response;
}

Result<Response> put_document(const Call& call) { return without_form(call, store_body); }

Result<Response> delete_document(const Call& call) {
  AKIN_TRY(const auto collection, open_collection(call));
  const std::string& id = call.captures[1];
  AKIN_TRY(Precondition condition, write_condition(call.request));
  condition.or_absent = true;  // then the answer is 404
  const SourceChange removal{.document = {.id = id}, .remove = true, .condition = std::move(condition)};
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(*collection, id);
  const audit::Event deletion{
      .by = actor_of(call.request), .action = "document.deleted", .about = collection->name() + "/" + id};
  AKIN_CHECK(state::remove_for_room(call.service.state.get(), [&] {
    return audit::record_and_do(log_of(call.service), deletion, [&]() -> Result<void> {
      AKIN_TRY(const WriteResults results, collection->write({&removal, 1}, WriteMode::all));
      return results.front()->replaced ? Result<void>() : no_document(*collection, id);
    });
  }));
  return json_response(200, {{"id", id}, {"deleted", true}});
}

}  // namespace akin::api
