// Reads an .aff file.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "dict/read/affix.h"

namespace akin {

/// `content` is the file's bytes; `file` only names it in errors. Options that do not decide which forms
/// exist (suggestions, word breaking, phonetics) are skipped, as are unknown ones. Error: bad_dictionary with
/// file and line.
[[nodiscard]] Result<AffixData> read_aff(std::string_view content, const std::filesystem::path& file);

}  // namespace akin
