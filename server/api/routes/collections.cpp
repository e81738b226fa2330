#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/parallel.h"
#include "base/time.h"
#include "index/collection/collection_name.h"
#include "server/access/restrictions.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/page.h"
#include "server/json/quoted.h"
#include "server/run/collection_life.h"
#include "server/run/shown_texts.h"
#include "server/search/most_common.h"

namespace akin::api {

namespace {

/// The catalog reports that a collection is missing; the remedy depends on the caller.
Error with_remedy(Error error) {
  if (error.code == Errc::not_found && error.remedy.empty()) {
    error.remedy = "GET /v1/collections lists the collections, PUT makes one";
  }
  return error;
}

/// Adds "restricted", if the collection is.
Result<void> add_restricted(Json& object, const Service& service, const std::string& name) {
  AKIN_TRY(const bool restricted, access::is_restricted(service.state.get(), name));
  if (restricted) object["restricted"] = true;
  return {};
}

/// `common`: how many of the most common features are listed; 0 = no list.
Result<Json> described(const Service& service, const Collection& collection, std::size_t common = 0) {
  AKIN_TRY(const auto expires, service.catalog->expiry(collection.name()));
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const StoreStats stats, snapshot->stats());
  const StoreIdentity& identity = collection.identity();
  Json object = collection_object(collection.name(), identity, stats, expires,
                                  fingerprint_with(identity, *service.dictionaries));
  AKIN_CHECK(add_restricted(object, service, collection.name()));
  if (const auto scrub = service.catalog->last_scrub(collection.name()))
    object["scrub"] = scrub_object(*scrub);
  if (common == 0) return object;
  AKIN_TRY(std::vector<MostCommon> list, most_common_in(collection, *snapshot, common));
  for (MostCommon& one : list) {
    AKIN_TRY(const auto record, snapshot->find(one.common.example));
    AKIN_TRY(const bool hidden,
             record ? hides_text(service.state.get(), collection.name(), *record) : Result<bool>(true));
    if (hidden) one.text.reset();
  }
  object["most_common"] = most_common_array(list);
  return object;
}

/// The settings in a PUT.
struct Wanted {
  std::string scheme;  ///< in its canonical spelling
  bool store_text = true, store_file = false;
  std::string languages = {};  ///< empty: not given
  bool sets_expiry = false;
  std::optional<Time> expires;  ///< nullopt: permanent
  std::optional<bool> restricted = {};
};

/// Codes of languages, not paths: the client is elsewhere. Error: invalid_argument, also if a dictionary is
/// not installed.
Result<void> read_languages(const Service& service, const Fields& fields, Wanted& wanted) {
  AKIN_TRY(const auto given, fields.string("languages"));
  if (!given) return {};
  const auto is_code = [](std::string_view one) {
    return !one.empty() && std::ranges::all_of(one, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    });
  };
  if (!std::ranges::all_of(split(*given, ','), is_code)) {
    return Error{Errc::invalid_argument, "field 'languages'",
                 in_quotes(*given) + " is not a list of languages",
                 "give codes separated by commas, as in de,en"};
  }
  wanted.languages = *given;
  const auto opened = service.dictionaries->of(wanted.languages);
  if (opened.has_value()) return {};
  return Error{Errc::invalid_argument, "field 'languages'", opened.error().what + " " + opened.error().reason,
               opened.error().remedy};
}

/// Longest life of a temporary collection, in seconds: ten years.
constexpr std::uint64_t kLongestLife = std::uint64_t{3650} * 24 * 3600;

Result<void> read_life(const Fields& fields, Wanted& wanted) {
  wanted.sets_expiry = fields.has("ttl");
  if (!wanted.sets_expiry || fields.is_null("ttl")) return {};
  AKIN_TRY(const auto seconds, fields.integer("ttl", kLongestLife));
  if (*seconds == 0) {
    return Error{Errc::invalid_argument, "field 'ttl'", "must be at least 1",
                 "give seconds, or null for a permanent collection"};
  }
  wanted.expires = time_now() + std::chrono::seconds(*seconds);
  return {};
}

