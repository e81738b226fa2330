// From the common flags to what a command works on: dictionary, scheme, collection.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "extract/filter.h"
#include "extract/ocr_options.h"
#include "index/collection/catalog.h"
#include "server/state/state.h"

namespace akin::cli {

/// Flags that every command takes.
struct CommonOptions {
  std::filesystem::path data = "./akin-data";
  std::string store;                  ///< where collections are: a database, or, if empty, the data folder
  std::vector<std::string> store_of;  ///< "NAME=ADDRESS": where single collections are instead
  std::string collection = "default";
  std::optional<std::string> scheme;  ///< empty: the collection's own, or the default for a new one
  std::string languages = "ru,en";    ///< comma-separated
  // Whether the command line itself gives --lang, --supplement, --synonyms.
  bool gives_languages = false, gives_supplements = false, gives_synonyms = false;
  std::vector<std::filesystem::path> supplements;
  std::vector<std::string> synonyms;  ///< languages or files (DictionaryConfig::synonyms)
  bool json = false;
  extract::OcrOptions ocr;
  std::vector<extract::Filter> filters;
  CatalogOptions catalog;  ///< set by single commands
};

/// Whether the places, the scheme and the collection's name can be used, as far as that shows without opening
/// anything. Error: invalid_argument.
[[nodiscard]] Result<void> check_common(const CommonOptions& options);

/// Error: not_found, if collections are in a data folder and it does not exist.
[[nodiscard]] Result<void> check_data_folder(const CommonOptions& options);

[[nodiscard]] Result<std::shared_ptr<const Dictionary>> open_dictionary(const CommonOptions& options);
/// The same, opened when they are first needed: a collection that keeps its dictionaries needs no others.
[[nodiscard]] std::shared_ptr<Dictionaries> open_dictionaries(const CommonOptions& options);

/// The scheme of `--scheme`, or kComparisonScheme: for commands that need no collection.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> open_scheme(const CommonOptions& options);

/// Opens the collections' stores, creates them if `create`, and drops what has expired (drop_expired).
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog(const CommonOptions& options, bool create);
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog(const CommonOptions& options, bool create,
                                                            std::shared_ptr<Dictionaries> dictionaries);
/// The same, but drops nothing: for a process that has the state open.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog_with(const CommonOptions& options,
                                                                 std::shared_ptr<Dictionaries> dictionaries,
                                                                 bool create);

/// Opens the state that servers keep in addition to the collections, in the same place; creates what is
/// missing.
[[nodiscard]] Result<std::shared_ptr<state::State>> open_state(const CommonOptions& options);

/// The same where a data folder exists already: what only looks, or changes what is there, makes none. Error
/// also: not_found.
[[nodiscard]] Result<std::shared_ptr<state::State>> open_known_state(const CommonOptions& options);

/// As open_state, but null if the data folder has no state.
[[nodiscard]] Result<std::shared_ptr<state::State>> find_state(const CommonOptions& options);

/// The error of a collection that is missing, with those that there are as its remedy; any other as it is.
/// `flag` is the one that named the collection.
[[nodiscard]] Error with_collections(Error error, const Catalog& catalog,
                                     std::string_view flag = "--collection");
template <class Value>
[[nodiscard]] Result<Value> with_collections(Result<Value> outcome, const Catalog& catalog,
                                             std::string_view flag = "--collection") {
  if (outcome.has_error()) return with_collections(std::move(outcome).error(), catalog, flag);
  return outcome;
}

/// Drops collections that have expired, with their watches, gates, groups and labels, as far as no other
/// process uses them. Requires that this process does not have the state open.
[[nodiscard]] Result<void> drop_expired(const CommonOptions& options, Catalog& catalog);

/// A collection with its catalog, which must outlive the collection's writes: they follow a reindex by
/// another process.
struct OpenCollection {
  std::shared_ptr<Catalog> catalog;
  std::shared_ptr<Collection> collection;

  Collection* operator->() const noexcept { return collection.get(); }
  Collection& operator*() const noexcept { return *collection; }
};

/// An explicit --scheme, --lang, --supplement or --synonyms must be what the collection was built with.
/// Error: mismatch, which names both.
[[nodiscard]] Result<void> check_flags(const CommonOptions& options, Dictionaries& dictionaries,
                                       const Collection& collection);

/// The collection named by the flags. Error: not_found, which names the collections that there are.
[[nodiscard]] Result<std::shared_ptr<Collection>> collection_of(const CommonOptions& options,
                                                                Catalog& catalog);

/// The collection named by the flags, which must exist, with the scheme and the dictionaries that it was
/// built with. Errors: not_found; those of check_flags.
[[nodiscard]] Result<OpenCollection> open_collection(const CommonOptions& options);

/// What a collection keeps beside its index.
struct Originals {
  bool texts = true;
  bool files = false;
};

/// The same, but creates the data folder and the collection if they are missing; a new collection keeps these
/// originals. Error also: mismatch (it exists, and keeps texts that it is not to keep, or no files).
[[nodiscard]] Result<OpenCollection> open_or_create_collection(const CommonOptions& options,
                                                               const Originals& originals);

}  // namespace akin::cli
