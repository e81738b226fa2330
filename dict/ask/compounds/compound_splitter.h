// Splits words into the parts of compounds, as Hunspell does, without asking it.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "dict/ask/compounds/compound_parts.h"
#include "dict/stem/hunspell_stemmer.h"

namespace akin {

/// One dictionary. Immutable; any number of threads.
class CompoundSplitter {
 public:
  explicit CompoundSplitter(CompoundParts parts) : parts_(std::move(parts)) {}

  /// The answer of HunspellStemmer::ask about a folded word that the table lacks; nothing where only Hunspell
  /// knows it. Last parts are given once; if there are stems, none are. Differs from Hunspell in one respect:
  /// for words with very many splits Hunspell gives up after 50 ms.
  [[nodiscard]] std::optional<HunspellAnswer> answer(std::u32string_view folded) const;

 private:
  CompoundParts parts_;
};

}  // namespace akin
