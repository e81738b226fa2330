#include "server/check/references.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/ascii.h"
#include "base/built_in_list.h"
#include "base/utf8.h"
#include "server/check/letters.h"
#include "server/check/lines.h"
#include "server/check/quotations.h"
#include "server/check/ranges.h"

namespace akin::check {

namespace {

constexpr BuiltInList kReferenceWordFiles[] = {
#include "server/check/reference_words.inc"
};

using LetterView = std::u32string_view;

/// Ascending.
struct ReferenceWords {
  std::vector<std::u32string> points, repeats, pages;
};

const ReferenceWords& reference_words() {
  static const ReferenceWords kWords = [] {
    ReferenceWords words;
    for (const Line& line : lines_of(kReferenceWordFiles[0].content)) {
      const auto take = [&](std::string_view kind, std::vector<std::u32string>& list) {
        if (line.text.starts_with(kind)) list.push_back(to_utf32(line.text.substr(kind.size())));
      };
      take("points: ", words.points);
      take("repeats: ", words.repeats);
      take("pages: ", words.pages);
    }
    std::ranges::sort(words.points);
    std::ranges::sort(words.repeats);
    std::ranges::sort(words.pages);
    return words;
  }();
  return kWords;
}

bool is_decimal(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_alphabetic(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }
bool is_capital(char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }
bool is_raised_digit(char32_t c) {
  return c == U'¹' || c == U'²' || c == U'³' || c == U'⁰' || (c >= U'⁴' && c <= U'⁹');
}
char32_t lower_case(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

/// Whether there are four digits from 1500 to 2099 that are not part of a longer number.
bool names_year(LetterView text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_decimal(text[end])) ++end;
    const LetterView digits = text.substr(at, end - at);
    if (digits.size() == 4 && digits >= U"1500" && digits < U"2100") return true;
    at = end + 1;
  }
  return false;
}

/// Whether the text begins with these words, which end there.
bool begins_with(LetterView text, LetterView words) {
  if (text.size() < words.size()) return false;
  for (std::size_t at = 0; at < words.size(); ++at)
    if (lower_case(text[at]) != words[at]) return false;
  return text.size() == words.size() || !is_alphabetic(words.back()) || !is_alphabetic(text[words.size()]);
}

constexpr LetterView kBlanks = U" \u00a0\n\r\t";

std::size_t skip_blanks(LetterView text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

/// The length of the longest of `all`, which ascend, that the text begins with; 0 if there is none.
std::size_t longest_of(const std::vector<std::u32string>& all, LetterView text) {
  if (text.empty()) return 0;
  const char32_t first = lower_case(text.front());
  std::size_t longest = 0;
  for (auto words = std::ranges::lower_bound(all, LetterView(&first, 1)); words != all.end(); ++words) {
    if (words->front() != first) break;
    if (begins_with(text, *words)) longest = std::max(longest, words->size());
  }
  return longest;
}

/// The words that point to a work at the beginning, with the white space after them; 0 if there are none.
std::size_t pointing(LetterView text) {
  const std::size_t longest = longest_of(reference_words().points, text);
  return longest == 0 ? 0 : skip_blanks(text, longest);
}

bool is_name_and_year(LetterView text) {
  return !text.empty() && is_capital(text.front()) && names_year(text);
}

/// Whether the text begins with one of the words for a page, and a number: "p. 196".
bool is_page(LetterView text) {
  const std::size_t word = longest_of(reference_words().pages, text);
  const std::size_t at = skip_blanks(text, word);
  return word > 0 && at < text.size() && is_decimal(text[at]);
}

/// Whether the text begins with a place in a work whose name is abbreviated: "Il. xxiii. 288", "Мф. 5:3".
bool is_place(LetterView text) {
  if (text.empty() || !is_capital(text.front())) return false;
  const auto run = [&](std::size_t at, const auto& is) {
    while (at < text.size() && is(text[at])) ++at;
    return at;
  };
  const auto has = [&](std::size_t at, char32_t c) { return at < text.size() && text[at] == c; };
  std::size_t at = run(0, is_alphabetic);
  if (!has(at, U'.')) return false;
  const std::size_t book = skip_blanks(text, at + 1);
  const auto is_roman = [](char32_t c) { return LetterView(U"ivxlcIVXLC").find(c) != LetterView::npos; };
  const std::size_t roman = run(book, is_roman), arabic = run(book, is_decimal);
  at = 0;
  if (roman > book && has(roman, U'.')) at = skip_blanks(text, roman + 1);
  if (arabic > book && has(arabic, U':')) at = skip_blanks(text, arabic + 1);
  return at > 0 && at < text.size() && is_decimal(text[at]);
}

/// Where sentences begin with a capital after the end of another in the same paragraph.
std::vector<std::uint32_t> sentence_begins(LetterView text) {
  constexpr std::size_t kInitial = 2, kTitle = 4;  // letters: "J.", "St.", "Prof."
  const auto is_in = [](LetterView all, char32_t c) { return all.find(c) != LetterView::npos; };
  std::vector<std::uint32_t> begins;
  for (std::size_t end = 0; end < text.size(); ++end) {
    if (!is_in(U".!?…", text[end])) continue;
    std::size_t word = end;
    while (word > 0 && is_alphabetic(text[word - 1])) --word;
    const std::size_t letters = end - word;
    const bool is_short = letters <= kInitial || (letters <= kTitle && is_capital(text[word]));
    if (text[end] == U'.' && letters > 0 && is_short) continue;
    std::size_t begin = end + 1;  // of the next word, after marks of quotations, notes and white space
    bool is_apart = false;
    for (; begin < text.size(); ++begin) {
      const bool is_blank = is_in(kBlanks, text[begin]);
      is_apart = is_apart || is_blank;
      const bool is_mark = is_in(U"«»„“”‘’\"'()[]", text[begin]) || is_decimal(text[begin]);
      if (!is_blank && !is_mark && !is_raised_digit(text[begin])) break;
    }
    if (is_apart && begin < text.size() && is_capital(text[begin]))
      begins.push_back(static_cast<std::uint32_t>(begin));
  }
  return begins;
}

/// Finds references one after another.
class ReferenceFinder {
 public:
  explicit ReferenceFinder(LetterView text) : text_(text) {}

  std::vector<Reference> run() {
    bool after_letter = false;
    for (std::size_t at = 0; at < text_.size();) {
      const bool is_letter = is_alphabetic(text_[at]);
      const std::size_t length = is_letter ? (after_letter ? 0 : in_words(at)) : between_words(at);
      if (length > 0)
        found_.push_back(
            {{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + length)}, is_note(at)});
      at += std::max<std::size_t>(length, 1);
      after_letter = length > 0 ? is_alphabetic(text_[at - 1]) : is_letter;
    }
    return std::move(found_);
  }

 private:
  /// Of a reference that begins there.
  [[nodiscard]] bool is_note(std::size_t at) const {
    return is_raised_digit(text_[at]) || (text_[at] == U'[' && !is_alphabetic(text_[at + 1]));
  }

  /// The length of the reference that begins there, where no letter is; 0 if there is none.
  [[nodiscard]] std::size_t between_words(std::size_t at) const {
    switch (text_[at]) {
      case U'[':
        return in_brackets(at);
      case U'(':
        return in_parentheses(at);
      default:
        return is_raised_digit(text_[at]) ? raised(at) : 0;
    }
  }

  /// The text between a mark and its partner in the same line, near it; empty if there is none.
  [[nodiscard]] LetterView inside(std::size_t at, char32_t partner) const {
    constexpr std::size_t kLongest = 120;
    const LetterView rest = text_.substr(at + 1, kLongest);
    const std::size_t end = rest.find_first_of(std::u32string({partner, U'\n'}));
    return end == LetterView::npos || rest[end] == U'\n' ? LetterView() : rest.substr(0, end);
  }

  [[nodiscard]] std::size_t in_brackets(std::size_t at) const {
    const LetterView text = inside(at, U']');
    if (text.empty()) return 0;
    const bool numbered =
        is_decimal(text.front()) && text.front() != U'0' && text.find_first_of(U"/%=+") == LetterView::npos;
    const bool note = text.front() == U'^';
    return numbered || note || is_name_and_year(text) ? text.size() + 2 : 0;
  }

  [[nodiscard]] std::size_t in_parentheses(std::size_t at) const {
    const LetterView text = inside(at, U')');
    if (text.empty()) return 0;
    const bool named = is_name_and_year(text.substr(pointing(text)));
    const bool behind_name = is_decimal(text.front()) && names_year(text.substr(0, 4)) && follows_name(at) &&
                             text.find_first_of(U"–—-") == LetterView::npos;
    const bool is_known = named || behind_name || repeats(text) > 0 || is_page(text) || is_place(text);
    return is_known ? text.size() + 2 : 0;
  }

  /// Whether a word with a capital, or "et al.", and a blank are before this place.
  [[nodiscard]] bool follows_name(std::size_t at) const {
    if (at == 0 || text_[at - 1] != U' ') return false;
    std::size_t begin = at - 1;
    while (begin > 0 && (is_alphabetic(text_[begin - 1]) || text_[begin - 1] == U'.')) --begin;
    const LetterView word = text_.substr(begin, at - 1 - begin);
    return !word.empty() && (is_capital(word.front()) || word == U"al." || word == U"др.");
  }

  [[nodiscard]] std::size_t raised(std::size_t at) const {
    constexpr std::size_t kUnit = 2;  // m², км³
    std::size_t letters = 0;
    while (letters < at && is_alphabetic(text_[at - letters - 1])) ++letters;
    if (at == 0 || is_decimal(text_[at - 1]) || (letters > 0 && letters <= kUnit)) return 0;
    std::size_t end = at;
    while (end < text_.size() && is_raised_digit(text_[end])) ++end;
    return end - at;
  }

  [[nodiscard]] static std::size_t repeats(LetterView text) {
    return longest_of(reference_words().repeats, text);
  }

  /// At the beginning of a word.
  [[nodiscard]] std::size_t in_words(std::size_t at) const {
    constexpr std::size_t kNear = 80;
    if (const std::size_t length = repeats(text_.substr(at)); length > 0) return length;
    const std::size_t points = pointing(text_.substr(at));
    if (points == 0) return 0;
    LetterView rest = text_.substr(at + points, kNear);
    rest = rest.substr(0, rest.find_first_of(U"\n;)"));
    return is_name_and_year(rest) ? points + rest.size() : 0;
  }

  const LetterView text_;
  std::vector<Reference> found_;
};

/// Where paragraphs end.
std::vector<std::uint32_t> paragraph_ends(const std::vector<Line>& lines) {
  std::vector<std::uint32_t> ends;
  std::uint32_t end = 0;
  for (const Line& line : lines) {
    if (line.blank || line.ends_paragraph) ends.push_back(line.blank ? end : line.range.end);
    end = line.range.end;
  }
  ends.push_back(end);
  return ends;
}

/// The part of the text in which a reference to a passage lies, but for the passage.
TextRange surroundings(TextRange passage, std::uint32_t near, const std::vector<std::uint32_t>& ends) {
  const auto last = std::ranges::lower_bound(ends, passage.end);
  const auto first = std::ranges::upper_bound(ends, passage.begin);
  const std::uint32_t begin = first == ends.begin() ? 0 : *(first - 1);
  const std::uint32_t end = last == ends.end() ? passage.end : *last;
  return {std::max(begin, passage.begin - std::min(passage.begin, near)), std::min(end, passage.end + near)};
}

}  // namespace

std::vector<Reference> find_references(std::string_view utf8) {
  return ReferenceFinder(to_utf32(utf8)).run();
}

Citations::Citations(std::string_view text, const Letters& letters)
    : Citations(to_utf32(text), lines_of(text), letters) {}

Citations::Citations(std::u32string_view letters_of_text, const std::vector<Line>& lines,
                     const Letters& letters)
    : references_(ReferenceFinder(letters_of_text).run()),
      sentence_begins_(sentence_begins(letters_of_text)),
      paragraph_ends_(paragraph_ends(lines)),
      quotations_(find_quotations(lines)),
      letters_(letters),
      unquoted_(letters.without(quotations_)) {}

Citation Citations::of(TextRange passage) const {
  constexpr std::uint32_t kNear = 150;  // code points
  const TextRange near = surroundings(passage, kNear, paragraph_ends_);
  Citation citation{.quoted = 2 * unquoted_.count(passage) < letters_.count(passage)};
  const auto begin_of = [](const Reference& one) { return one.range.begin; };
  auto reference = std::ranges::lower_bound(references_, near.begin, {}, begin_of);
  for (; reference != references_.end() && begin_of(*reference) < near.end && !citation.referenced;
       ++reference) {
    const TextRange& range = reference->range;
    citation.referenced = (range.end <= passage.begin + kNear || range.begin + kNear >= passage.end) &&
                          !(reference->is_note && is_on_another_sentence(range, passage));
  }
  return citation;
}

bool Citations::is_on_another_sentence(TextRange note, TextRange passage) const {
  if (note.begin < passage.end && note.end > passage.begin) return false;
  const bool is_before = note.end <= passage.begin;
  const std::uint32_t begin = is_before ? note.end : passage.end;
  const std::uint32_t end = is_before ? passage.begin + 1 : note.begin;
  const auto first = std::ranges::lower_bound(sentence_begins_, begin);
  return first != sentence_begins_.end() && *first < end;
}

void note_citations(const Citations& citations, std::vector<Source>& sources) {
  for (Source& source : sources) {
    for (const Passage& passage : source.passages) source.citations.push_back(citations.of(passage.a));
  }
}

}  // namespace akin::check
