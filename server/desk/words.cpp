#include "server/desk/words.h"

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"
#include "base/percent.h"

namespace akin::desk {

std::string_view Words::of(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Named::name);
  return found == list.end() ? name : found->text;
}

const Words* words_of(std::string_view tag) {
  const auto found = std::ranges::find(languages(), tag, &Words::tag);
  return found == languages().end() ? nullptr : *found;
}

const Words& words_for(std::string_view accept_language) {
  for (const std::string_view range : split(accept_language, ',')) {
    const std::string tag = ascii_lower(trimmed(range.substr(0, range.find(';'))));
    if (const Words* words = words_of(tag.substr(0, tag.find('-')))) return *words;
  }
  return *languages().front();
}

std::string filled(std::string_view text, const std::vector<std::string>& arguments) {
  std::string made;
  while (!text.empty()) {
    const std::size_t mark = text.find('%');
    made += text.substr(0, mark);
    if (mark == std::string_view::npos) break;
    const char digit = mark + 1 < text.size() ? text[mark + 1] : ' ';
    const auto place = static_cast<std::size_t>(digit - '1');
    if (digit >= '1' && digit <= '9' && place < arguments.size()) {
      made += arguments[place];
      text.remove_prefix(mark + 2);
    } else {
      made += '%';
      text.remove_prefix(mark + 1);
    }
  }
  return made;
}

std::string number(const Words& words, std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string made;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) made += words.thousands_mark;
    made += digits[i];
  }
  return made;
}

std::string megabytes(const Words& words, std::uint64_t bytes) {
  constexpr std::uint64_t kTenth = 100'000, kTenthOfKilobyte = 100, kLeastMegabyte = 999'950;
  const bool is_small = bytes < kLeastMegabyte;
  const std::uint64_t unit = is_small ? kTenthOfKilobyte : kTenth;
  const std::uint64_t tenths = std::max<std::uint64_t>((bytes + unit / 2) / unit, bytes > 0 ? 1 : 0);
  return number(words, tenths / 10) + std::string(words.decimal_point) + std::to_string(tenths % 10) +
         "\u00a0" + std::string(is_small ? words.kilobyte : words.megabyte);
}

std::string percent(const Words& words, double share) {
  const auto [tenths, is_less] = printed_share(share);
  return (is_less ? "<" : "") + std::to_string(tenths / 10) + std::string(words.decimal_point) +
         std::to_string(tenths % 10) + "\u00a0%";
}

}  // namespace akin::desk
