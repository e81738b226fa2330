#include "cli/frame/workspace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "cli/frame/owner.h"
#include "index/collection/collection_name.h"
#include "index/collection/routed_catalog.h"
#include "index/open_catalog.h"
#include "morph/schemes/scheme.h"
#include "server/ingest/input.h"
#include "server/run/collection_life.h"
#include "server/state/lived_time.h"

namespace akin::cli {

namespace {

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> items;
  for (const std::string_view item : split(list, ',')) {
    if (!trimmed(item).empty()) items.emplace_back(trimmed(item));
  }
  return items;
}

/// An explicit --scheme must be the one the collection was built with.
Result<void> check_scheme(const CommonOptions& options, const Collection& collection) {
  if (!options.scheme) return {};
  AKIN_TRY(const auto wanted, make_scheme(*options.scheme));
  const std::string built_with = collection.scheme().name();
  if (wanted->name() == built_with) return {};
  return Error{Errc::mismatch, "collection '" + collection.name() + "'",
               "built with the scheme " + built_with + ", not " + wanted->name(),
               "leave --scheme out, or rebuild it: akin reindex --collection " + collection.name() +
                   " --scheme '" + wanted->name() + "'"};
}

/// An explicit --lang, --supplement or --synonyms must be what the collection was built with; the files may
/// have changed since.
Result<void> check_dictionaries(const CommonOptions& options, Dictionaries& dictionaries,
                                const Collection& collection) {
  if (!options.gives_languages && !options.gives_supplements && !options.gives_synonyms) return {};
  AKIN_TRY(const auto configured, dictionaries.for_store(collection.identity()));
  if (!is_outdated(collection.identity(), dictionaries)) return {};
  const auto refuse = [&](std::string what, const std::string& flag, const std::string& value) {
    return Error{Errc::mismatch, "collection '" + collection.name() + "'", std::move(what),
                 "leave " + flag + " out, or rebuild it: akin reindex --collection " + collection.name() +
                     " " + flag + " " + value};
  };
  const std::string& built_with = collection.identity().languages;
  if (options.gives_languages && !same_languages(options.languages, built_with)) {
    return refuse("built with the languages " + built_with + ", not " + options.languages, "--lang",
                  options.languages);
  }
  const DictionaryStats& own = collection.dictionary().stats();
  for (const std::filesystem::path& file : options.supplements) {
    const bool known = std::ranges::any_of(own.sources, [&](const DictionarySource& source) {
      return std::ranges::find(source.supplements, file) != source.supplements.end();
    });
    if (options.gives_supplements && !known)
      return refuse("built without the supplement " + file.string(), "--supplement", file.string());
  }
  for (const std::filesystem::path& file : configured->stats().synonyms.files) {
    const bool known = std::ranges::find(own.synonyms.files, file) != own.synonyms.files.end();
    if (options.gives_synonyms && collection.scheme().joins_synonyms() && !known)
      return refuse("built without the synonyms " + file.string(), "--synonyms", file.string());
  }
  return {};
}

Result<void> check_store(const CommonOptions& options) {
  if (is_database(options.store) || is_cluster(options.store)) return {};
  return Error{Errc::invalid_argument, "--store", "is not the address of a database or a cluster",
               "give postgres://… or opensearch+https://…, or leave it out for the data folder"};
}

/// Whether the state is in the data folder: a cluster keeps collections only.
bool has_state_in_folder(const CommonOptions& options) {
  return options.store.empty() || is_cluster(options.store);
}

/// The addresses of --store-of, by collections' names.
Result<std::map<std::string, std::string>> routes_of(const CommonOptions& options) {
  std::map<std::string, std::string> routes;
  for (const std::string& route : options.store_of) {
    const std::size_t equals = route.find('=');
    const std::string name = route.substr(0, equals);
    const std::string address = equals == std::string::npos ? "" : route.substr(equals + 1);
    if (!is_collection_name(name) || !(is_database(address) || is_cluster(address))) {
      return Error{Errc::invalid_argument, "--store-of", "is not NAME=postgres://…",
                   "give a collection's name and the address of a database or a cluster"};
    }
    const auto [known, added] = routes.emplace(name, address);
    if (!added && known->second != address) {
      return Error{Errc::invalid_argument, "--store-of", "sends collection '" + name + "' to two places",
                   "name each once"};
    }
  }
  return routes;
}

/// The options for one collection alone: if it has a store of its own, that one is the store.
Result<CommonOptions> options_of_collection(const CommonOptions& options) {
  AKIN_TRY(const auto routes, routes_of(options));
  CommonOptions own = options;
  own.store_of.clear();
  if (const auto route = routes.find(options.collection); route != routes.end()) own.store = route->second;
  return own;
}

/// The time by which collections expire. A database has a clock of its own, which must agree
/// (Catalog::drop_expired).
Result<Time> lived_time_of(const CommonOptions& options) {
  const state::ClockReading reading = state::ClockReading::now();
  if (!has_state_in_folder(options)) return reading.wall;
  AKIN_TRY(const auto state, find_state(options));
  return state == nullptr ? Result<Time>(reading.wall) : state::lived_time(*state, reading);
}

/// Drops what has expired; `common` gives the place of the state that knows the time, `options_of` gives the
/// place of the state that has a collection's watches, gate, groups and labels.
Result<void> drop_with_state(Catalog& catalog, const CommonOptions& common,
                             const std::function<const CommonOptions&(const std::string&)>& options_of) {
  const auto dropped = catalog.drop_expired([&] { return lived_time_of(common); });
  if (dropped.has_error()) return {};  // the next opening, or a server, tries again
  for (const std::string& name : *dropped) {
    AKIN_TRY(const auto state, find_state(options_of(name)));
    if (state != nullptr) AKIN_CHECK(api::forget_collection(state, name));
  }
  return {};
}

/// The store of all collections that have none of their own.
Result<std::shared_ptr<Catalog>> open_common_store(const CommonOptions& options,
                                                   std::shared_ptr<Dictionaries> dictionaries, bool create) {
  if (!options.store.empty()) AKIN_CHECK(check_store(options));
  return akin::open_catalog(options.store.empty() ? options.data.string() : options.store,
                            std::move(dictionaries), create, options.catalog);
}

}  // namespace

