#include "server/check/entries.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::check {

namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool is_upper(char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }
bool is_letter(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }

/// A number of four digits from 1500 to 2099, not within a longer one.
bool has_year(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_ascii_digit(text[end])) ++end;
    const std::string_view digits = text.substr(at, end - at);
    if (digits.size() == 4 && digits >= "1500" && digits < "2100") return true;
    at = end + 1;
  }
  return false;
}

bool has_address(std::string_view text) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"://", " // ", "www.", "doi", "ISBN"},
      [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

/// The beginning of an entry.
struct Beginning {
  bool numbered = false;  ///< a number before it: "3.", "[3]"
  bool named = false;     ///< a name with initials: "Ivanov, I.", after a number also "I. Ivanov"
};

/// How many of these letters are an initial with its point: "I.", "Yu."
std::size_t initial_at(std::u32string_view text, std::size_t at) {
  if (at >= text.size() || !is_upper(text[at])) return 0;
  std::size_t end = at + 1;
  if (end < text.size() && is_letter(text[end]) && !is_upper(text[end])) ++end;
  return end < text.size() && text[end] == U'.' ? end + 1 - at : 0;
}

Beginning beginning_of(std::string_view utf8) {
  constexpr std::size_t kLongestName = 60;  // code points
  std::u32string text = to_utf32(utf8.substr(0, 4 * kLongestName));
  text.resize(std::min(text.size(), kLongestName));
  Beginning beginning;
  std::size_t at = 0;
  const auto skip = [&](auto is) {
    while (at < text.size() && is(text[at])) ++at;
  };
  skip([](char32_t c) {
    return c == U' ' || c == U'\t' || c == U'\u00a0' || c == U'[' || c == U'(' || c == U'•' || c == U'*';
  });
  const std::size_t number = at;
  skip([](char32_t c) { return c >= U'0' && c <= U'9'; });
  beginning.numbered = at > number && at - number < 4 && at < text.size() &&
                       std::u32string_view(U".)] \t").find(text[at]) != std::u32string_view::npos;
  skip([](char32_t c) { return !is_letter(c) && c != U'\n'; });
  if (initial_at(text, at) > 0) {
    beginning.named = beginning.numbered;
    return beginning;
  }
  if (at == text.size() || !is_upper(text[at])) return beginning;
  // The surname, which may have several parts ("de la Cruz" begins with its second one in some lists).
  skip([](char32_t c) { return is_letter(c) || c == U'-' || c == U'’' || c == U'\''; });
  skip([](char32_t c) { return c == U',' || c == U' ' || c == U'\u00a0'; });
  beginning.named = initial_at(text, at) > 0;
  return beginning;
}

bool ends_sentence(std::string_view line) {
  line = trimmed(line);
  return line.ends_with('.') || line.ends_with('!') || line.ends_with('?') || line.ends_with("…");
}

std::vector<std::string_view> between_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Whether the word ends a sentence, perhaps in quotation marks or a bracket.
bool ends_sentence_with(std::string_view word) {
  for (const std::string_view closing : {"»", "”", "“", "\"", "’", ")", "]"})
    if (word.ends_with(closing)) word.remove_suffix(closing.size());
  return ends_sentence(word);
}

/// Lines that a reader takes for one entry.
struct Item {
  std::size_t first = 0, last = 0;  ///< of its lines
  bool clear = false;               ///< begins with a name and has a year or an address
  bool possible = false;            ///< has the form of an entry
};

std::vector<Item> items_of(const std::vector<Line>& lines) {
  std::vector<Item> items;
  bool after_blank = true, named = false;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const Line& line = lines[at];
    if (!line.blank) {
      const Beginning beginning = beginning_of(line.text);
      if (after_blank || beginning.numbered || beginning.named) {
        items.push_back({at, at});
        named = beginning.named;
      }
      Item& item = items.back();
      item.last = at;
      item.possible = item.possible || is_entry(line);
      item.clear = item.clear || (named && (has_year(line.text) || has_address(line.text)));
    }
    after_blank = line.blank || line.ends_paragraph;
  }
  return items;
}

}  // namespace

bool is_entry(const Line& line) {
  constexpr std::uint32_t kLongest = 1000;  // code points
  if (line.range.end - line.range.begin > kLongest) return false;
  const std::size_t begin = std::min(line.text.find_first_not_of(" \t[("), line.text.size());
  const std::string_view text = line.text.substr(begin);
  if (!text.empty() && is_ascii_digit(text.front())) return true;
  return has_year(text) || has_address(text);
}

std::size_t end_of_paragraph(const std::vector<Line>& lines, std::size_t at) {
  const auto is_long = [](const Line& line) { return line.range.end - line.range.begin > kLongestEntry; };
  if (is_long(lines[at])) return at + 1;
  std::size_t end = at + 1;
  for (; end < lines.size() && !lines[end].blank && !lines[end - 1].ends_paragraph; ++end) {
    const Beginning beginning = beginning_of(lines[end].text);
    if (beginning.numbered || beginning.named || is_long(lines[end])) break;
  }
  return end;
}

bool is_prose(std::string_view paragraph) {
  constexpr std::size_t kSentence = 10, kFewest = 2;  // words of a sentence, sentences
  if (count_code_points(paragraph) <= kLongestEntry) return false;
  std::size_t words = 0, in_sentence = 0, sentences = 0, in_sentences = 0;
  for (const std::string_view word : between_blanks(paragraph)) {
    if (std::ranges::any_of(to_utf32(word), is_letter)) ++words, ++in_sentence;
    if (!ends_sentence_with(word)) continue;
    if (in_sentence >= kSentence) ++sentences, in_sentences += in_sentence;
    in_sentence = 0;
  }
  return sentences >= kFewest && 2 * in_sentences > words;
}

std::vector<TextRange> find_lists_of_entries(const std::vector<Line>& lines) {
  constexpr std::size_t kFewest = 4;
  constexpr std::uint32_t kLongest = 600, kHeading = 100;  // code points of an entry, of a heading
  const std::vector<Item> items = items_of(lines);
  const auto range_of = [&](const Item& item) {
    return TextRange{lines[item.first].range.begin, lines[item.last].range.end};
  };
  const auto length = [&](const Item& item) { return range_of(item).end - range_of(item).begin; };
  const auto may_be_entry = [&](const Item& item) {
    const std::string_view begin = lines[item.first].text, end = lines[item.last].text;
    return length(item) <= kLongest &&
           !is_prose({begin.data(), static_cast<std::size_t>(end.data() + end.size() - begin.data())});
  };
  std::vector<TextRange> found;
  for (std::size_t at = 0; at < items.size();) {
    // Between clear entries there may be some without an author.
    std::size_t clear = 0, end = at, others = 0;
    for (std::size_t next = at; next < items.size() && others <= clear && may_be_entry(items[next]); ++next) {
      if (items[next].clear) {
        ++clear;
        others = 0;
        end = next + 1;
      } else if (items[next].possible) {
        ++others;
      } else {
        break;
      }
    }
    if (!items[at].clear || clear < kFewest) {
      ++at;
      continue;
    }
    const bool headed =
        at > 0 && length(items[at - 1]) <= kHeading && !ends_sentence(lines[items[at - 1].last].text);
    found.push_back({range_of(items[headed ? at - 1 : at]).begin, range_of(items[end - 1]).end});
    at = end;
  }
  return found;
}

}  // namespace akin::check
