// A word list that is compiled into the program (akin_word_lists in CMakeLists.txt).
#pragma once

#include <string_view>

namespace akin {

struct BuiltInList {
  std::string_view name;  ///< of its file, without .txt: mostly a language
  std::string_view content;
};

}  // namespace akin
