#include "index/write/derived_features.h"

#include <utility>

#include "index/codec/stored_text.h"
#include "index/codec/word_codes.h"
#include "index/search/tier_search.h"
#include "index/store/kept_words.h"

namespace akin {

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