Result<Wanted> wanted_collection(const Call& call) {
  std::string spec(kDefaultScheme);
  Wanted wanted;
  if (!call.request.body.empty()) {
    AKIN_TRY(const Fields fields, json_body(call.request, {"scheme", "store_text", "store_file", "languages",
                                                           "ttl", "restricted"}));
    AKIN_TRY(const auto given, fields.string("scheme"));
    if (given) spec = *given;
    AKIN_TRY(const auto store_text, fields.boolean("store_text"));
    wanted.store_text = store_text.value_or(true);
    AKIN_TRY(const auto store_file, fields.boolean("store_file"));
    wanted.store_file = store_file.value_or(false);
    AKIN_CHECK(read_languages(call.service, fields, wanted));
    AKIN_TRY(wanted.restricted, fields.boolean("restricted"));
    AKIN_CHECK(read_life(fields, wanted));
  }
  AKIN_TRY(const auto scheme, make_scheme(spec));
  wanted.scheme = scheme->name();
  return wanted;
}

Result<void> restrict_as(const Call& call, const std::string& name, const Wanted& wanted) {
  if (!wanted.restricted) return {};
  if (call.service.state != nullptr)
    return access::restrict_collection(*call.service.state, name, *wanted.restricted, actor_of(call.request));
  return Error{Errc::unsupported, "field 'restricted'", "this server keeps no state",
               "use a server that akin serve started"};
}

std::string in_words(const Wanted& wanted) {
  return "the scheme " + in_quotes(wanted.scheme) + (wanted.store_text ? ", texts" : ", no texts") +
         (wanted.store_file ? " and files" : " and no files") +
         (wanted.languages.empty() ? "" : ", and the languages " + wanted.languages);
}

}  // namespace

Result<void> require_collection(const Request& request, std::string_view name) {
  if (request.grant == nullptr || request.grant->key().allows_collection(name)) return {};
  return Error{Errc::forbidden, "access key '" + request.grant->key().id + "'",
               "it does not allow collection " + in_quotes(name), "use a key that does"};
}

Result<std::vector<std::string>> allowed_collections(const Call& call) {
  AKIN_TRY(auto names, call.service.catalog->list());
  std::erase_if(names,
                [&](const std::string& name) { return require_collection(call.request, name).has_error(); });
  return names;
}

Result<void> require_all_collections(const Request& request, std::string_view what) {
  if (request.grant == nullptr || request.grant->key().spec.collections.empty()) return {};
  return Error{Errc::forbidden, "access key '" + request.grant->key().id + "'",
               "it is limited to some collections, and " + std::string(what) + " are for all",
               "use a key without collections"};
}

Result<void> check_collection_name(const Call& call, std::string_view name) {
  AKIN_CHECK(require_collection(call.request, name));
  if (is_collection_name(name)) return {};
  return Error{Errc::invalid_argument, "collection " + in_quotes(name), "not a collection's name",
               kCollectionNameRule};
}

Result<std::string> collection_name(const Call& call) {
  AKIN_CHECK(check_collection_name(call, call.captures.front()));
  return call.captures.front();
}

Result<std::shared_ptr<Collection>> open_collection(const Call& call, std::string_view name) {
  AKIN_CHECK(check_collection_name(call, name));
  auto collection = call.service.catalog->get(name);
  if (collection.has_error()) return with_remedy(std::move(collection).error());
  return collection;
}

Result<std::shared_ptr<Collection>> open_collection(const Call& call) {
  return open_collection(call, call.captures.front());
}

Result<std::shared_ptr<Collection>> collection_in(const Call& call, const Parameters& parameters) {
  const auto name = parameters.text("collection");
  return name ? open_collection(call, *name) : std::shared_ptr<Collection>();
}

Result<std::shared_ptr<const Dictionary>> dictionary_of(const Call& call, const Collection* collection) {
  return collection ? collection->shared_dictionary() : call.service.dictionaries->configured();
}

