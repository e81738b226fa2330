#include "server/judge/number_words.h"

#include <cassert>
#include <charconv>
#include <string_view>

#include "base/built_in_list.h"
#include "base/hash.h"
#include "dict/fold/fold.h"

namespace akin::judge {

namespace {

constexpr BuiltInList kFiles[] = {
#include "server/judge/number_words.inc"
};

std::string_view cut_until(std::string_view& rest, char end) {
  const std::size_t at = rest.find(end);
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return part;
}

std::uint8_t small_number(std::string_view digits) {
  std::uint8_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void mark(NumberWord& word, std::string_view kind, std::string_view name) {
  if (kind == "scale") word.scale = small_number(name);
  if (kind == "month") word.month = small_number(name);
  if (kind == "year") word.year = true;
  if (kind == "unit") word.unit = unit_hash(name);
}

}  // namespace

std::uint64_t unit_hash(std::string_view name) noexcept {
  SpellingHash hash;
  for (const char c : name) hash.add(static_cast<unsigned char>(c));
  return hash.value() | 1U;  // 0 means no unit
}

NumberWords::NumberWords(const Dictionary& dictionary) {
  WordFolder folder;
  for (std::string_view table = kFiles[0].content; !table.empty();) {
    std::string_view words = cut_until(table, '\n');
    if (words.empty() || words.front() == '#') continue;
    std::string_view head = cut_until(words, ':');
    const std::string_view kind = cut_until(head, ' ');
    while (!words.empty()) {
      const std::string_view word = cut_until(words, ' ');
      if (!word.empty()) mark(words_[dictionary.hash(folder.fold(word))], kind, head);
    }
  }
}

}  // namespace akin::judge
