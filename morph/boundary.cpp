#include "morph/boundary.h"

#include <unicode/uchar.h>

namespace akin {
namespace {

bool is_space(char32_t c) { return c == U' ' || c == U'\n' || u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

bool is_word(char32_t c) { return u_isalnum(static_cast<UChar32>(c)) != 0; }

bool is_closer(char32_t c) {
  return c == U')' || c == U']' || c == U'}' ||
         std::u32string_view(U"\"'«»„“”‚‘’‹›").find(c) != std::u32string_view::npos;
}

}  // namespace

bool is_terminator(char32_t c) {
  return c == U'.' || c == U'!' || c == U'?' ||
         (c > 0x7f && std::u32string_view(U"。।॥؟۔։።‽").find(c) != std::u32string_view::npos);
}

std::optional<std::size_t> sentence_end(std::u32string_view block, std::size_t at) {
  if (at > 0 && is_terminator(block[at - 1])) return std::nullopt;
  std::size_t end = at;
  while (end < block.size() && is_terminator(block[end])) ++end;
  const bool full_stop = end == at + 1 && block[at] == U'.';
  while (end < block.size() && is_closer(block[end])) ++end;
  if (end < block.size() && !is_space(block[end])) return std::nullopt;
  if (end == block.size() || !full_stop) return end;
  std::size_t letters = 0;
  while (letters < at && is_word(block[at - 1 - letters])) ++letters;
  if (letters == 1) return std::nullopt;
  return end;
}

}  // namespace akin
