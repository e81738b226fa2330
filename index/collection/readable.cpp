#include "index/collection/readable.h"

#include <utility>

#include "index/collection/catalog.h"

namespace akin {
namespace {

std::string in_words(std::string_view name) { return "collection '" + std::string(name) + "'"; }

/// `otherwise`: with what a collection can still be read.
std::string remedy_for(std::string_view name, const StoreIdentity& built, std::string_view otherwise) {
  const std::string rebuild = "run `akin reindex --collection " + std::string(name) + "` to rebuild it";
  const std::string index_again =
      "index its originals into a new collection, as it keeps no texts to rebuild it from";
  return (built.store_text ? rebuild : index_again) + ", or use " + std::string(otherwise);
}

Error mismatch(std::string_view name, const StoreIdentity& built, std::string reason) {
  return Error{Errc::mismatch, in_words(name), std::move(reason),
               remedy_for(name, built, "the configuration that it was built with")};
}

}  // namespace

KeptFingerprints fingerprints_of_kept(std::string_view packed) {
  AKIN_TRY(DictionaryFingerprints fingerprints, Dictionary::fingerprints_of_packed(packed));
  return std::optional(std::move(fingerprints));
}

bool fits(const StoreIdentity& built, const Scheme& scheme, const DictionaryFingerprints& dictionaries) {
  const Result<std::string> fingerprint = features_fingerprint(scheme, dictionaries);
  return fingerprint.has_value() && *fingerprint == built.fingerprint;
}

Result<std::shared_ptr<const Scheme>> scheme_of(std::string_view name, const StoreIdentity& built) {
  Result<std::shared_ptr<const Scheme>> scheme = make_scheme(built.scheme);
  if (scheme.has_error())
    return mismatch(name, built, "this akin does not know its scheme '" + built.scheme + "'");
  return scheme;
}

Error unreadable(std::string_view name, const StoreIdentity& built, const Scheme& scheme,
                 Dictionaries& dictionaries, const KeptFingerprints& kept) {
  if (kept.has_error() && kept.error().code == Errc::mismatch) {
    return Error{Errc::mismatch, in_words(name), kept.error().reason,
                 remedy_for(name, built, "the akin that made it")};
  }
  const auto configured = dictionaries.for_store(built);
  if (configured.has_error()) return configured.error();
  const bool keeps_none = kept.has_value() && !*kept;
  if (keeps_none && features_fingerprint(scheme, **configured).has_error()) {
    return Error{Errc::mismatch, in_words(name),
                 "its scheme " + scheme.name() + " joins synonyms, and none are configured",
                 "name those that it was built with, as in --synonyms ru, or rebuild it without: "
                 "`akin reindex --collection " +
                     std::string(name) + " --scheme SCHEME`"};
  }
  std::string damage;
  if (!keeps_none) {
    damage = "; those kept with it cannot be used: " +
             (kept.has_error() ? kept.error().reason : "they are not those that it was built with");
  }
  return mismatch(name, built,
                  std::string("it was built with other dictionaries") +
                      (scheme.joins_synonyms() ? " or synonyms" : "") + " (languages: " + built.languages +
                      ") than those configured (languages: " + dictionaries.languages_for(built) + ")" +
                      damage);
}

Result<void> check_readable(std::string_view name, const StoreIdentity& built, Dictionaries& dictionaries,
                            const std::function<KeptFingerprints()>& kept) {
  AKIN_TRY(const std::shared_ptr<const Scheme> scheme, scheme_of(name, built));
  const auto configured = dictionaries.for_store(built);
  if (configured.has_value() && fits(built, *scheme, (*configured)->fingerprints())) return {};
  const KeptFingerprints own = kept();
  if (own.has_value() && *own && fits(built, *scheme, **own)) return {};
  if (own.has_error() && !is_of_contents(own.error())) return own.error();
  return unreadable(name, built, *scheme, dictionaries, own);
}

Result<void> add_outdated(OutdatedCollections& found, const std::string& name, Result<void> readable) {
  if (!readable.has_error()) {
    found.in_use.push_back(name);
  } else if (is_of_contents(readable.error())) {
    found.unreadable.push_back({name, std::move(readable).error()});
  } else {
    return readable;
  }
  return {};
}

}  // namespace akin
