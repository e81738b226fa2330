#include "morph/schemes/windows_1251.h"

#include <algorithm>
#include <iterator>

namespace akin {
namespace {

struct Pair {
  char32_t letter;
  std::uint8_t code;
};

/// The folded letters outside ASCII and а … я.
constexpr Pair kLetters[] = {{U'є', 0xba}, {U'ѕ', 0xbe}, {U'і', 0xb3}, {U'ї', 0xbf}, {U'ј', 0xbc},
                             {U'љ', 0x9a}, {U'њ', 0x9c}, {U'ћ', 0x9e}, {U'ќ', 0x9d}, {U'ѓ', 0x83},
                             {U'ђ', 0x90}, {U'ў', 0xa2}, {U'џ', 0x9f}, {U'ґ', 0xb4}};

}  // namespace

std::uint8_t windows_1251(char32_t c) noexcept {
  if (c < 0x80) return static_cast<std::uint8_t>(c);
  if (c >= U'а' && c <= U'я') return static_cast<std::uint8_t>(0xe0 + (c - U'а'));
  const auto* const found =
      std::find_if(std::begin(kLetters), std::end(kLetters), [c](const Pair& p) { return p.letter == c; });
  return found != std::end(kLetters) ? found->code : std::uint8_t{'?'};
}

}  // namespace akin