Result<Response> list_collections(const Call& call) {
  const std::string_view prefix = call.parameters.text("prefix").value_or("");
  Catalog& catalog = *call.service.catalog;
  AKIN_TRY(auto names, allowed_collections(call));
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(prefix); });
  const std::size_t total = names.size();
  Json next = take_page(names, call.parameters, std::identity());
  std::vector<Result<CollectionSummary>> summaries(names.size(), CollectionSummary());
  for_each_index(names.size(), [&](std::size_t i) { summaries[i] = catalog.describe(names[i]); });
  std::map<std::pair<std::string, std::string>, std::optional<std::string>> fingerprints;
  const auto fingerprint_of = [&](const StoreIdentity& identity) -> const std::optional<std::string>& {
    const auto [known, is_new] = fingerprints.try_emplace({identity.scheme, identity.languages});
    if (is_new) known->second = fingerprint_with(identity, *call.service.dictionaries);
    return known->second;
  };
  Json collections = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (summaries[i].has_value()) {
      const CollectionSummary& summary = *summaries[i];
      Json object = collection_object(names[i], summary.identity, summary.stats, summary.expires,
                                      fingerprint_of(summary.identity));
      AKIN_CHECK(add_restricted(object, call.service, names[i]));
      collections.push_back(std::move(object));
    } else if (summaries[i].error().code != Errc::not_found) {  // a collection dropped meanwhile is omitted
      collections.push_back({{"name", names[i]}, {"error", error_object(summaries[i].error())}});
    }
  }
  Json object;
  object["total"] = total;
  object["collections"] = std::move(collections);
  object["next"] = std::move(next);
  return json_response(200, object);
}

Result<Response> get_collection(const Call& call) {
  const std::uint64_t common = call.parameters.integer("common").value_or(0);
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const Json object, described(call.service, *collection, common));
  return json_response(200, object);
}

Result<Response> put_collection(const Call& call) {
  AKIN_TRY(const std::string name, collection_name(call));
  AKIN_TRY(const Wanted wanted, wanted_collection(call));
  Catalog& catalog = *call.service.catalog;
  auto created =
      make_collection(catalog, call.service.state,
                      {name, wanted.scheme, wanted.store_text, wanted.store_file, wanted.languages});
  if (created.has_value()) {
    AKIN_CHECK(restrict_as(call, name, wanted));
    if (wanted.expires) AKIN_CHECK(catalog.set_expiry(name, wanted.expires));
    AKIN_TRY(const Json object, described(call.service, **created));
    return json_response(201, object);
  }
  if (created.error().code != Errc::already_exists) return std::move(created).error();
  AKIN_TRY(const StoreIdentity identity, catalog.identity(name));
  const bool other_languages =
      !wanted.languages.empty() && !same_languages(identity.languages, wanted.languages);
  if (other_languages || identity.scheme != wanted.scheme || identity.store_text != wanted.store_text ||
      identity.store_file != wanted.store_file) {
    return Error{Errc::already_exists, "collection " + in_quotes(name),
                 "exists with " +
                     in_words({identity.scheme,
                               identity.store_text,
                               identity.store_file,
                               other_languages ? identity.languages : "",
                               false,
                               {},
                               {}}) +
                     ", not with " + in_words(wanted),
                 "choose another name, or delete the collection first"};
  }
  AKIN_CHECK(restrict_as(call, name, wanted));
  if (wanted.sets_expiry) AKIN_CHECK(catalog.set_expiry(name, wanted.expires));
  AKIN_TRY(const auto collection, catalog.get(name));
  AKIN_TRY(const Json object, described(call.service, *collection));
  return json_response(200, object);
}

Result<Response> delete_collection(const Call& call) {
  AKIN_TRY(const std::string name, collection_name(call));
  const auto removed =
      remove_collection(*call.service.catalog, call.service.state, name, actor_of(call.request));
  if (removed.has_error()) return with_remedy(removed.error());
  return json_response(200, {{"name", name}, {"deleted", true}});
}

}  // namespace akin::api
