#include "server/json/long_strings.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace akin::json {

namespace {

constexpr auto kNpos = std::string_view::npos;

/// What does not stand for itself in a string: quotes, backslashes and control characters.
constexpr std::array<bool, 256> make_special() {
  std::array<bool, 256> special{};
  for (std::size_t c = 0; c < 0x20; ++c) special[c] = true;
  special['"'] = special['\\'] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecial = make_special();

std::size_t find_special(std::string_view json, std::size_t at) {
  while (at < json.size() && !kSpecial[static_cast<unsigned char>(json[at])]) ++at;
  return at;
}

/// Where the string that begins at `at` ends: at its quote. npos if it does not.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (at = find_special(json, at); at < json.size(); at = find_special(json, at)) {
    if (json[at] == '"') return at;
    if (json[at] != '\\') return kNpos;
    at += 2;
  }
  return kNpos;
}

std::optional<std::uint32_t> code_unit(std::string_view digits) {
  std::uint32_t unit = 0;
  if (digits.size() < 4) return std::nullopt;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  return failure == std::errc() && end == digits.data() + 4 ? std::optional(unit) : std::nullopt;
}

/// Appends what an escape stands for, and takes it off `raw`, which begins after the backslash.
bool append_escaped(std::string_view& raw, std::string& to) {
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const char name = raw.front();
  raw.remove_prefix(1);
  if (const auto at = kNames.find(name); at != kNpos) return to += kMeanings[at], true;
  std::optional<std::uint32_t> unit = name == 'u' ? code_unit(raw) : std::nullopt;
  if (!unit) return false;
  raw.remove_prefix(4);
  if (*unit >= 0xD800 && *unit < 0xDC00) {
    const auto second = raw.starts_with("\\u") ? code_unit(raw.substr(2)) : std::nullopt;
    if (!second || *second < 0xDC00 || *second > 0xDFFF) return false;
    raw.remove_prefix(6);
    unit = 0x10000 + ((*unit - 0xD800) << 10U) + (*second - 0xDC00);
  } else if (*unit >= 0xDC00 && *unit <= 0xDFFF) {
    return false;
  }
  append_utf8(to, static_cast<char32_t>(*unit));
  return true;
}

std::optional<std::string> value_of(std::string_view raw) {
  std::string value;
  value.reserve(raw.size());
  while (!raw.empty()) {
    const std::size_t plain = find_special(raw, 0);
    value += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    raw.remove_prefix(1);  // the backslash: end_of_string has found nothing else
    if (!append_escaped(raw, value)) return std::nullopt;
  }
  return value;
}

bool is_key(std::string_view json, std::size_t after) {
  const std::size_t next = json.find_first_not_of(" \t\r\n", after);
  return next != kNpos && json[next] == ':';
}

}  // namespace

std::optional<Shortened> take_long_strings(std::string_view json) {
  Shortened made;
  std::size_t kept = 0;  // up to here `made` has the text
  std::size_t token = 0;
  for (std::size_t at = json.find('"'); at != kNpos; at = json.find('"', at), ++token) {
    const std::size_t begin = at + 1, end = end_of_string(json, begin);
    if (end == kNpos) return std::nullopt;
    at = end + 1;
    if (end - begin < kLongString || is_key(json, at)) continue;
    std::optional<std::string> value = value_of(json.substr(begin, end - begin));
    if (!value) return std::nullopt;
    made.strings.push_back({token, *std::move(value)});
    made.json += json.substr(kept, begin - kept);
    kept = end;
  }
  if (made.strings.empty()) return std::nullopt;
  made.json += json.substr(kept);
  return made;
}

}  // namespace akin::json
