// Schemes by name, and the features of a text by a scheme. Index and server know schemes only through this
// header.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "morph/features/features.h"

namespace akin {

/// The scheme for a specification: "NAME" or "NAME(parameter=value,…)", parameters in any order; those left
/// out have their defaults (docs/schemes.md); or the name of a preset. Error: invalid_argument; for an
/// unknown name it lists the schemes.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> make_scheme(std::string_view spec);

/// A scheme for a purpose, by name: make_scheme accepts it as a specification.
struct Preset {
  std::string_view name;
  std::string_view scheme;
  std::string_view meaning;
};

/// library, paper, news and others: docs/schemes.md has what each finds and costs.
[[nodiscard]] std::span<const Preset> presets() noexcept;

/// That of two texts that are compared without a collection.
inline constexpr std::string_view kComparisonScheme = "sentence-pairs";

/// That of new collections: sentence pairs verify, and seeds find passages.
inline constexpr std::string_view kDefaultScheme =
    "tiers(pairs=sentence-pairs,passages=winnow(shape=101011,t=10,stop=last))";

/// Covers everything that decides the features of a text besides the text and the scheme:
/// Dictionary::fingerprint, or, if the scheme joins synonyms, Dictionary::synonym_fingerprint. Error:
/// unsupported (the scheme joins synonyms, the dictionary has none).
[[nodiscard]] Result<std::string> features_fingerprint(const Scheme& scheme,
                                                       const DictionaryFingerprints& dictionary);
[[nodiscard]] Result<std::string> features_fingerprint(const Scheme& scheme, const Dictionary& dictionary);

/// Refuses a minimum containment if a scheme's features do not give the containment. Error: unsupported.
[[nodiscard]] Result<void> check_containment(const Scheme& scheme, double min_containment);

/// A kind of scheme, for help.
struct SchemeKind {
  std::string_view name;
  std::string_view spelling;  ///< with all parameters and their defaults
  std::string_view meaning;   ///< what its features are, and the values of its parameters
};

/// Every kind that a collection can be created with.
[[nodiscard]] std::vector<SchemeKind> scheme_kinds();

/// From bytes to features. `also`: receives the sentences of the same pass, too. Errors as in scan_text and
/// features_fingerprint.
[[nodiscard]] Result<FeatureSequence> extract_features(std::string_view utf8, const Dictionary& dictionary,
                                                       const Scheme& scheme, SentenceSink* also = nullptr);
/// The same under several schemes, in one pass over the text.
[[nodiscard]] Result<std::vector<FeatureSequence>> extract_features(std::string_view utf8,
                                                                    const Dictionary& dictionary,
                                                                    std::span<const Scheme* const> schemes,
                                                                    SentenceSink* also = nullptr);

}  // namespace akin
