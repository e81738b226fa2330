#include "server/api/routes/check_request.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "extract/formats/text_encoding.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/metadata.h"
#include "server/api/read/parameters.h"

namespace akin::api {

namespace {

constexpr std::size_t kMaxOwnerBytes = 500;

Error wrong_field(std::string_view what, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, std::string(what), std::move(reason), std::move(remedy)};
}

Error too_large(std::string_view field, std::size_t limit) {
  return Error{Errc::too_large, "field " + in_quotes(field), "more than " + std::to_string(limit) + " bytes",
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

Result<void> read_policy(const Fields& fields, const Call& call, check::CheckRequest& request) {
  const Json* given = fields.value("policy");
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
  request.policy_name = given == nullptr ? std::string(check::kDefaultPolicy) : given->get<std::string>();
  AKIN_TRY(request.policy, call.service.policies->get(request.policy_name));
  if (hide_templates(call.request, request.policy) == 0) return {};
  return Error{Errc::forbidden, "policy " + in_quotes(request.policy_name),
               "its templates are documents that the access key does not allow",
               "use a key that allows their collections, or another policy"};
}

Result<std::string> owner_field(const Fields& fields) {
  AKIN_TRY(const auto owner, fields.string("owner"));
  if (!owner) return std::string();
  if (owner->empty()) return wrong_field("field 'owner'", "is empty", "leave it out if there is none");
  if (owner->size() > kMaxOwnerBytes) return too_large("owner", kMaxOwnerBytes);
  return std::string(*owner);
}

/// What is asked of a text, besides its metadata.
Result<void> read_choices(Fields& fields, const Call& call, AskedCheck& asked) {
  AKIN_TRY(auto collections, fields.strings("collections"));
  if (!collections) {
    return wrong_field("field 'collections'", "is missing", "give an array with the names of collections");
  }
  asked.request.collections = *std::move(collections);
  for (const std::string& name : asked.request.collections)
    AKIN_CHECK(require_collection(call.request, name));
  if (!asked.request.id.empty()) AKIN_CHECK(require_collection(call.request, asked.request.collection));
  AKIN_TRY(asked.request.owner, owner_field(fields));
  AKIN_TRY(asked.title, title_field(fields));
  asked.key = call.request.grant ? Json(call.request.grant->key().holder()) : Json(nullptr);
  return read_policy(fields, call, asked.request);
}

/// The fields of a JSON body that the parameters stand for.
Result<Fields> fields_of(const Parameters& parameters) {
  Json object;
  object["collections"] = Json::array();
  const auto names = parameters.text("collections");
  if (!names) {
    return wrong_field(parameters.what("collections"), "is missing", "name collections, separated by commas");
  }
  for (const std::string_view name : split(*names, ',')) object["collections"].push_back(name);
  for (const char* name : {"policy", "owner", "title"}) {
    if (const auto value = parameters.text(name)) object[name] = *value;
  }
  if (const auto metadata = parameters.text("metadata")) {
    AKIN_TRY(object["metadata"], parse_json(*metadata));
  }
  return Fields::read(std::move(object), {"collections", "policy", "owner", "title", "metadata"});
}

/// The body is a text or a file; the parameters say what the fields of a JSON body say.
Result<AskedCheck> read_body_check(const Call& call, BodyType type) {
  AKIN_TRY(const Parameters parameters,
           Parameters::read(
               call.query, {"collections", "policy", "owner", "title", "metadata", "file_name", "encoding"}));
  AKIN_TRY(Fields fields, fields_of(parameters));
  if (call.request.body.empty())
    return wrong_field("request body", "is empty", "send a text, or the whole file");
  AskedCheck asked;
  AKIN_CHECK(read_choices(fields, call, asked));
  AKIN_TRY(asked.metadata, metadata_field(fields));
  AKIN_TRY(type, in_encoding(std::move(type), parameters.text("encoding")));
  if (type.kind == BodyKind::file || parameters.text("file_name")) asked.file = std::move(type);
  asked.file_name = parameters.text("file_name").value_or("");
  return asked;
}

/// The collections that a check searched, and those of the stored document that it checked and of its
/// templates.
std::vector<std::string> collections_of(const Json& check) {
  auto names = check.at("collections").get<std::vector<std::string>>();
  const Json& query = check.at("query");
  if (query.contains("collection")) names.push_back(query.at("collection").get<std::string>());
  for (const Json& entry : check.at("policy").at("exclude").at("templates")) {
    if (entry.contains("collection")) names.push_back(entry.at("collection").get<std::string>());
  }
  return names;
}

/// A check is visible to the key that made it, and to keys of scope review.
bool is_visible(const Request& request, const Json& check) {
  return request.grant == nullptr || request.grant->key().allows(access::Scope::review) ||
         check.value("key", Json()) == Json(request.grant->key().holder());
}

}  // namespace

bool allows_check(const Request& request, const Json& check) {
  return is_visible(request, check) &&
         std::ranges::all_of(collections_of(check), [&](const std::string& name) {
           return require_collection(request, name).has_value();
         });
}

bool may_read(const Request& request) {
  return request.grant == nullptr || request.grant->key().allows(access::Scope::read);
}

Result<Json> metadata_field(const Fields& fields) {
  AKIN_TRY(const std::string metadata, fields.object("metadata"));
  if (metadata.size() > kMaxMetadata) return too_large("metadata", kMaxMetadata);
  if (metadata.empty()) return Json::object();
  return *fields.value("metadata");
}

Result<std::string> title_field(const Fields& fields) {
  AKIN_TRY(const auto title, fields.string("title"));
  if (title && title->size() > kMaxTitleBytes) return too_large("title", kMaxTitleBytes);
  return std::string(title.value_or(""));
}

std::size_t hide_templates(const Request& request, check::Policy& policy) {
  return std::erase_if(policy.exclude.templates, [&](const check::TemplateText& entry) {
    return !entry.collection.empty() && require_collection(request, entry.collection).has_error();
  });
}

Result<AskedCheck> read_check_request(const Call& call) {
  AKIN_TRY(const BodyType type, body_type(call.request));
  if (type.kind != BodyKind::json) return read_body_check(call, type);
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(Fields fields, json_body(call.request, {"collections", "text", "id", "collection", "policy",
                                                   "owner", "title", "metadata"}));
  AskedCheck asked;
  AKIN_CHECK(read_text(fields, asked.request));
  AKIN_CHECK(read_choices(fields, call, asked));
  AKIN_TRY(asked.metadata, metadata_field(fields));
  return asked;
}

}  // namespace akin::api
