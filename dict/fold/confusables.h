// Letters of one script that pass for letters of another. A small choice from Unicode's confusables.txt (UTS
// #39), fixed here so that a hash never depends on the installed ICU; a test checks every row against ICU's
// own skeletons.
//
// Rows contain case-folded letters only: pairs alike in one case alone count in both (B looks like В, so b
// means в), so that folding cannot depend on the letter case of a text. If the two cases disagree, the row
// has the pair found in practice.
#pragma once

#include <cstdint>

#include "dict/fold/characters.h"

namespace akin {

/// The letters that `c` (case-folded, not precomposed) passes for.
struct LookAlike {
  char32_t latin = 0, cyrillic = 0,
           greek = 0;       ///< the letter meant in a word of that script; 0 = none, or c's own script
  bool both_cases = false;  ///< alike as capital and as small letter

  [[nodiscard]] bool any() const noexcept { return (latin | cyrillic | greek) != 0; }
  [[nodiscard]] char32_t in(ScriptBits script) const noexcept {
    return script == kLatin ? latin : script == kCyrillic ? cyrillic : script == kGreek ? greek : char32_t{0};
  }
};

[[nodiscard]] LookAlike look_alike(char32_t c) noexcept;

}  // namespace akin
