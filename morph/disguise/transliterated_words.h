// Russian words in Latin letters.
#pragma once

#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/normalize/alert.h"

namespace akin {

/// Adds an alert of the kind transliterated for each word of Latin letters that only a Russian dictionary
/// has, in Cyrillic letters, among words that mostly are such: names in a text of another language are not,
/// and other languages that are written in Latin letters have fewer words that can be read as Russian. Of the
/// alerts about the first kMaxAlerts are listed. Linear time.
void add_transliterated(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
                        std::vector<Alert>& listed);

}  // namespace akin
