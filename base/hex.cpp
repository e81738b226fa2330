#include "base/hex.h"

namespace akin {

std::string hex16(std::uint64_t number) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t at = text.size(); at-- > 0; number >>= 4U) text[at] = kDigits[number & 0xfU];
  return text;
}

std::optional<std::uint64_t> parse_hex16(std::string_view digits) noexcept {
  std::uint64_t number = 0;
  if (digits.size() != 16) return std::nullopt;
  for (const char digit : digits) {
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (digit < 'a' || digit > 'f')) return std::nullopt;
    number = number << 4U | static_cast<std::uint64_t>(decimal ? digit - '0' : digit - 'a' + 10);
  }
  return number;
}

}  // namespace akin
