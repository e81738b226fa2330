// Which words look disguised, and which have the same letters for an honest reason.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/normalize/alert.h"

namespace akin {

/// Whether no orthography puts `mark` on `letter`, which is of `scripts`. A list of what is known to be
/// impossible: everything else may be a stress, a tone, or a letter that Unicode has no single character for.
[[nodiscard]] bool is_impossible_mark(char32_t letter, std::uint8_t scripts, char32_t mark);

/// Latin letters with a mark of their own, among others.
[[nodiscard]] constexpr bool may_have_mark(char32_t c) noexcept {
  return (c >= 0xc0 && c < 0x250) || (c >= 0x1e00 && c < 0x1f00);
}

/// Whether a text has Latin "i" in Cyrillic words at least 20 times as often as the Cyrillic letter: it was
/// typed on a keyboard that lacks the letter, and some headings were not. Linear time.
[[nodiscard]] bool is_typed_without_i(std::string_view utf8);

/// Whether the word has Cyrillic letters and no Latin ones but "i", also with marks.
[[nodiscard]] bool is_cyrillic_but_for_i(std::string_view word);

/// Judges words of letters, digits and marks, without hyphens and apostrophes. One object per thread.
class DisguisedWords {
 public:
  explicit DisguisedWords(const Dictionary& dictionary) : dictionary_(dictionary) {}

  /// Whether a word with letters of several scripts passes for one in one of them: each letter of another
  /// looks like one that it replaces ("cлoвo"). Not a Latin word with a Cyrillic ending or one that a blank
  /// should divide ("diffов": nobody mistakes d or f), a Roman numeral ("ХIХ"), a stress mark typed as a
  /// Latin vowel with an accent ("пóдать"), letters that Cyrillic orthographies take from Latin (w, q), or a
  /// formula of Latin and Greek letters ("δv"). Not two letters.
  [[nodiscard]] bool imitates(std::string_view word);

  /// Whether a word with invisible characters is one of a formula ("sin⁡θ"): they are operators, and no
  /// dictionary has the word.
  [[nodiscard]] bool is_formula(std::string_view word);

  /// Whether a word with digits is one that a dictionary has with letters in their places, or not in ASCII,
  /// as identifiers are.
  [[nodiscard]] bool hides_letters(std::string_view word);

  /// Whether a word is one that the dictionary has without its marks only ("ẗḧë").
  [[nodiscard]] bool is_decorated(std::string_view word);

  /// Whether a word all of whose letters look alike in Latin and Cyrillic, and which is spelled in one of
  /// them, is a word in the other, `script`: kLatin or kCyrillic.
  [[nodiscard]] bool belongs_to(std::uint8_t script, std::string_view word);

  [[nodiscard]] bool is_word(std::string_view word) { return dictionary_.knows(folder_.fold(word)); }

  /// The spelling key of the word.
  [[nodiscard]] std::uint64_t key(std::string_view word) { return folder_.fold(word).key; }

 private:
  const Dictionary& dictionary_;
  WordFolder folder_;
  ClusterFolder cluster_;
};

/// Takes the words of formulas from the alerts that the scanner found: from `listed`, which are in the order
/// of the text, and from the counts. Linear time.
void drop_formulas(std::string_view utf8, DisguisedWords& words, AlertCounts& counts,
                   std::vector<Alert>& listed);

}  // namespace akin
