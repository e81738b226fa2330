// Features that a store need not keep, because they follow from the text that it keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dict/dictionary.h"
#include "index/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// The features that a store of one identity has of a text. Thread-safe.
using DeriveFeatures = std::function<Result<FeatureSequence>(std::string_view text)>;

/// Features of texts with more bytes are stored: to derive them takes much longer than to read them.
inline constexpr std::uint64_t kMostDerivedText = std::uint64_t{1} << 20U;

/// A Store may implement this beside it.
class DerivesFeatures {
 public:
  virtual ~DerivesFeatures() = default;
  /// From now on documents are stored without the features that `derive` gives for their texts, if the
  /// store's format allows that, and the features of such documents can be read. `derive` must give those of
  /// the store's identity; of several calls the first one counts.
  virtual void derive_features_by(DeriveFeatures derive) = 0;
};

/// Lets a store derive the features of its scheme and dictionary, if it can, and if they are many (those of
/// schemes that only generate candidates are few).
void let_derive(Store& store, std::shared_ptr<const Scheme> scheme,
                std::shared_ptr<const Dictionary> dictionary);

/// The same with the dictionaries that a collection keeps (Dictionary::packed), if the store was built with
/// them.
void let_derive(Store& store, const std::optional<std::string>& packed);

}  // namespace akin
