#include "server/check/bibliography.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/built_in_list.h"
#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "server/check/entries.h"
#include "server/check/lines.h"
#include "server/check/ranges.h"

namespace akin::check {

namespace {

constexpr BuiltInList kHeadingFiles[] = {
#include "server/check/headings.inc"
};
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

using Words = std::set<std::string, std::less<>>;

/// The words that headings of one language consist of, folded.
struct HeadingWords {
  Words nouns, beside;
};

struct Headings {
  Words lists;
  std::vector<HeadingWords> languages;
  std::vector<std::string> after;
};

std::vector<std::string_view> words_of(std::string_view folded_words) {
  return split(trimmed(folded_words), ' ');
}

Headings read_headings() {
  Headings headings;
  const auto value = [](std::string_view line, std::string_view key) -> std::optional<std::string> {
    if (!line.starts_with(key)) return std::nullopt;
    return folded(line.substr(key.size())).words;
  };
  for (const Line& line : lines_of(kHeadingFiles[0].content)) {
    if (line.text.starts_with("#") || headings.languages.empty()) headings.languages.emplace_back();
    HeadingWords& language = headings.languages.back();
    if (auto list = value(line.text, "list: ")) headings.lists.insert(*std::move(list));
    if (auto after = value(line.text, "after: ")) headings.after.push_back(*std::move(after));
    if (const auto nouns = value(line.text, "nouns: "))
      for (const std::string_view word : words_of(*nouns)) language.nouns.emplace(word);
    if (const auto beside = value(line.text, "beside: "))
      for (const std::string_view word : words_of(*beside)) language.beside.emplace(word);
  }
  return headings;
}

/// Whether a line consists of words of headings of one language.
bool is_made_of(std::string_view folded_words, const HeadingWords& language) {
  constexpr std::size_t kMostWords = 8;
  const std::vector<std::string_view> words = words_of(folded_words);
  if (words.size() < 2 || words.size() > kMostWords) return false;
  const auto is_noun = [&](std::string_view word) { return language.nouns.contains(word); };
  return std::ranges::any_of(words, is_noun) && std::ranges::all_of(words, [&](std::string_view word) {
           return is_noun(word) || language.beside.contains(word);
         });
}

enum class LineKind : std::uint8_t { other, list, after };

LineKind kind_of(const Line& line) {
  static const Headings kHeadings = read_headings();
  if (line.blank || line.range.end - line.range.begin > kLongestHeading) return LineKind::other;
  const FoldedLine words = folded(line.text);
  const bool named = kHeadings.lists.contains(words.words) ||
                     std::ranges::any_of(kHeadings.languages, [&](const HeadingWords& language) {
                       return is_made_of(words.words, language);
                     });
  if (!words.ends_in_digit && named) return LineKind::list;
  const auto begins = [&](const std::string& heading) { return words.words.starts_with(heading); };
  return std::ranges::any_of(kHeadings.after, begins) ? LineKind::after : LineKind::other;
}

}  // namespace

std::vector<TextRange> find_bibliographies(std::string_view utf8) {
  constexpr int kMostOthers = 3;  // paragraphs in a row that have no form of an entry
  constexpr int kChapter = 2;     // paragraphs of prose, which end the list
  std::vector<TextRange> found;
  bool in_list = false, after_blank = false, interrupted = false;
  int others = 0, prose = 0;
  std::size_t end_of_prose = 0, end_of_judged = 0;
  const std::vector<Line> lines = lines_of(utf8);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const Line& line = lines[at];
    const LineKind kind = kind_of(line);
    if (kind != LineKind::other) in_list = kind == LineKind::list;
    if (in_list && kind == LineKind::other && !line.blank && at >= end_of_judged) {
      end_of_judged = end_of_paragraph(lines, at);
      const Line& last = lines[end_of_judged - 1];
      const auto bytes = static_cast<std::size_t>(last.text.data() + last.text.size() - line.text.data());
      if (is_prose({line.text.data(), bytes})) {
        end_of_prose = end_of_judged;
        in_list = ++prose < kChapter;
      }
    }
    if (kind == LineKind::list) {
      found.push_back(line.range);
      others = prose = 0;
      interrupted = false;
    } else if (at < end_of_prose) {
      interrupted = true;  // what is between entries is compared
    } else if (in_list && !line.blank) {
      if (is_entry(line)) {
        if (interrupted) found.push_back(line.range);
        interrupted = false;
        others = 0;
      } else if (line.range.end - line.range.begin > kLongestEntry ||
                 (after_blank && ++others == kMostOthers)) {
        in_list = false;
      }
      // What has no form of an entry belongs to the list if an entry follows, or if it continues one.
      if (in_list && others == 0 && !interrupted) found.back().end = line.range.end;
    }
    after_blank = line.blank;
  }
  std::ranges::copy(find_lists_of_entries(lines), std::back_inserter(found));
  join_ranges(found);
  return found;
}

}  // namespace akin::check
