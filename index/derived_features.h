// What follows from the texts that a store keeps: features that it need not keep, and words that it keeps of
// long ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dict/dictionary.h"
#include "index/kept_words.h"
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

/// A Store may implement this beside it.
class KeepsWords {
 public:
  virtual ~KeepsWords() = default;
  /// From now on the words of long texts are kept beside them, if the store's format allows that; of several
  /// calls the first one counts.
  virtual void keep_words_by(EncodeWords encode) = 0;
  /// Whether they are.
  [[nodiscard]] virtual bool keeps_words() const = 0;
};

/// Whether a store keeps the words of long texts.
[[nodiscard]] bool keeps_words(const Store& store);

/// Lets a store derive the features of its scheme and dictionary, if it can, and if they are many (those of
/// schemes that only generate candidates are few), and keep the words of long texts, if alignment needs them
/// (finds_reuse).
void let_derive(Store& store, std::shared_ptr<const Scheme> scheme,
                std::shared_ptr<const Dictionary> dictionary);

/// The same with the dictionaries that a collection keeps (Dictionary::packed), if the store was built with
/// them.
void let_derive(Store& store, const std::optional<std::string>& packed);

}  // namespace akin
