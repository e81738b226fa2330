// What a check finds in its text without another one.
#pragma once

#include <cstddef>
#include <vector>

#include "morph/align/word_sequence.h"
#include "morph/disguise/disguise.h"
#include "server/check/engine.h"
#include "server/check/letters.h"
#include "server/check/references.h"
#include "server/check/repeats.h"

namespace akin::check {

struct TextAlone {
  Disguise disguise;
  Citations citations;
  std::vector<Repeat> repeats;
};

/// Looks for them side by side, on threads that have nothing else to do. `letters`, `words`: all of the text;
/// `least`: words of a repeat.
[[nodiscard]] TextAlone find_in_text_alone(const CheckInput& input, const Letters& letters,
                                           const WordSequence& words, std::size_t least);

}  // namespace akin::check
