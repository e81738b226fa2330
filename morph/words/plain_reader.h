// The fast path for simple text: words of one script, single characters that fold to single characters, white
// space and punctuation.
#pragma once

#include <cstddef>
#include <string_view>

#include "dict/fold/characters.h"
#include "dict/fold/folded_reader.h"
#include "morph/words/window.h"

namespace akin {

/// Decodes, folds, divides and hashes in one pass. It stops before everything that the rules of Paragraph
/// treat specially (hyphens, apostrophes, combining marks, ignorable characters, several scripts in a word,
/// the end of a paragraph or of the text) and before the word to which this belongs, so that it decides
/// nothing about it. It takes sixteen letters at a time with AVX2, else eight, with the same result.
class PlainReader {
 public:
  /// How many letters it may write beyond the size that was asked for: those of a word.
  static constexpr std::size_t kRoom = 192;

  explicit PlainReader(std::string_view utf8);

  /// The last thing that a call added; `space` for all white space, `ignorable` for nothing.
  using Last = CharKind;

  /// Reads on from `place` until the window holds `size` letters or more, or until it meets something that it
  /// leaves to Paragraph; moves `place` past the text that was read. Requires room for kRoom letters
  /// beyond `size`, that the first character does not continue a word, and that white space at the start is
  /// inside a paragraph.
  Last read(FoldedReader::Place& place, std::size_t size, Window& window) const;

 private:
  std::string_view text_;
  std::size_t stop_ = 0;  // a blank or line feed, the last of the text: every word before it ends there
  const CharTable& table_ = CharTable::instance();
};

}  // namespace akin
