#include "index/derived_features.h"

#include <utility>

namespace akin {

void let_derive(Store& store, std::shared_ptr<const Scheme> scheme,
                std::shared_ptr<const Dictionary> dictionary) {
  auto* const deriving = dynamic_cast<DerivesFeatures*>(&store);
  if (deriving == nullptr || scheme->generates_candidates()) return;
  deriving->derive_features_by(
      [scheme = std::move(scheme), dictionary = std::move(dictionary)](std::string_view text) {
        return extract_features(text, *dictionary, *scheme);
      });
}

void let_derive(Store& store, const std::optional<std::string>& packed) {
  if (!packed || dynamic_cast<DerivesFeatures*>(&store) == nullptr) return;
  const auto scheme = make_scheme(store.identity().scheme);
  const auto dictionary = Dictionary::unpack(*packed);
  if (scheme.has_error() || dictionary.has_error()) return;
  const Result<std::string> fingerprint = features_fingerprint(**scheme, **dictionary);
  if (fingerprint.has_value() && *fingerprint == store.identity().fingerprint)
    let_derive(store, *scheme, *dictionary);
}

}  // namespace akin
