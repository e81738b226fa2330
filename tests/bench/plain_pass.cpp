#include "tests/bench/plain_pass.h"

#include <unicode/uchar.h>

#include "base/utf8.h"

namespace akin::bench {

std::size_t count_letters(std::string_view text) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < text.size();)
    letters += u_isalpha(static_cast<UChar32>(next_code_point(text, at))) != 0 ? 1 : 0;
  return letters;
}

}  // namespace akin::bench
