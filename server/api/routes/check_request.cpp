#include "server/api/routes/check_request.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "extract/formats/text_encoding.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/metadata.h"

namespace akin::api {

namespace {

constexpr std::size_t kMaxOwnerBytes = 500;

Error wrong_field(std::string_view what, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, std::string(what), std::move(reason), std::move(remedy)};
}

Error too_large(std::string what, std::size_t limit) {
  return Error{Errc::too_large, std::move(what), "more than " + std::to_string(limit) + " bytes",
               "shorten it"};
}

/// Reads the text, or the stored document that is named instead.
Result<void> read_text(Fields& fields, check::CheckRequest& request) {
  AKIN_TRY(const auto text, fields.string("text"));
  AKIN_TRY(const auto id, fields.string("id"));
  AKIN_TRY(const auto collection, fields.string("collection"));
  if (text.has_value() == id.has_value()) {
    return wrong_field("JSON body", text ? "has both 'text' and 'id'" : "has neither 'text' nor 'id'",
                       "give one of the two");
  }
  if (id.has_value() != collection.has_value()) {
    return wrong_field("JSON body", id ? "has 'id' without 'collection'" : "has 'collection' without 'id'",
                       "name a stored document by both fields");
  }
  if (text) request.text = fields.take_string("text");
  if (id) {
    request.id = *id;
    request.collection = *collection;
    if (id->empty()) return wrong_field("field 'id'", "is empty", "give the id of a stored document");
  }
  return {};
}

/// What a filter finds shows the metadata of documents.
Result<void> require_metadata(const Request& request, const check::Policy& policy) {
  if (policy.filter.empty() || may_read(request)) return {};
  return Error{Errc::forbidden, "access key '" + request.grant->key().id + "'",
               "it does not allow reading the metadata of documents, which 'policy.filter' would show",
               "leave the filter out, name a stored policy, or use a key of scope read"};
}

Result<void> read_policy(const Fields& fields, const Call& call, const Parameters& parameters,
                         check::CheckRequest& request) {
  const Json* given = fields.value("policy");
  if (given != nullptr && parameters.text("policy"))
    return wrong_field("field 'policy'", "is in the query too", "give it once");
  if (given != nullptr && given->is_object()) {
    AKIN_TRY(request.policy, check::parse_policy(*given));
    AKIN_CHECK(require_metadata(call.request, request.policy));
    for (const check::TemplateText& entry : request.policy.exclude.templates) {
      if (!entry.collection.empty()) AKIN_CHECK(require_collection(call.request, entry.collection));
    }
    return {};
  }
  if (given != nullptr && !given->is_string()) {
    return wrong_field("field 'policy'", "is neither a string nor an object",
                       "give a policy's name, or the policy itself");
  }
  request.policy_name = given != nullptr
                            ? given->get_ref<const std::string&>()
                            : std::string(parameters.text("policy").value_or(check::kDefaultPolicy));
  AKIN_TRY(request.policy, call.service.policies->get(request.policy_name));
  if (hide_templates(call.request, request.policy) == 0) return {};
  return Error{Errc::forbidden, "policy " + in_quotes(request.policy_name),
               "its templates are documents that the access key does not allow",
               "use a key that allows their collections, or another policy"};
}

/// The collections that are named, else all that the client may search.
Result<std::vector<std::string>> read_collections(const Call& call, const Parameters& parameters) {
  std::vector<std::string> collections;
  if (const auto named = parameters.text("collections")) {
    if (named->empty()) {
      return wrong_field(parameters.what("collections"), "names none",
                         "name collections: separated by commas in the query, or as an array in JSON");
    }
    for (const std::string_view name : split(*named, ',')) {
      AKIN_CHECK(require_collection(call.request, name));
      collections.emplace_back(name);
    }
    return collections;
  }
  AKIN_TRY(collections, allowed_collections(call));
  if (!collections.empty()) return collections;
  return Error{Errc::not_found, "collections", "there are none to search",
               "make one by PUT /v1/collections/NAME, and store documents in it"};
}

/// What is asked of a text.
Result<void> read_choices(const Fields& fields, const Call& call, const Parameters& parameters,
                          AskedCheck& asked) {
  AKIN_TRY(asked.request.collections, read_collections(call, parameters));
  if (!asked.request.id.empty()) AKIN_CHECK(require_collection(call.request, asked.request.collection));
  const auto owner = parameters.text("owner");
  if (owner && owner->empty())
    return wrong_field(parameters.what("owner"), "is empty", "leave it out if there is none");
  asked.request.owner = owner.value_or("");
  asked.title = parameters.text("title").value_or("");
  AKIN_TRY(asked.metadata, parse_json(parameters.text("metadata").value_or("{}")));
  if (!asked.metadata.is_object())
    return wrong_field(parameters.what("metadata"), "is not an object", "give a JSON object");
  for (const auto& [name, most] :
       {std::pair("owner", kMaxOwnerBytes), {"title", kMaxTitleBytes}, {"metadata", kMaxMetadata}}) {
    if (parameters.text(name).value_or("").size() > most) return too_large(parameters.what(name), most);
  }
  asked.key = call.request.grant ? Json(call.request.grant->key().holder()) : Json(nullptr);
  return read_policy(fields, call, parameters, asked.request);
}

/// The body is a text or a file.
Result<AskedCheck> read_body_check(const Call& call, BodyType type) {
  const Parameters& parameters = call.parameters;
  if (call.request.body.empty())
    return wrong_field("request body", "is empty", "send a text, or the whole file");
  AskedCheck asked;
  AKIN_TRY(const Fields none, Fields::read(Json::object(), {}));
  AKIN_CHECK(read_choices(none, call, parameters, asked));
  AKIN_TRY(type, in_encoding(std::move(type), parameters.text("encoding")));
  if (type.kind == BodyKind::file || parameters.text("file_name")) asked.file = std::move(type);
  asked.file_name = parameters.text("file_name").value_or("");
  return asked;
}

/// A check is visible to the key that made it, and to keys of scope review.
bool is_visible(const Request& request, const Json& check) {
  return request.grant == nullptr || request.grant->key().allows(access::Scope::review) ||
         check.value("key", Json()) == Json(request.grant->key().holder());
}

}  // namespace

bool allows_check(const Request& request, const Json& check) {
  const bool is_summary = check.contains("concerns");
  const Json concerns = is_summary ? check.at("concerns") : check::collections_of(check);
  return is_visible(request, check) && std::ranges::all_of(concerns, [&](const Json& name) {
           return require_collection(request, name.get_ref<const std::string&>()).has_value();
         });
}

bool may_read(const Request& request) {
  return request.grant == nullptr || request.grant->key().allows(access::Scope::read);
}

std::size_t hide_templates(const Request& request, check::Policy& policy) {
  return std::erase_if(policy.exclude.templates, [&](const check::TemplateText& entry) {
    return !entry.collection.empty() && require_collection(request, entry.collection).has_error();
  });
}

Result<AskedCheck> read_check_request(const Call& call) {
  AKIN_TRY(const BodyType type, body_type(call.request));
  if (type.kind != BodyKind::json) return read_body_check(call, type);
  AKIN_TRY(JsonBody body, json_with_parameters(call, {"text", "id", "collection", "policy"}));
  AskedCheck asked;
  AKIN_CHECK(read_text(body.fields, asked.request));
  AKIN_CHECK(read_choices(body.fields, call, body.parameters, asked));
  return asked;
}

}  // namespace akin::api
