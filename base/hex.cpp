#include "base/hex.h"

#include "base/ascii.h"

namespace akin {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

/// -1 for anything but a lower-case hex digit.
int value_of(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

}  // namespace

std::string hex16(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t at = text.size(); at-- > 0; number >>= 4U) text[at] = kDigits[number & 0xfU];
  return text;
}

std::optional<std::uint64_t> parse_hex16(std::string_view digits) noexcept {
  std::uint64_t number = 0;
  if (digits.size() != 16) return std::nullopt;
  for (const char digit : digits) {
    const int value = value_of(digit);
    if (value < 0) return std::nullopt;
    number = number << 4U | static_cast<std::uint64_t>(value);
  }
  return number;
}

std::optional<char> byte_of_hex(std::string_view digits) noexcept {
  if (digits.size() != 2) return std::nullopt;
  const int high = value_of(ascii_lower(digits[0])), low = value_of(ascii_lower(digits[1]));
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

std::string percent_decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = text[at] == '%' ? byte_of_hex(text.substr(at + 1, 2)) : std::nullopt;
    bytes += byte.value_or(text[at]);
    if (byte) at += 2;
  }
  return bytes;
}

std::string hex_of(std::string_view bytes) {
  std::string digits;
  digits.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4U];
    digits += kDigits[byte & 0xfU];
  }
  return digits;
}

std::optional<std::string> bytes_of_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    const int high = value_of(digits[at]);
    const int low = value_of(digits[at + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace akin
