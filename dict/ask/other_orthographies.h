// Words in an orthography that no dictionary lists: Russian before the reform of 1918 or in Latin letters,
// and words without the accents that their language puts on letters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dict/table/table.h"

namespace akin {

/// What a Russian word of the orthography before 1918 may be in today's, the likeliest first ("разсказъ",
/// "добраго", "ея"). Nothing for a word that has neither its letters nor its endings.
[[nodiscard]] std::vector<std::u32string> modern_russian(std::u32string_view letters);

/// A letter with an accent, and the one that is typed for it.
struct AccentedLetter {
  char32_t plain = 0, accented = 0;
};

/// Finds such words among those of a table. Immutable; any number of threads.
class OtherOrthographies {
 public:
  /// `codes` of all configured languages, without region.
  explicit OtherOrthographies(std::span<const std::string> codes);

  /// The row of the first reading of a folded word that the table has, by these rules, or kNoRow:
  /// 1. a Cyrillic word in today's orthography, if Russian is configured;
  /// 2. a word of the letters a to z with accents that some configured language writes ("pritel": "přítel");
  /// 3. a Latin word of two letters or more as Russian, if Russian is configured, by ISO 9, GOST 7.79, the
  ///    rules of passports or those of scholars ("zhizn", "žizn": "жизнь").
  /// A word that has more readings than the rule permits is not read by it.
  [[nodiscard]] std::uint32_t find(std::u32string_view letters, const WordClassTable& table) const;
  /// Whether that row is one by rule 1.
  [[nodiscard]] bool is_before_1918(std::u32string_view letters, const WordClassTable& table) const;
  /// Whether that row is one by rule 3. Quick without Russian.
  [[nodiscard]] bool is_transliterated(std::u32string_view letters, const WordClassTable& table) const;

  static constexpr std::size_t kMostAccented = 1024, kMostRussian = 64;  ///< readings of a word

 private:
  [[nodiscard]] std::uint32_t find_accented(std::u32string_view letters, const WordClassTable& table) const;
  [[nodiscard]] std::uint32_t find_transliterated(std::u32string_view letters,
                                                  const WordClassTable& table) const;

  bool has_russian_ = false;
  std::vector<AccentedLetter> accented_;  ///< of the configured languages
};

}  // namespace akin
