// Folds the forms of a dictionary to the keys by which a text's words are looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dict/fold/characters.h"
#include "dict/fold/fold.h"

namespace akin {

/// One object per thread; buffers are reused.
class FormFolder {
 public:
  /// The folded form; nothing if the text rules never make one word of it: it has a blank or punctuation
  /// inside, or no letters at all. A hyphen between two letters is allowed: it is dropped, as the text rules
  /// do if a dictionary knows both sides as one word. Full stops at the end are dropped. The view dies with
  /// the next call.
  [[nodiscard]] std::optional<FoldedWord> fold_form(std::u32string_view form);

  /// Folds any spelling; drops everything that is not part of a word.
  [[nodiscard]] FoldedWord fold_spelling(std::string_view utf8) { return folder_.fold(utf8); }

 private:
  WordFolder folder_;
  const CharTable& table_ = CharTable::instance();
  std::vector<char32_t> letters_;
  std::string utf8_;
};

}  // namespace akin
