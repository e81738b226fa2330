#include "server/api/read/document_line.h"

#include <string>
#include <utility>

#include "base/rfc3339.h"
#include "server/api/read/body.h"
#include "server/api/read/metadata.h"
#include "server/ingest/places.h"
#include "server/json/quoted.h"

namespace akin::api {

Result<OwnedDocument> read_document_line(std::string_view line) {
  AKIN_TRY(Json value, parse_json(line));
  AKIN_TRY(Fields fields,
           Fields::read(std::move(value), {"id", "text", "title", "metadata", "stored", "places", "delete"}));
  OwnedDocument document;
  AKIN_TRY(document.id, fields.required_string("id"));
  AKIN_TRY(const auto remove, fields.boolean("delete"));
  document.remove = remove.value_or(false);
  if (document.remove) {
    for (const std::string_view name : {"text", "title", "metadata", "stored", "places"}) {
      if (!fields.has(name)) continue;
      return Error{Errc::invalid_argument, "field " + in_quotes(name), "given together with 'delete'",
                   "leave it out"};
    }
    return document;
  }
  AKIN_CHECK(fields.required_string("text"));
  document.text = fields.take_string("text");
  AKIN_TRY(const auto title, fields.string("title"));
  document.title = title.value_or("");
  AKIN_TRY(document.metadata, read_metadata(fields));
  AKIN_TRY(const auto stored, fields.string("stored"));
  if (stored && !parse_rfc3339(*stored)) {
    return Error{Errc::invalid_argument, "field 'stored'", "not a time in RFC 3339 format", "leave it out"};
  }
  if (const Json* places = fields.value("places"); places != nullptr) {
    AKIN_TRY(document.places, ingest::read_places(*places));
  }
  return document;
}

}  // namespace akin::api
