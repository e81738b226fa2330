// Finds the parts of a dictionary's compounds: the dictionary's words and their affixed forms, judged as
// Hunspell's compound check judges them.
#pragma once

#include "dict/ask/compounds/compound_parts.h"
#include "dict/read/dictionary_forms.h"
#include "dict/table/table.h"

namespace akin {

/// The parts of the compounds of one dictionary of `table`. Follows compound_check, compound_check_morph,
/// prefix_check and suffix_check of Hunspell 1.7 (affixmgr.cxx) for dictionaries with the options of
/// CompoundOptions only; for others, and for those of which it would not know all spellings, the result is
/// not complete(). kHunspellAlone and kAnalyzed are only found for spellings that the table lacks.
[[nodiscard]] CompoundParts find_parts(const DictionaryForms& forms, const WordClassTable& table);

}  // namespace akin
