// The parts of a text that are in languages for which a collection has no dictionary.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dict/dictionary.h"
#include "index/collection/text_style.h"

namespace akin::check {

struct OtherLanguage {
  std::string code;         ///< ISO 639, such as "de"
  std::uint64_t words = 0;  ///< in it that no dictionary has
  double share = 0;         ///< of the words of the text
};

/// A smaller share of a text is a list of names more often than a language.
inline constexpr double kLeastLanguageShare = 0.05;

struct OtherLanguages : WordCounts {  ///< of the parts with such words
  /// Those of kLeastLanguageShare or more: the most words first, then by code.
  std::vector<OtherLanguage> languages;
};

/// Judges each part by itself of which at least `unusual` of the words are unknown, by the unknown ones: so
/// words whose letters were exchanged do not pass among others. `dictionary`: by which the parts were read.
[[nodiscard]] OtherLanguages find_other_languages(std::span<const StylePart> parts,
                                                  const Dictionary& dictionary, double unusual);

}  // namespace akin::check
