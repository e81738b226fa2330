#include "morph/words/has_word.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {

namespace {

/// A mark alone makes no word.
bool makes_word(CharInfo c) noexcept {
  return c.kind() == CharKind::letter || c.kind() == CharKind::digit || c.kind() == CharKind::solo;
}

}  // namespace

bool has_word(std::string_view utf8) {
  const CharTable& table = CharTable::instance();
  ClusterFolder folder;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_code_point(utf8, at);
    const CharInfo info = table[c];
    if (!info.composes()) {
      if (makes_word(info)) return true;
      continue;
    }
    // A symbol may fold to letters, and a letter to a mark.
    const std::u32string_view folded = folder.fold({&c, 1});
    if (std::ranges::any_of(folded, [&](char32_t one) { return makes_word(table[one]); })) return true;
  }
  return false;
}

}  // namespace akin
