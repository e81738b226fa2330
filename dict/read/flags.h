// Flag fields of .aff and .dic files, by FLAG type. Flags are read from the raw bytes, as Hunspell does,
// whatever SET says.
#pragma once

#include <string_view>
#include <vector>

#include "dict/read/affix.h"

namespace akin {

/// Appends the flags of a field ("AB", "AaBb", "12,34"). Returns its error, empty if there is none.
[[nodiscard]] std::string_view append_flags(std::string_view field, FlagType type, std::vector<Flag>& out);

/// Appends the flags named in a COMPOUNDRULE pattern, without its signs ( ) * ?.
[[nodiscard]] std::string_view append_rule_flags(std::string_view pattern, FlagType type,
                                                 std::vector<Flag>& out);

/// Sorts and removes duplicates.
void make_set(std::vector<Flag>& flags);

}  // namespace akin
