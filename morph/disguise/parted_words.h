// Words that a thin blank or a character that shows nothing cuts into parts.
#pragma once

#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/normalize/alert.h"

namespace akin {

/// Adds an alert for each word that a dictionary has, of letters of an alphabet, whose parts some character
/// separates, and one of which no dictionary has: letter_spacing if it is a thin blank, which a reader hardly
/// sees, zero_width if it is a control character or the like, of which he sees nothing. Where controls
/// other than those that separate words part what no dictionary knows, as a whole or in part, that is enough.
/// Three different words must lie near one another. Thin blanks between numbers, beside marks, between
/// initials and between words are typesetting. Single letters in a row are left to the rule for
/// letterspacing. Linear time.
void add_parted_words(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
                      std::vector<Alert>& listed);

}  // namespace akin
