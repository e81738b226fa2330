// Leaves out of texts what texts before them had.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/dedup/line_text.h"
#include "dict/dictionary.h"

namespace akin::dedup {

/// What is left of a text.
struct TextRest {
  std::string text;
  std::uint64_t parts = 0;     ///< pieces that it had; 0 from a cutter of runs
  std::uint64_t repeated = 0;  ///< pieces or passages that were left out
};

/// Words are equal if their classes are: forms of a word, and spellings that text rules fold.
class TextCutter {
 public:
  virtual ~TextCutter() = default;

  /// Reads a text, which must outlive the function that is returned; several threads may call it at once.
  /// The function compares the text with all before it: call it once for each text, in their order, on one
  /// thread. Errors as read_words.
  [[nodiscard]] virtual Result<std::function<TextRest()>> read(std::string_view text) = 0;
};

/// Leaves out each piece that has the words of an earlier one, in their order, unless it has fewer than
/// `least_words`. Two different pieces are taken for equal with a probability of 2^-128. Memory: about 40
/// bytes for each different piece.
[[nodiscard]] std::unique_ptr<TextCutter> cutter_of_pieces(std::shared_ptr<const Dictionary> dictionary,
                                                           Cut cut, std::size_t least_words);

/// Leaves out each passage all of whose runs of `length` words occurred before, in an earlier text or in the
/// same one without an overlap, and puts `mark` in its place; without a mark, everything up to the next word
/// goes, too. Requires `length` > 0. Two different runs are taken for equal with a probability of 2^-64.
/// Memory: 10 to 20 bytes for each different run, which is about one for each word.
[[nodiscard]] std::unique_ptr<TextCutter> cutter_of_runs(std::shared_ptr<const Dictionary> dictionary,
                                                         std::size_t length, std::string mark);

}  // namespace akin::dedup
