#include "index/write/derived_features.h"

#include <utility>

#include "index/codec/posting.h"
#include "index/codec/stored_text.h"
#include "index/codec/word_codes.h"
#include "index/search/tier_search.h"
#include "index/store/kept_words.h"

namespace akin {

namespace {

Error not_derived(const std::string& name, const std::string& reason) {
  Error error = corrupt(name, "its features follow from its text, " + reason);
  error.remedy = "run `akin reindex`, which derives the features of all texts again";
  return error;
}

}  // namespace

Result<FeatureSequence> derive_sequence(const DerivedSequence& stored, std::string_view text,
                                        const DeriveFeatures* derive, const std::string& name) {
  if (derive == nullptr) {
    return Error{Errc::unsupported, name, "its features follow from its text and the dictionaries",
                 "open the collection with the dictionaries that it was built with"};
  }
  Result<FeatureSequence> derived = (*derive)(text);
  if (derived.has_error()) return not_derived(name, "which cannot be analysed: " + derived.error().reason);
  if (digest_of(*derived) != stored.digest) {
    return not_derived(name, "which gives others than it was stored with: the dictionary or akin differs");
  }
  derived->tier_sizes.clear();
  return derived;
}

void let_derive(Store& store, std::shared_ptr<const Scheme> scheme,
                std::shared_ptr<const Dictionary> dictionary) {
  Derivation derivation;
  if (finds_reuse(*scheme)) {
    derivation.words = [dictionary](std::string_view text) -> Result<std::string> {
      if (text.size() <= kLongText) return encode_codes_of(text, *dictionary);
      AKIN_TRY(const PackedWords words, PackedWords::of(text, *dictionary));
      return encode_kept_words(words, *dictionary);
    };
  }
  if (!scheme->generates_candidates()) {
    derivation.features = [scheme = std::move(scheme), dictionary = std::move(dictionary)](
                              std::string_view text) { return extract_features(text, *dictionary, *scheme); };
  }
  store.derive_by(std::move(derivation));
}

void let_derive(Store& store, const std::optional<std::string>& packed) {
  if (!packed) return;
  const auto scheme = make_scheme(store.identity().scheme);
  const auto dictionary = Dictionary::unpack(*packed);
  if (scheme.has_error() || dictionary.has_error()) return;
  const Result<std::string> fingerprint = features_fingerprint(**scheme, **dictionary);
  if (fingerprint.has_value() && *fingerprint == store.identity().fingerprint)
    let_derive(store, *scheme, *dictionary);
}

}  // namespace akin