Result<void> check_data_folder(const CommonOptions& options) {
  std::error_code failure;
  if (!options.store.empty() || std::filesystem::exists(options.data, failure)) return {};
  return Error{Errc::not_found, "data folder '" + ingest::display_name(options.data) + "'", "does not exist",
               "index something first: akin index PATH, or name another folder with --data"};
}

Result<void> check_common(const CommonOptions& options) {
  if (!options.store.empty()) AKIN_CHECK(check_store(options));
  AKIN_CHECK(routes_of(options));
  AKIN_CHECK(open_scheme(options));
  return check_collection_name(options.collection);
}

Result<std::shared_ptr<const Dictionary>> open_dictionary(const CommonOptions& options) {
  DictionaryConfig config;
  config.languages = split_list(options.languages);
  config.supplements = options.supplements;
  config.synonyms = options.synonyms;
  return Dictionary::open(config);
}

std::shared_ptr<Dictionaries> open_dictionaries(const CommonOptions& options) {
  const auto open = [options](const std::string& languages) {
    CommonOptions own = options;
    own.languages = languages;
    return open_dictionary(own);
  };
  return std::make_shared<Dictionaries>(
      open, options.languages,
      options.gives_languages ? Dictionaries::Rebuild::configured : Dictionaries::Rebuild::own);
}

Result<std::shared_ptr<const Scheme>> open_scheme(const CommonOptions& options) {
  return make_scheme(options.scheme ? std::string_view(*options.scheme) : kComparisonScheme);
}

namespace {

Result<std::shared_ptr<Catalog>> open_undropped(const CommonOptions& options,
                                                std::shared_ptr<Dictionaries> dictionaries, bool create) {
  const Result<void> there = check_data_folder(options);
  if (there.has_error() && !create) return there.error();
  // Missing dictionaries must not leave an empty data folder.
  if (there.has_error()) AKIN_CHECK(dictionaries->configured());
  return open_catalog_with(options, std::move(dictionaries), create);
}

/// The catalog of one collection (options_of_collection). What is stored about that collection is in the
/// common state, about others in the state of their store.
Result<std::shared_ptr<Catalog>> open_own_catalog(const CommonOptions& options,
                                                  std::shared_ptr<Dictionaries> dictionaries, bool create) {
  AKIN_TRY(const CommonOptions own, options_of_collection(options));
  AKIN_TRY(auto catalog, open_undropped(own, std::move(dictionaries), create));
  AKIN_CHECK(drop_with_state(*catalog, options, [&](const std::string& name) -> const CommonOptions& {
    return name == options.collection ? options : own;
  }));
  return catalog;
}

}  // namespace

Result<std::shared_ptr<Catalog>> open_catalog(const CommonOptions& options, bool create) {
  return open_catalog(options, create, open_dictionaries(options));
}

Result<std::shared_ptr<Catalog>> open_catalog(const CommonOptions& options, bool create,
                                              std::shared_ptr<Dictionaries> dictionaries) {
  AKIN_TRY(auto catalog, open_undropped(options, std::move(dictionaries), create));
  AKIN_CHECK(drop_expired(options, *catalog));
  return catalog;
}

