#include "dict/read/flags.h"

#include <algorithm>
#include <charconv>

#include "dict/read/encoding.h"

namespace akin {
namespace {

std::string_view append_numbers(std::string_view field, std::vector<Flag>& out) {
  constexpr unsigned kLargest = 65534;
  constexpr Flag kZero = 65535;  // Flag{0} means that a flag is not set; Hunspell accepts the number 0
  while (true) {
    const std::size_t comma = field.find(',');
    const std::string_view digits = field.substr(0, comma);
    unsigned number = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (status != std::errc{} || number > kLargest) {
      return "a flag is not a number from 0 to 65534";
    }
    out.push_back(number == 0 ? kZero : static_cast<Flag>(number));
    if (comma == std::string_view::npos) return {};
    field.remove_prefix(comma + 1);
  }
}

std::string_view append_characters(std::string_view field, std::vector<Flag>& out) {
  static const Encoding utf8 = *Encoding::named("UTF-8");
  std::u32string letters;
  if (!utf8.decode(field, letters)) return "its flags are not UTF-8 though FLAG says so";
  for (const char32_t c : letters) {
    if (c == 0 || c > 0xffff) return "a flag is not a character from U+0001 to U+FFFF";
    out.push_back(static_cast<Flag>(c));
  }
  return {};
}

}  // namespace

std::string_view append_flags(std::string_view field, FlagType type, std::vector<Flag>& out) {
  switch (type) {
    case FlagType::number:
      return append_numbers(field, out);
    case FlagType::utf8:
      return append_characters(field, out);
    case FlagType::two_characters:
      if (field.size() % 2 != 0) return "its flags are not pairs of characters though FLAG says so";
      for (std::size_t i = 0; i < field.size(); i += 2) {
        const unsigned high = static_cast<unsigned char>(field[i]);
        out.push_back(static_cast<Flag>((high << 8) | static_cast<unsigned char>(field[i + 1])));
      }
      break;
    case FlagType::character:
      for (const char c : field) out.push_back(static_cast<unsigned char>(c));
      break;
  }
  return {};
}

std::string_view append_rule_flags(std::string_view pattern, FlagType type, std::vector<Flag>& out) {
  while (!pattern.empty()) {
    constexpr std::string_view kSigns = "()*?";
    const std::size_t begin = pattern.find_first_not_of(kSigns);
    if (begin == std::string_view::npos) break;
    const std::size_t end = pattern.find_first_of(kSigns, begin);
    const std::size_t length = (end == std::string_view::npos ? pattern.size() : end) - begin;
    if (const auto wrong = append_flags(pattern.substr(begin, length), type, out); !wrong.empty())
      return wrong;
    pattern.remove_prefix(begin + length);
  }
  return {};
}

void make_set(std::vector<Flag>& flags) {
  std::sort(flags.begin(), flags.end());
  flags.erase(std::unique(flags.begin(), flags.end()), flags.end());
}

}  // namespace akin
