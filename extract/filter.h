// An administrator's own command that makes text of the files of one type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::extract {

/// Document::type of what a filter gives.
inline constexpr std::string_view kFilteredType = "filtered";

struct Filter {
  std::string type;                  ///< small letters: a suffix of names (".tex"), or a media type
  std::vector<std::string> command;  ///< a program and its arguments; never empty
};

/// "TYPE=COMMAND": the command's words are separated by blanks, and no shell reads them. Error:
/// invalid_argument.
[[nodiscard]] Result<Filter> parse_filter(std::string_view written);

/// The filter of a file's name: that of the longest suffix, the first of several; null without one.
[[nodiscard]] const Filter* filter_of_name(const std::vector<Filter>& filters, std::string_view name);
/// The first filter of a media type without parameters; null without one.
[[nodiscard]] const Filter* filter_of_media(const std::vector<Filter>& filters, std::string_view media);

}  // namespace akin::extract
