#include "server/ingest/character_reference.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/utf8.h"

namespace akin::ingest {

namespace {

/// The longest name, "thetasym", and the longest number, "#x0010FFFF", are shorter.
constexpr std::size_t kLongest = 12;

char32_t numbered(std::string_view digits) noexcept {
  const bool hex = digits.starts_with('x') || digits.starts_with('X');
  if (hex) digits.remove_prefix(1);
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [read, failure] = std::from_chars(digits.data(), end, value, hex ? 16 : 10);
  if (failure != std::errc() || read != end || value > 0x10FFFF) return 0;
  if (value < 0x20) return value == U'\n' || value == U'\t' ? value : 0;
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  const bool control = value >= 0x7F && value < 0xA0;
  return surrogate || control ? 0 : static_cast<char32_t>(value);
}

char32_t named(std::string_view name) noexcept {
  std::array<xmlChar, kLongest + 1> terminated{};
  std::ranges::copy(name, terminated.begin());
  const htmlEntityDesc* known = htmlEntityLookup(terminated.data());
  return known == nullptr ? 0 : known->value;
}

}  // namespace

Entity read_character_reference(std::string_view text) noexcept {
  if (!text.starts_with('&')) return {};
  const std::string_view rest = text.substr(1, kLongest + 1);
  const std::size_t end = rest.find(';');
  if (end == std::string_view::npos || end == 0) return {};
  const std::string_view name = rest.substr(0, end);
  const char32_t character = name.starts_with('#') ? numbered(name.substr(1)) : named(name);
  return character == 0 ? Entity() : Entity{character, end + 2};
}

std::string decode_character_references(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find('&'), text.size());
    decoded += text.substr(0, next);
    text.remove_prefix(next);
    const Entity entity = read_character_reference(text);
    if (entity.bytes > 0) append_utf8(decoded, entity.character);
    if (entity.bytes == 0 && !text.empty()) decoded += '&';
    text.remove_prefix(std::min(std::max<std::size_t>(entity.bytes, 1), text.size()));
  }
  return decoded;
}

}  // namespace akin::ingest
