// Finds the signs of disguise that do not need the text rules: spaced letters, digits for letters, combining
// marks that no language writes, letters without a meaning, text stored backwards.
#pragma once

#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/normalize/alert.h"

namespace akin {

struct Disguise {
  AlertCounts counts;
  std::vector<Alert> alerts;  ///< the first kMaxAlerts, in the order of the text
};

/// Adds to what the scanner found in a text the alerts that take a pass of their own, so that indexing does
/// not pay for them: all kinds but zero_width, and mixed_script only for whole words of look-alikes among
/// words of the other script. Requires well-formed UTF-8 of at most kMaxTextBytes. Takes linear time and,
/// besides the list, constant memory.
[[nodiscard]] Disguise find_disguise(std::string_view utf8, const AlertCounts& scanned = {},
                                     const std::vector<Alert>& listed = {});

/// The alerts of a check: of those that find_disguise gives, the ones that honest texts do not have. Words of
/// several scripts must imitate one, other than by "i" in a text that hardly has the Cyrillic "і", words with
/// digits must be words with letters, invisible characters must not be operators of formulas
/// (DisguisedWords), and either kind of words, as letterspaced ones, counts only near others of its kind:
/// three words in 2,000 code points, four letterspaced ones that the dictionary has, 16 others, or one
/// letterspaced passage of 130 letters. Linear time; the memory of find_disguise and what lies within one
/// such stretch.
[[nodiscard]] Disguise find_clear_disguise(std::string_view utf8, const Dictionary& dictionary,
                                           AlertCounts scanned = {}, std::vector<Alert> listed = {});

}  // namespace akin
