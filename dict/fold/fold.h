// Folding of one word: makes the spellings of a word equal before any dictionary is asked. Dictionaries fold
// their forms with the same functions when they are compiled, so table keys are equal exactly when the folded
// spellings are. Rules and their reasons: docs/text-rules.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dict/fold/characters.h"
#include "dict/fold/folded_reader.h"

namespace akin {

/// What folding undid that a careful author would not have written; a set of bits.
enum FoldFlags : std::uint8_t {
  kFoldClean = 0,
  kFoldZeroWidth = 1,    ///< a zero-width or bidi control character inside a Latin, Cyrillic or Greek word
  kFoldMixedScript = 2,  ///< letters of another script that look like the word's own (Unicode confusables)
};

/// A folded word. `letters` is a view into the folder's buffer and dies with its next call.
struct FoldedWord {
  std::u32string_view letters;
  std::uint64_t key = 0;  ///< spelling_key(letters)
  std::uint8_t flags = kFoldClean;
};

/// Folds words: applies NFKC and case folding, turns ё into е, drops combining stress marks, soft hyphens,
/// zero-width and bidi characters, unifies apostrophes, and folds letters of another script to the word's
/// dominant script. One object per thread; its buffer is reused, so a warm folder allocates nothing.
///
/// Folding is idempotent, and gives one result for a word in NFC, NFD, NFKC and NFKD, in upper, lower and
/// title case.
class WordFolder {
 public:
  /// Folds any slice of text that holds one word. Everything that is not part of a word (hyphens, line
  /// breaks, spaces, punctuation) is dropped, so a word that was split over two lines folds like the joined
  /// word. Requires well-formed UTF-8 of less than 2^32 bytes.
  [[nodiscard]] FoldedWord fold(std::string_view utf8);

  /// The same for letters that were already folded one by one (as FoldedReader gives them); only the choice
  /// of the dominant script remains. `scripts`: the union of the letters' script bits; `flags`: those already
  /// known. If no letter is exchanged, the result views `letters` themselves.
  [[nodiscard]] FoldedWord settle(std::u32string_view letters, std::uint8_t scripts, std::uint8_t flags);

  /// Exchanges look-alikes within a part of a word, in place, if its letters leave no doubt about the script:
  /// some are not alike, or not in both cases. Works letter by letter: a part whose length would change stays
  /// unchanged. Returns whether anything changed.
  bool unmask(std::span<char32_t> letters);

 private:
  /// Exchanges look-alikes for letters of the dominant script; false if there are none.
  bool exchange_look_alikes(std::u32string_view letters);
  bool exchange_once();

  FoldedReader reader_;
  ClusterFolder cluster_;
  std::vector<char32_t> letters_, exchanged_;
};

}  // namespace akin
