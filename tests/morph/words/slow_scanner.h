// The scanner's slow twin: the text rules of docs/text-rules.md, pass after pass over the whole text, on ICU
// alone. It shares with the product only the boundary rule, the dictionary and the exchange of look-alikes
// within a finished word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "dict/dictionary.h"

namespace akin::slow {

struct Word {
  TextRange range;
  std::u32string letters;  ///< folded
  bool zero_width = false, mixed_script = false;
};

struct Sentence {
  TextRange range;
  std::vector<Word> words;
};

[[nodiscard]] std::vector<Sentence> scan(std::string_view utf8, const Dictionary& dictionary);

}  // namespace akin::slow
