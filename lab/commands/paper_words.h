// The words of a sentence in the letters of Veretennikov 2009: ids of base forms, WH and SH.
#pragma once

#include <cstdint>
#include <string>

#include "dict/dictionary.h"
#include "morph/features/features.h"

namespace akin::cli {

/// Whether the features of a scheme are those of the paper.
[[nodiscard]] bool is_paper_scheme(const Scheme& scheme);

/// The sum that makes WH of a word: "мыло 81,234 + мыть 81,301", with squares if the scheme squares ids; or
/// "239⁴ + 224⁴", the codes of its characters, if no dictionary has it. Requires is_paper_scheme(scheme).
[[nodiscard]] std::string paper_terms(const Word& word, const Dictionary& dictionary, const Scheme& scheme);

/// SH: the sum of WH over the words, modulo 2^32.
[[nodiscard]] std::uint32_t paper_sentence_hash(const Sentence& sentence, const Dictionary& dictionary,
                                                const Scheme& scheme);

}  // namespace akin::cli
