#include "server/watch/watches.h"

#include <optional>
#include <string>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/json/quoted.h"
#include "server/run/shown_texts.h"
#include "server/search/tier_options.h"

namespace akin::api {

namespace {

constexpr std::uint64_t kDefaultBound = 3;
constexpr std::size_t kMaxDescription = 4096;

Error no_watch(const Call& call) {
  return Error{Errc::not_found,
               "watch " + in_quotes(call.captures[1]) + " in collection " + in_quotes(call.captures[0]),
               "does not exist", "GET /v1/collections/" + call.captures[0] + "/watches lists its watches"};
}

struct Source {
  std::string text;
  std::string document;
};

/// The text itself, or that of a stored document. With both, the document is the place of the text, which may
/// not be stored yet.
Result<Source> source_of(const Service& service, const Collection& collection, const Fields& fields) {
  AKIN_TRY(const auto text, fields.string("text"));
  AKIN_TRY(const auto id, fields.string("id"));
  if (!text && !id)
    return Error{Errc::invalid_argument, "JSON body", "has neither 'text' nor 'id'", "give one of the two"};
  if (id) AKIN_CHECK(check_document_id(*id));
  if (text) return Source{std::string(*text), std::string(id.value_or(""))};
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const auto record, snapshot->find(*id));
  if (!record) return no_document(collection, *id);
  AKIN_TRY(const bool hidden, hides_text(service.state.get(), collection.name(), *record));
  if (hidden) return restricted_text(collection.name(), *id);
  AKIN_TRY(std::string stored, snapshot->text(*record));
  return Source{std::move(stored), std::string(*id)};
}

Result<std::optional<watch::Webhook>> webhook_of(const Fields& fields) {
  if (!fields.has("webhook") || fields.is_null("webhook")) return std::optional<watch::Webhook>();
  AKIN_TRY(const std::string object, fields.object("webhook"));
  AKIN_TRY(Json value, parse_json(object));
  AKIN_TRY(const Fields webhook, Fields::read(std::move(value), {"url", "secret"}));
  AKIN_TRY(const auto url, webhook.required_string("url"));
  AKIN_TRY(const auto secret, webhook.string("secret"));
  return std::optional(watch::Webhook{std::string(url), std::string(secret.value_or(""))});
}

Result<watch::Since> since_of(const Fields& fields) {
  AKIN_TRY(const auto since, fields.string("since"));
  if (!since || *since == "now") return watch::Since::now;
  if (*since == "beginning") return watch::Since::beginning;
  return Error{Errc::invalid_argument, "field 'since'", in_quotes(*since) + " is not a starting point",
               "give 'now' or 'beginning'"};
}

Result<watch::WatchRequest> watch_request(const Call& call, const Collection& collection) {
  if (!collection.scheme().has_containment()) {
    return Error{Errc::unsupported, "collection " + in_quotes(collection.name()),
                 "its scheme " + collection.scheme().name() + " has no containment, which events report",
                 "watch a collection with another scheme"};
  }
  AKIN_TRY(const Fields fields, json_body(call.request, {"text", "id", "bound", "min_containment", "filter",
                                                         "webhook", "enabled", "description", "since"}));
  AKIN_TRY(Source source, source_of(call.service, collection, fields));
  AKIN_TRY(const auto bound, fields.integer("bound", kMaxBound));
  AKIN_TRY(const auto share, fields.share("min_containment"));
  AKIN_TRY(const auto filter, fields.string("filter"));
  AKIN_TRY(const auto enabled, fields.boolean("enabled"));
  AKIN_TRY(const auto description, fields.string("description"));
  if (description && description->size() > kMaxDescription) {
    return Error{Errc::too_large, "field 'description'",
                 "is over the limit of " + std::to_string(kMaxDescription) + " bytes", "shorten it"};
  }
  watch::WatchRequest request;
  request.collection = call.captures[0];
  request.name = call.captures[1];
  request.text = std::move(source.text);
  request.document = std::move(source.document);
  request.reuse = !bound && !share && finds_reuse(collection.scheme());
  request.bound = bound.value_or(kDefaultBound);
  request.min_containment = share.value_or(request.reuse ? kReuseContainment : 0.0);
  request.filter = filter.value_or("");
  AKIN_TRY(request.webhook, webhook_of(fields));
  request.enabled = enabled.value_or(true);
  request.description = description.value_or("");
  AKIN_TRY(request.since, since_of(fields));
  return request;
}

}  // namespace

Result<std::shared_ptr<watch::Watches>> watches_of(const Service& service) {
  if (service.watches != nullptr) return service.watches;
  return Error{Errc::not_found, "watches", "they are disabled on this server",
               "use a server that akin serve started"};
}

Result<Response> list_watches(const Call& call) {
  const std::uint64_t limit = *call.parameters.integer("limit");
  const std::string_view after = call.parameters.key_of_cursor();
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_CHECK(open_collection(call));
  const std::string& collection = call.captures[0];
  AKIN_TRY(const watch::Progress progress, watches->journal().progress(collection));
  AKIN_TRY(auto found, watches->journal().list_watches(collection, after, limit + 1));
  const bool more = found.size() > limit;
  if (more) found.pop_back();
  Json list = Json::array();
  for (const watch::Watch& entry : found) list.push_back(watch::watch_object(entry));
  const auto trouble = watches->trouble(collection);
  Json object;
  object["total"] = progress.watches;
  object["watches"] = std::move(list);
  object["next"] = more ? Json(cursor_after(found.back().name)) : Json(nullptr);
  object["trouble"] = trouble ? error_object(*trouble) : Json(nullptr);
  return json_response(200, object);
}

Result<Response> get_watch(const Call& call) {
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_CHECK(open_collection(call));
  const std::string& collection = call.captures[0];
  const std::string& name = call.captures[1];
  AKIN_TRY(const auto found, watches->journal().find_watch(collection, name));
  if (!found) return no_watch(call);
  Json object = watch::watch_object(*found);
  if (call.parameters.lists("include", "text")) {
    const Json source = {{"collection", collection}, {"id", found->document}};
    if (!found->document.empty() && hides_text_of(*call.service.catalog, call.service.state.get(), source))
      return restricted_text(collection, found->document);
    AKIN_TRY(std::string text, watches->journal().text(collection, name));
    object["text"] = std::move(text);
  }
  return json_response(200, object);
}

Result<Response> put_watch(const Call& call) {
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const watch::WatchRequest request, watch_request(call, *collection));
  AKIN_TRY(const auto stored, watches->put(request));
  return json_response(stored.replaced ? 200 : 201, watch::watch_object(stored.watch));
}

Result<Response> delete_watch(const Call& call) {
  AKIN_TRY(const auto watches, watches_of(call.service));
  AKIN_CHECK(open_collection(call));
  AKIN_TRY(const bool removed, watches->remove(call.captures[0], call.captures[1]));
  if (!removed) return no_watch(call);
  return json_response(200, {{"name", call.captures[1]}, {"deleted", true}});
}

}  // namespace akin::api
