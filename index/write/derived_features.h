// Features and words derived from a stored text. A store may omit the features and derive them again; it
// keeps the words of long texts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dict/dictionary.h"
#include "index/codec/sequence_codec.h"
#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// Features of longer texts, in bytes, are stored: deriving them takes much longer than reading them.
inline constexpr std::uint64_t kMostDerivedText = std::uint64_t{1} << 20U;

/// Gives a store what follows from its texts (Store::derive_by): the features of its scheme and dictionary,
/// except for the few of a scheme that only generates candidates, and the words of long texts, if alignment
/// needs them (finds_reuse).
void let_derive(Store& store, std::shared_ptr<const Scheme> scheme,
                std::shared_ptr<const Dictionary> dictionary);

/// The same with the dictionaries that a collection keeps (Dictionary::packed), if the store was built with
/// them.
void let_derive(Store& store, const std::optional<std::string>& packed);

/// The features of a stored document whose sequence follows from its text; `name` is the document's, for
/// errors: corrupt (the text gives other features than those that it was stored with), unsupported (`derive`
/// is null).
[[nodiscard]] Result<FeatureSequence> derive_sequence(const DerivedSequence& stored, std::string_view text,
                                                      const DeriveFeatures* derive, const std::string& name);

}  // namespace akin
