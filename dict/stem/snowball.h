// Snowball stems (libstemmer) for words that no dictionary knows, by the script of the word.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace akin {

/// Whether the unknown words of a dictionary of this language use the endings learnt from it
/// (dict/table/endings.h): the language has no stemmer, or is Russian, where endings measured better
/// (docs/dictionaries.md).
[[nodiscard]] bool teaches_endings(std::string_view code);

/// The stemmers of a configuration: one per script. Thread-safe.
///
/// A script's stemmer is that of the first configured language of the script, in the fixed order en, de, fr,
/// es, it, pt, nl, sv, no, da, fi, hu, ro, lt, ca, eu, ga, tr, id (Latin), ru, sr (Cyrillic), el (Greek), ar,
/// hy, hi, ne, ta, yi. If none of them is configured: Cyrillic → Russian, Latin → English, other scripts → no
/// stemmer.
class Snowball {
 public:
  /// `codes`: languages without region.
  explicit Snowball(std::span<const std::string> codes);
  ~Snowball();

  /// The stem of a folded word, or the word itself if its script (that of its first letter) has no stemmer.
  [[nodiscard]] std::u32string stem(std::u32string_view folded) const;

  /// Whether the stemmer comes before endings for a word of this script: it is that of a configured language
  /// which teaches no endings.
  [[nodiscard]] bool precedes_endings(std::u32string_view folded) const;

 private:
  struct Stemmers;
  std::unique_ptr<Stemmers> stemmers_;
};

}  // namespace akin
