// Names of an archive's members as their writer saw them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace akin::extract {

/// Names that are not UTF-8, as UTF-8: ZIP does not say in which code page they were written, so that of 866,
/// 1251 and 437 is taken in which all names together look most like words. Bytes are written \xNN where none
/// gives words.
[[nodiscard]] std::vector<std::string> decoded_names(const std::vector<std::string_view>& names);

}  // namespace akin::extract
