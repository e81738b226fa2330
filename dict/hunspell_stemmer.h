// Hunspell itself, asked for words that the table lacks: compounds, and forms that were not expanded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dict/pair.h"

namespace akin {

/// One dictionary. Hunspell's handle is slow to open and not thread-safe: it is opened when the first word is
/// asked for, and guarded by a mutex. Thread-safe.
class HunspellStemmer {
 public:
  explicit HunspellStemmer(DictionaryPair files);
  ~HunspellStemmer();

  /// Longer words are not asked for: splitting them in all ways takes Hunspell too long.
  static constexpr std::size_t kMaxLetters = 48;

  /// What Hunspell's stem() gives for a folded word, UTF-8. The word is asked for in capitals, so that
  /// Hunspell tries its lower-case and title-case spellings; if it has no answer, each "ss" is tried as "ß",
  /// which folding made one. Empty if Hunspell does not know the word or cannot be opened.
  [[nodiscard]] std::vector<std::string> stems(std::u32string_view folded) const;

 private:
  struct Handle;
  DictionaryPair files_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace akin
