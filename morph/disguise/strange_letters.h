// Words in letters that only look like those of their language.
#pragma once

#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/normalize/alert.h"

namespace akin {

/// Adds an alert of the kind mixed_script for each word of four letters or more, at least half of them
/// letters or symbols that pass for Latin ones (Unicode's confusables, UTS #39, such as Cherokee; Latin
/// letters with a hook, a stroke and the like by their names; regional indicators, letters in parentheses),
/// that the dictionary has with the Latin letters only, or upside down. Not for Cyrillic and Greek letters,
/// which alerts of their own concern, and not for words that lie alone (AlertCluster), as names and terms of
/// languages with such letters do. None, if the text has as many words with such letters that the dictionary
/// lacks: then it is in such a language. Of the alerts about the first kMaxAlerts are listed. Linear time.
void add_strange_letters(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
                         std::vector<Alert>& listed);

}  // namespace akin
