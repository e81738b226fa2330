#include "index/derived_features.h"

#include <utility>

#include "index/tier_search.h"

namespace akin {

void let_derive(Store& store, std::shared_ptr<const Scheme> scheme,
                std::shared_ptr<const Dictionary> dictionary) {
  if (auto* const keeping = dynamic_cast<KeepsWords*>(&store); keeping != nullptr && finds_reuse(*scheme)) {
    keeping->keep_words_by([dictionary](std::string_view text) -> Result<std::string> {
      AKIN_TRY(const PackedWords words, PackedWords::of(text, *dictionary));
      return encode_kept_words(words, *dictionary);
    });
  }
  auto* const deriving = dynamic_cast<DerivesFeatures*>(&store);
  if (deriving == nullptr || scheme->generates_candidates()) return;
  deriving->derive_features_by(
      [scheme = std::move(scheme), dictionary = std::move(dictionary)](std::string_view text) {
        return extract_features(text, *dictionary, *scheme);
      });
}

bool keeps_words(const Store& store) {
  const auto* const keeping = dynamic_cast<const KeepsWords*>(&store);
  return keeping != nullptr && keeping->keeps_words();
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
