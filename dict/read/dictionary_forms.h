// A dictionary pair after reading, and the spellings of its words in texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "dict/read/expander.h"
#include "dict/read/pair.h"

namespace akin {

/// Immutable after reading; any number of threads.
class DictionaryForms {
 public:
  /// Contents are the files' bytes; paths only name them. Error: bad_dictionary.
  [[nodiscard]] static Result<DictionaryForms> read(const DictionaryPair& names, std::string_view aff,
                                                    std::string_view dic);

  [[nodiscard]] const AffixData& affixes() const noexcept { return affixes_; }
  [[nodiscard]] const WordList& words() const noexcept { return words_; }

  /// Passes the spellings of an entry to `sink`, some repeatedly: its forms without forbidden words, and for
  /// each form the spellings that ICONV turns into it. `expander` is made from affixes() and belongs to the
  /// calling thread.
  ExpansionCost expand(std::size_t entry, ExpansionDepth depth, Expander& expander, FormSink& sink) const;

  /// Whether the word is forbidden; if several entries have its spelling, the first decides.
  [[nodiscard]] bool is_forbidden(std::u32string_view word) const {
    return forbidden_.contains(std::u32string(word));
  }

  /// Whether Hunspell combines several entries into words of letters at run time.
  [[nodiscard]] bool builds_compounds() const;

 private:
  DictionaryForms(AffixData affixes, WordList words);

  AffixData affixes_;
  WordList words_;
  std::unordered_set<std::u32string> forbidden_;  // words whose first entry is forbidden
};

}  // namespace akin
