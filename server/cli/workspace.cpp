#include "server/cli/workspace.h"

#include <string_view>

#include "index/pg/catalog.h"
#include "morph/scheme.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
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

Result<void> check_store(const CommonOptions& options) {
  if (pg::is_database(options.store)) return {};
  return Error{Errc::invalid_argument, "--store", "is not a database's address",
               "give postgres://…, or leave it out for the data folder"};
}

}  // namespace

Result<std::shared_ptr<const Dictionary>> open_dictionary(const CommonOptions& options) {
  DictionaryConfig config;
  config.languages = split_list(options.languages);
  config.supplements = options.supplements;
  config.synonyms = options.synonyms;
  return Dictionary::open(config);
}

Result<std::shared_ptr<const Scheme>> open_scheme(const CommonOptions& options) {
  return make_scheme(options.scheme ? std::string_view(*options.scheme) : kDefaultScheme);
}

Result<std::shared_ptr<Catalog>> open_catalog(const CommonOptions& options, bool create) {
  std::error_code failure;
  if (options.store.empty() && !create && !std::filesystem::exists(options.data, failure)) {
    return Error{Errc::not_found, "data folder '" + ingest::display_name(options.data) + "'",
                 "does not exist",
                 "index something first: akin index PATH, or name another folder with --data"};
  }
  AKIN_TRY(auto dictionary, open_dictionary(options));
  return open_catalog_with(options, std::move(dictionary), create);
}

Result<std::shared_ptr<Catalog>> open_catalog_with(const CommonOptions& options,
                                                   std::shared_ptr<const Dictionary> dictionary,
                                                   bool create) {
  if (options.store.empty()) {
    return Catalog::open(options.data, std::move(dictionary), options.languages, create);
  }
  AKIN_CHECK(check_store(options));
  return pg::open_catalog(options.store, std::move(dictionary), options.languages, create);
}

Result<std::shared_ptr<state::State>> open_state(const CommonOptions& options) {
  if (options.store.empty()) return state::State::open(options.data);
  AKIN_CHECK(check_store(options));
  return state::State::open_database(options.store);
}

Result<OpenCollection> open_collection(const CommonOptions& options) {
  AKIN_TRY(auto catalog, open_catalog(options, false));
  AKIN_TRY(auto collection, catalog->get(options.collection));
  AKIN_CHECK(check_scheme(options, *collection));
  return OpenCollection{std::move(catalog), std::move(collection)};
}

Result<OpenCollection> open_or_create_collection(const CommonOptions& options, bool store_text) {
  AKIN_TRY(const auto scheme, open_scheme(options));
  AKIN_TRY(auto catalog, open_catalog(options, true));
  auto collection = catalog->create(options.collection, scheme->name(), store_text);
  if (collection.has_error() && collection.error().code == Errc::already_exists) {
    collection = catalog->get(options.collection);
  }
  if (collection.has_error()) return std::move(collection).error();
  AKIN_CHECK(check_scheme(options, **collection));
  if (!store_text) {
    AKIN_TRY(const StoreIdentity identity, catalog->identity(options.collection));
    if (identity.store_text) {
      return Error{Errc::mismatch, "collection '" + options.collection + "'", "it was made to keep its texts",
                   "leave --no-text out, or name another collection"};
    }
  }
  return OpenCollection{std::move(catalog), std::move(*collection)};
}

}  // namespace akin::cli
