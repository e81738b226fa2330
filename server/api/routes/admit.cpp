#include <string>
#include <utility>

#include "base/time.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/parameters.h"
#include "server/api/routes/check_request.h"

namespace akin::api {

namespace {

/// Where to store a checked text, and with which id, title and metadata.
struct Admission {
  std::string collection, id, title, metadata;
  bool replace = false;
};

/// Records the owner in the document's metadata, so that checks of the owner's later texts can exclude the
/// document.
Json with_owner(Json metadata, const Json& owner) {
  if (owner.is_string() && !metadata.contains("owner")) metadata["owner"] = owner;
  return metadata;
}

Result<Admission> read_admission(const Request& request, const Json& check) {
  AKIN_TRY(const Fields fields, json_body(request, {"collection", "id", "title", "metadata", "replace"}));
  Admission admission;
  AKIN_TRY(admission.collection, fields.required_string("collection"));
  AKIN_TRY(admission.id, fields.required_string("id"));
  AKIN_TRY(admission.title, title_field(fields));
  if (!fields.has("title")) admission.title = check.at("title").get<std::string>();
  AKIN_TRY(Json metadata, metadata_field(fields));
  if (!fields.has("metadata")) metadata = check.at("metadata");
  metadata = with_owner(std::move(metadata), check.at("owner"));
  admission.metadata = metadata.empty() ? "" : metadata.dump();
  AKIN_TRY(const auto replace, fields.boolean("replace"));
  admission.replace = replace.value_or(false);
  return admission;
}

Error conflict(std::string what, std::string reason, std::string remedy) {
  return Error{Errc::already_exists, std::move(what), std::move(reason), std::move(remedy)};
}

/// The precondition for storing the text. A document that already has exactly this text comes from an
/// admission that was interrupted before it was recorded in the check.
Result<Precondition> place_for(const Collection& collection, const Admission& admission,
                               std::string_view text) {
  if (admission.replace) return Precondition();
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const auto record, snapshot->find(admission.id));
  if (!record) return Precondition{Precondition::Kind::absent, {}};
  const auto stored = snapshot->text(*record);
  if (stored.has_value() && *stored == text) {
    return Precondition{Precondition::Kind::revision_in, {record->revision}};
  }
  return conflict("document " + in_quotes(admission.id) + " in collection " + in_quotes(collection.name()),
                  "exists with another text", "choose another id, or allow it with 'replace': true");
}

Response admission_response(int status, std::string_view id, const Json& admitted) {
  return json_response(status, {{"id", id}, {"admitted", admitted}});
}

}  // namespace

Result<Response> admit_check(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY([[maybe_unused]] const auto alone, checks->lock_admission(id));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  AKIN_TRY(const Admission admission, read_admission(call.request, check));
  if (const Json& before = check.at("admitted"); !before.is_null()) {
    if (before.at("collection") == admission.collection && before.at("id") == admission.id) {
      return admission_response(200, id, before);
    }
    return conflict("check " + in_quotes(id),
                    "was admitted as " + in_quotes(before.at("id").get<std::string>()) + " in " +
                        in_quotes(before.at("collection").get<std::string>()),
                    "check the text again to store it a second time");
  }
  AKIN_TRY(const auto collection, open_collection(call, admission.collection));
  AKIN_TRY(const std::string text, checks->text(id));
  AKIN_TRY(const Precondition place, place_for(*collection, admission, text));
  AKIN_CHECK(collection->put({admission.id, admission.title, admission.metadata, text}, place));
  const Json admitted = {
      {"collection", admission.collection}, {"id", admission.id}, {"time", format_time(time_now())}};
  AKIN_CHECK(checks->set_admitted(id, admitted));
  return admission_response(201, id, admitted);
}

}  // namespace akin::api
