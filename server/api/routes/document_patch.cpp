// PATCH of a document: its title and metadata, by a JSON merge patch (RFC 7396).
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/held_memory.h"
#include "server/access/restrictions.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/conditions.h"
#include "server/api/read/metadata.h"
#include "server/json/quoted.h"
#include "server/run/shown_texts.h"

namespace akin::api {

namespace {

/// Of a patch without If-Match, as long as other writes of the document come between reading and storing.
constexpr int kAttempts = 8;

struct Description {
  std::string title, metadata;
};

Result<Json> read_patch(const Request& request) {
  const bool is_patch = content_type_of(request.content_type).media == "application/merge-patch+json";
  AKIN_TRY(Json patch, is_patch ? parse_json(request.body) : json_value(request));
  if (patch.is_object() && patch.contains("text")) {
    return Error{Errc::invalid_argument, "field 'text'", "a patch cannot change the text",
                 "PUT the whole document"};
  }
  AKIN_CHECK(Fields::read(patch, {"title", "metadata"}));
  return patch;
}

/// What the patch makes of a document's title and metadata.
Result<Description> patched(const DocumentRecord& record, const Json& patch) {
  Json described = document_object(record);
  Json target = {{"title", described.at("title")}, {"metadata", described.at("metadata")}};
  target.merge_patch(patch);
  AKIN_TRY(const Fields fields, Fields::read(std::move(target), {"title", "metadata"}));
  Description description;
  AKIN_TRY(const auto title, fields.string("title"));
  description.title = title.value_or("");
  AKIN_TRY(description.metadata, read_metadata(fields));
  if (description.metadata == "{}") description.metadata.clear();
  return description;
}

/// Stores the document again with another description, unless it has changed since the snapshot.
Result<void> store_again(Collection& collection, const Snapshot& snapshot, const StoredDocument& record,
                         const Description& description) {
  if (!collection.keeps_texts()) {
    return Error{Errc::unsupported, "collection " + in_quotes(collection.name()),
                 "it keeps no texts, so its documents cannot be stored again with another title",
                 "PUT the whole document"};
  }
  AKIN_TRY(const std::string text, snapshot.text(record));
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * text.size()));
  std::optional<StoredFile> file;
  if (record.file && record.file->kept_bytes > 0) {
    AKIN_TRY(file, snapshot.file(record));
  }
  SourceDocument document{.id = record.id,
                          .title = description.title,
                          .metadata = description.metadata,
                          .text = text,
                          .file = record.file,
                          .places = record.places};
  if (file) document.original = FileView{file->name, file->media_type, file->bytes};
  AKIN_CHECK(collection.put(document, Precondition{Precondition::Kind::revision_in, {record.revision}}));
  return {};
}

/// The text stays as it is, so only an administrator may take its mark away.
Result<void> require_release(const Call& call, const DocumentRecord& record, const Description& wanted) {
  const bool was = access::says_restricted(record.metadata), is = access::says_restricted(wanted.metadata);
  if (was == is) return {};
  if (is || may(call, access::Scope::admin))
    return api::record(call, is ? "document.restricted" : "document.released",
                       call.captures[0] + "/" + record.id);
  return restricted_text(call.captures[0], record.id);
}

Response described(const DocumentRecord& record) {
  Response response = json_response(200, document_object(record));
  response.headers.emplace_back("ETag", entity_tag(record.revision));
  return response;
}

}  // namespace

Result<Response> patch_document(const Call& call) {
  AKIN_TRY(const Precondition condition, write_condition(call.request));
  AKIN_TRY(const Json patch, read_patch(call.request));
  const std::string& id = call.captures[1];
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    AKIN_TRY(const auto collection, open_collection(call));
    AKIN_TRY(const auto snapshot, collection->snapshot());
    AKIN_TRY(const auto record, snapshot->find(id));
    if (!record) return no_document(*collection, id);
    if (!condition.holds_for(record->revision)) {
      return Error{Errc::precondition_failed, "document " + in_quotes(id),
                   "the stored version does not meet the condition", "read what is there, then decide"};
    }
    AKIN_TRY(const Description description, patched(*record, patch));
    if (description.title == record->title && description.metadata == record->metadata)
      return described(*record);
    AKIN_CHECK(require_release(call, *record, description));
    const Result<void> stored = store_again(*collection, *snapshot, *record, description);
    if (stored.has_error() && stored.error().code == Errc::precondition_failed) continue;
    AKIN_CHECK(stored);
    if (call.service.watches) call.service.watches->notify();
    AKIN_TRY(const auto now, collection->snapshot());
    AKIN_TRY(const auto changed, now->find(id));
    if (!changed) return no_document(*collection, id);
    return described(*changed);
  }
  return Error{Errc::busy, "document " + in_quotes(id), "other clients change it all the time",
               "try again in a moment"};
}

}  // namespace akin::api
