// All schemes; each is implemented in its own source file. `make_scheme` (scheme.h) chooses by name.
#pragma once

#include <memory>

#include "morph/schemes/scheme.h"

namespace akin {

/// Seq2 in 64 bits.
[[nodiscard]] std::shared_ptr<const Scheme> sentence_pairs_scheme();

/// Seq1 in 64 bits: one feature per sentence, which survives the loss of its neighbours.
[[nodiscard]] std::shared_ptr<const Scheme> sentences_scheme();

/// What a known word contributes in the scheme of 2009: its base forms' ids, or their squares.
enum class PaperIds { plain, squared };

/// Seq2 exactly as published (Veretennikov 2009): all sums in 32 bits, wrapping around. A known word
/// contributes the sum of its base forms' ids (or squared ids), an unknown one the sum of the fourth powers
/// of its characters' codes in windows-1251, after folding; a character that this code page lacks counts as
/// '?'.
[[nodiscard]] std::shared_ptr<const Scheme> paper_2009_scheme(PaperIds ids);

}  // namespace akin
