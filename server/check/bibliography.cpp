#include "server/check/bibliography.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "server/check/lines.h"

namespace akin::check {

namespace {

constexpr std::string_view kHeadingList =
#include "server/check/headings.inc"
    ;
constexpr std::uint32_t kLongestHeading = 100;  // code points of a line

/// The words of a line, folded, each followed by a blank; and whether a digit follows the last.
struct FoldedLine {
  std::string words;
  bool ends_in_digit = false;
};

bool is_roman(std::u32string_view word) {
  return word.find_first_not_of(U"ivxlc") == std::u32string_view::npos;
}

FoldedLine folded(std::string_view line) {
  FoldedLine result;
  WordFolder folder;
  std::size_t begin = 0;
  bool in_word = false;
  const auto end_word = [&](std::size_t end) {
    if (!in_word) return;
    in_word = false;
    const std::u32string_view word = folder.fold(line.substr(begin, end - begin)).letters;
    if (result.words.empty() && is_roman(word)) return;
    result.words += to_utf8(word) + ' ';
    result.ends_in_digit = false;
  };
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t here = at;
    const CharKind kind = CharTable::instance()[next_code_point(line, at)].kind();
    const bool of_word = kind == CharKind::letter || kind == CharKind::solo || kind == CharKind::mark ||
                         kind == CharKind::soft_hyphen || kind == CharKind::ignorable;
    if (of_word && !in_word) {
      in_word = true;
      begin = here;
    } else if (!of_word) {
      end_word(here);
      if (kind == CharKind::digit) result.ends_in_digit = true;
    }
  }
  end_word(line.size());
  return result;
}

struct Headings {
  std::set<std::string, std::less<>> lists;
  std::vector<std::string> after;
};

Headings read_headings() {
  Headings headings;
  constexpr std::string_view kList = "list: ";
  constexpr std::string_view kAfter = "after: ";
  for (const Line& line : lines_of(kHeadingList)) {
    if (line.text.starts_with(kList)) headings.lists.insert(folded(line.text.substr(kList.size())).words);
    if (line.text.starts_with(kAfter)) {
      headings.after.push_back(folded(line.text.substr(kAfter.size())).words);
    }
  }
  return headings;
}

enum class LineKind : std::uint8_t { other, list, after };

LineKind kind_of(const Line& line) {
  static const Headings kHeadings = read_headings();
  if (line.blank || line.range.end - line.range.begin > kLongestHeading) return LineKind::other;
  const FoldedLine words = folded(line.text);
  if (!words.ends_in_digit && kHeadings.lists.contains(words.words)) return LineKind::list;
  const auto begins = [&](const std::string& heading) { return words.words.starts_with(heading); };
  return std::ranges::any_of(kHeadings.after, begins) ? LineKind::after : LineKind::other;
}

}  // namespace

std::vector<TextRange> find_bibliographies(std::string_view utf8) {
  std::vector<TextRange> found;
  bool in_list = false;
  for (const Line& line : lines_of(utf8)) {
    const LineKind kind = kind_of(line);
    if (kind != LineKind::other) in_list = kind == LineKind::list;
    if (kind == LineKind::list) {
      found.push_back(line.range);
    } else if (in_list && !line.blank) {
      found.back().end = line.range.end;
    }
  }
  return found;
}

}  // namespace akin::check
