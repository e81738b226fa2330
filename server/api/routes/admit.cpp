#include <string>
#include <utility>

#include "base/held_memory.h"
#include "base/time.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/file_source.h"
#include "server/api/read/metadata.h"
#include "server/api/routes/check_request.h"
#include "server/api/write/gate_objects.h"
#include "server/audit/audit_log.h"

namespace akin::api {

namespace {

/// Where to store a checked text, and with which id, title and metadata.
struct AdmissionRequest {
  std::string collection, id, title, metadata;
  bool replace = false;
};

/// Records the owner in the document's metadata, so that checks of the owner's later texts can exclude the
/// document.
Json with_owner(Json metadata, const Json& owner) {
  if (owner.is_string() && !metadata.contains("owner")) metadata["owner"] = owner;
  return metadata;
}

Error too_large(std::string_view field, std::size_t limit) {
  return Error{Errc::too_large, "field " + in_quotes(field), "more than " + std::to_string(limit) + " bytes",
               "shorten it"};
}

Result<AdmissionRequest> read_admission(const Request& request, const Json& check) {
  AKIN_TRY(const Fields fields, json_body(request, {"collection", "id", "title", "metadata", "replace"}));
  AdmissionRequest admission;
  AKIN_TRY(admission.collection, fields.required_string("collection"));
  AKIN_TRY(admission.id, fields.required_string("id"));
  AKIN_TRY(const auto title, fields.string("title"));
  admission.title = title.value_or(check.at("title").get_ref<const std::string&>());
  if (admission.title.size() > kMaxTitleBytes) return too_large("title", kMaxTitleBytes);
  AKIN_TRY(const std::string given, fields.object("metadata"));
  if (given.size() > kMaxMetadata) return too_large("metadata", kMaxMetadata);
  Json metadata = given.empty() ? check.at("metadata") : *fields.value("metadata");
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
Result<Precondition> place_for(const Collection& collection, const SourceDocument& document, bool replace) {
  if (replace) return Precondition();
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const auto record, snapshot->find(document.id));
  if (!record) return Precondition{Precondition::Kind::absent, {}};
  const auto stored = snapshot->text(*record);
  if (stored.has_value() && *stored == document.text) {
    return Precondition{Precondition::Kind::revision_in, {record->revision}};
  }
  return conflict("document " + in_quotes(document.id) + " in collection " + in_quotes(collection.name()),
                  "exists with another text", "choose another id, or allow it with 'replace': true");
}

/// Stores the document, through the gate if the collection has one.
Result<void> store(const Call& call, Collection& collection, const SourceDocument& document, bool replace) {
  if (call.service.gates != nullptr) {
    AKIN_TRY(const auto gate, call.service.gates->get(collection.name()));
    if (gate) {
      AKIN_TRY(const gate::Admission outcome, call.service.gates->admit(collection, document));
      if (outcome.decision != gate::Decision::refused) return {};
      AKIN_CHECK(
          call.service.gates->refusals().keep(collection.name(), {admission_object(document.id, outcome)}));
      const std::string nearest =
          outcome.nearest.empty() ? "" : " of " + in_quotes(outcome.nearest.front().hit.document.id);
      return conflict("document " + in_quotes(document.id),
                      "the gate of collection " + in_quotes(collection.name()) +
                          " refuses it: " + std::string(reason_name(*outcome.reason)) + nearest,
                      "store it in another collection, or change the gate");
    }
  }
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * document.text.size()));
  AKIN_TRY(const Precondition place, place_for(collection, document, replace));
  AKIN_CHECK(collection.put(document, place));
  return {};
}

/// The file as it was handed in, read as a PUT of the same bytes reads it; nothing if the check keeps none.
Result<std::optional<StoredFile>> kept_file(const check::Checks& checks, const Json& check) {
  if (check.at("original").is_null()) return std::optional<StoredFile>();
  AKIN_TRY(StoredFile file, checks.original(check));
  return std::optional(std::move(file));
}

Result<void> store_admitted(const Call& call, Collection& collection, const check::Checks& checks,
                            const Json& check, const AdmissionRequest& admission) {
  AKIN_TRY(auto file, kept_file(checks, check));
  if (!file) {
    AKIN_TRY(const std::string text, checks.text(check.at("id").get_ref<const std::string&>()));
    return store(call, collection, {admission.id, admission.title, admission.metadata, text},
                 admission.replace);
  }
  const std::string sent_as = check.at("original").value("sent_as", file->media_type);
  Request body;
  body.content_type = sent_as.substr(0, sent_as.find(';'));
  body.body = std::move(file->bytes);
  body.client = call.request.client;
  const BodyType type{content_type_of(sent_as), BodyKind::file};
  const GivenOfFile given{
      .id = admission.id,
      .title = admission.title,
      .metadata = admission.metadata,
      .file_name = file->name.empty() ? std::nullopt : std::optional<std::string_view>(file->name)};
  AKIN_TRY(const FileSource source,
           read_file_source(call.service, body, type, given, collection.keeps_files()));
  return store(call, collection, source.document(body.body), admission.replace);
}

Response admission_response(int status, std::string_view id, const Json& admitted) {
  return json_response(status, {{"id", id}, {"admitted", admitted}});
}

}  // namespace

Result<Response> admit_check(const Call& call) {
  AKIN_TRY(const auto checks, checks_of(call.service));
  const std::string& id = call.captures.front();
  AKIN_TRY([[maybe_unused]] const auto alone, checks->lock_admission(id));
  AKIN_TRY(const Json check, allowed_check(call, *checks));
  AKIN_TRY(const AdmissionRequest admission, read_admission(call.request, check));
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
  const audit::Event event{.by = actor_of(call.request),
                           .action = "document.admitted",
                           .about = collection->name() + "/" + admission.id,
                           .details = {{"check", id}}};
  Json admitted;
  const auto stored = audit::record_and_do(log_of(call.service), event, [&]() -> Result<void> {
    AKIN_CHECK(store_admitted(call, *collection, *checks, check, admission));
    if (call.service.watches) call.service.watches->notify();
    admitted = {
        {"collection", admission.collection}, {"id", admission.id}, {"time", format_time(time_now())}};
    AKIN_CHECK(checks->set_admitted(id, admitted));
    return {};
  });
  AKIN_CHECK(stored);
  return admission_response(201, id, admitted);
}

}  // namespace akin::api