Result<std::shared_ptr<Catalog>> open_catalog_with(const CommonOptions& options,
                                                   std::shared_ptr<Dictionaries> dictionaries, bool create) {
  if (create) AKIN_CHECK(check_owner(options));
  AKIN_TRY(const auto addresses, routes_of(options));
  std::map<std::string, Route> routes;  // by address
  for (const auto& [name, address] : addresses) {
    Route& route = routes[address];
    route.names.push_back(name);
    if (route.catalog != nullptr) continue;
    AKIN_TRY(route.catalog, akin::open_catalog(address, dictionaries, create, options.catalog));
  }
  AKIN_TRY(auto others, open_common_store(options, std::move(dictionaries), create));
  if (addresses.empty()) return others;
  std::vector<Route> all;
  all.reserve(routes.size());
  for (auto& [address, route] : routes) all.push_back(std::move(route));
  return route_collections(std::move(others), all);
}

Result<std::shared_ptr<state::State>> open_state(const CommonOptions& options) {
  if (has_state_in_folder(options)) {
    std::error_code failure;
    if (!std::filesystem::exists(options.data / "state", failure)) AKIN_CHECK(check_owner(options));
    return state::State::open(options.data);
  }
  AKIN_CHECK(check_store(options));
  return state::State::open_database(options.store);
}

Result<std::shared_ptr<state::State>> open_known_state(const CommonOptions& options) {
  AKIN_CHECK(check_data_folder(options));
  return open_state(options);
}

Result<std::shared_ptr<state::State>> find_state(const CommonOptions& options) {
  std::error_code failure;
  if (has_state_in_folder(options) && !std::filesystem::exists(options.data / "state", failure))
    return std::shared_ptr<state::State>();
  return open_state(options);
}

Result<void> drop_expired(const CommonOptions& options, Catalog& catalog) {
  return drop_with_state(catalog, options,
                         [&](const std::string&) -> const CommonOptions& { return options; });
}

Result<void> check_flags(const CommonOptions& options, Dictionaries& dictionaries,
                         const Collection& collection) {
  AKIN_CHECK(check_scheme(options, collection));
  return check_dictionaries(options, dictionaries, collection);
}

Error with_collections(Error error, const Catalog& catalog, std::string_view flag) {
  constexpr std::size_t kNamed = 10;
  if (error.code != Errc::not_found || !error.what.starts_with("collection")) return error;
  const auto names = catalog.list();
  if (names.has_error()) return error;
  std::string list;
  for (std::size_t i = 0; i < names->size() && i < kNamed; ++i) list += (i == 0 ? "" : ", ") + (*names)[i];
  constexpr std::string_view kBefore = "collection '";
  std::string_view name = std::string_view(error.what).substr(std::min(kBefore.size(), error.what.size()));
  name = name.substr(0, name.find('\''));
  const std::string create = is_collection_name(name)
                                 ? "akin index PATH --collection " + std::string(name) + " creates it"
                                 : kCollectionNameRule;
  const std::string named =
      std::string(flag) + " names one of: " + list + (names->size() > kNamed ? ", …; " : "; ");
  error.remedy = names->empty() ? create : named + create;
  return error;
}

Result<std::shared_ptr<Collection>> collection_of(const CommonOptions& options, Catalog& catalog) {
  auto collection = catalog.get(options.collection);
  if (collection.has_error()) return with_collections(std::move(collection).error(), catalog);
  return collection;
}

Result<OpenCollection> open_collection(const CommonOptions& options) {
  const auto dictionaries = open_dictionaries(options);
  AKIN_TRY(auto catalog, open_own_catalog(options, dictionaries, false));
  AKIN_TRY(auto collection, collection_of(options, *catalog));
  AKIN_CHECK(check_flags(options, *dictionaries, *collection));
  return OpenCollection{std::move(catalog), std::move(collection)};
}

Result<OpenCollection> open_or_create_collection(const CommonOptions& options, const Originals& originals) {
  AKIN_TRY(const auto scheme,
           make_scheme(options.scheme ? std::string_view(*options.scheme) : kDefaultScheme));
  const auto dictionaries = open_dictionaries(options);
  AKIN_TRY(auto catalog, open_own_catalog(options, dictionaries, true));
  // An existing collection needs no configured dictionaries.
  auto collection = catalog->get(options.collection);
  if (collection.has_error() && collection.error().code == Errc::not_found) {
    AKIN_TRY(const auto state, find_state(options));
    collection = api::make_collection(*catalog, state,
                                      {options.collection, scheme->name(), originals.texts, originals.files});
    if (collection.has_error() && collection.error().code == Errc::already_exists)
      collection = catalog->get(options.collection);
  }
  if (collection.has_error()) return std::move(collection).error();
  AKIN_CHECK(check_flags(options, *dictionaries, **collection));
  const StoreIdentity& identity = (*collection)->identity();
  if (!originals.texts && identity.store_text) {
    return Error{Errc::mismatch, "collection '" + options.collection + "'",
                 "it was created to keep its texts", "leave --no-text out, or name another collection"};
  }
  if (originals.files && !identity.store_file) {
    return Error{Errc::mismatch, "collection '" + options.collection + "'", "it was created to keep no files",
                 "leave --store-file out, or name another collection"};
  }
  return OpenCollection{std::move(catalog), std::move(*collection)};
}

}  // namespace akin::cli
