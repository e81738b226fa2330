#include "tests/experiments/arrivals.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "tests/experiments/set_lines.h"

namespace akin::experiments {
namespace {

using Text = std::u32string;

constexpr std::size_t kColumns = 72;
constexpr std::size_t kPage = 1800;

Text number_of(std::size_t n) {
  const std::string digits = std::to_string(n);
  return {digits.begin(), digits.end()};
}

std::string spaced_lines(const Paragraphs& text, std::uint32_t) {
  return joined(page_lines(text, kColumns), U"\n\n");
}

/// The same, and paragraphs are not set off at all.
std::string evenly_spaced_lines(const Paragraphs& text, std::uint32_t) {
  Lines lines = page_lines(text, kColumns);
  std::erase(lines, Text());
  return joined(lines, U"\n\n");
}

std::string indented(const Paragraphs& text, std::uint32_t) {
  Lines all;
  for (const Text& paragraph : text)
    for (Text& line : wrapped(paragraph, kColumns, U"    ")) all.push_back(std::move(line));
  return joined(all);
}

std::string indented_whole(const Paragraphs& text, std::uint32_t) {
  Lines all;
  for (const Text& paragraph : text) all.push_back(U"   " + paragraph);
  return joined(all);
}

/// A footnote mark after each final mark (and closing quotation mark) before white space, for a share of
/// them.
auto noted(double share, std::function<Text(std::size_t)> mark) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    std::size_t notes = 0;
    return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
      out += p[i];
      const bool ends = i + 1 == p.size() || is_blank(p[i + 1]);
      const bool closes = p[i] == U'»' || p[i] == U'”' || p[i] == U'"';
      const bool final = is_final(p[i]) || (closes && i > 0 && is_final(p[i - 1]));
      if (ends && final && chance(random, share)) out += mark(++notes);
    });
  };
}

Text superscript(std::size_t n) {
  constexpr std::u32string_view kDigits = U"⁰¹²³⁴⁵⁶⁷⁸⁹";
  Text out;
  for (const char32_t c : number_of(n)) out += kDigits[c - U'0'];
  return out;
}
Text bracketed(std::size_t n) { return U"[" + number_of(n % 400 + 1) + U"]"; }
Text numbered(std::size_t n) { return superscript(n % 99 + 1); }

std::string noted_words(const Paragraphs& text, std::uint32_t seed) {
  Random random(seed);
  std::size_t notes = 0;
  return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
    out += p[i];
    const bool ends =
        i > 0 && is_letter(p[i]) && is_letter(p[i - 1]) && (i + 1 == p.size() || !is_letter(p[i + 1]));
    if (ends && chance(random, 0.02)) out += superscript(notes++ % 9 + 1);
  });
}

/// Pages: after every kPage characters, at the end of a line, what `between` gives for the page's number.
auto paged(std::function<Text(std::size_t)> between) {
  return [=](const Paragraphs& text, std::uint32_t) {
    Text out;
    std::size_t page = 17, begun = 0;
    for (const Text& line : page_lines(text, kColumns)) {
      (out += line) += U'\n';
      if (out.size() - begun < kPage || line.empty()) continue;
      out += between(page++);
      begun = out.size();
    }
    return to_utf8(out);
  };
}

Text between_blank_lines(std::size_t page) {
  return U"\n" + number_of(page) + U"\n\n" +
         (page % 2 == 0 ? U"THE NAME OF THE AUTHOR" : U"The title of the book") + U"\n\n";
}
Text after_form_feed(std::size_t page) {
  return U"\f" +
         (page % 2 == 0 ? number_of(page) + U"    The name of the author"
                        : U"    The title of the book    " + number_of(page)) +
         U"\n\n";
}
Text without_blank_lines(std::size_t page) {
  return U"— " + number_of(page) + U" —\nThe title of the book\n";
}

std::string line_numbers(const Paragraphs& text, std::uint32_t) {
  Lines lines = page_lines(text, kColumns);
  std::size_t n = 0;
  for (Text& line : lines) {
    const Text number = number_of(++n);
    line = Text(number.size() < 5 ? 5 - number.size() : 0, U' ') + number + U"  " + line;
  }
  return joined(lines);
}

std::string fifth_line_numbers(const Paragraphs& text, std::uint32_t) {
  Lines lines = page_lines(text, kColumns);
  std::size_t n = 0;
  for (Text& line : lines) {
    if (line.empty()) continue;
    const Text number = ++n % 5 == 0 ? number_of(n) : Text();
    line = number + Text(6 - std::min<std::size_t>(number.size(), 6), U' ') + line;
  }
  return joined(lines);
}

std::string two_columns(const Paragraphs& text, std::uint32_t) {
  constexpr std::size_t kColumn = 38, kRows = 50;
  const Lines lines = page_lines(text, kColumn);
  Lines out;
  for (std::size_t page = 0; page < lines.size(); page += 2 * kRows) {
    for (std::size_t row = 0; row < kRows && page + row < lines.size(); ++row) {
      Text line = lines[page + row];
      if (const std::size_t right = page + kRows + row; right < lines.size() && !lines[right].empty()) {
        line.resize(std::max(line.size(), kColumn + 4), U' ');
        line += lines[right];
      }
      out.push_back(std::move(line));
    }
    out.emplace_back();
  }
  return joined(out);
}

/// One letter of a hundred is read as another of the same script.
std::string misread(const Paragraphs& text, std::uint32_t seed) {
  constexpr std::u32string_view kCyrillic = U"абвгдежзийклмнопрстуфхцчшщыьюя";
  constexpr std::u32string_view kLatin = U"abcdefghijklmnopqrstuvwxyz";
  Random random(seed);
  return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
    const std::u32string_view letters = p[i] >= 0x400 ? kCyrillic : kLatin;
    out += is_letter(p[i]) && chance(random, 0.01) ? letters[random() % letters.size()] : p[i];
  });
}

/// Permutes the words of each sentence, as a reader sees sentences: up to a final mark before white space.
/// Punctuation stays where it is. `keep_last`: the word before the final mark stays.
auto permuted(bool keep_last) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    Paragraphs out;
    for (const Text& p : text) {
      Text& to = out.emplace_back(p);
      std::vector<std::pair<std::size_t, std::size_t>> places;
      std::size_t copied = 0;
      to.clear();
      const auto permute = [&] {
        if (keep_last && !places.empty()) places.pop_back();
        auto order = places;
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
        for (std::size_t i = 0; i < places.size(); ++i) {
          to += p.substr(copied, places[i].first - copied) +
                p.substr(order[i].first, order[i].second - order[i].first);
          copied = places[i].second;
        }
        places.clear();
      };
      for (std::size_t at = 0; at < p.size(); ++at) {
        if (is_letter(p[at])) {
          std::size_t end = at;
          const auto joins = [&](std::size_t i) {
            return (p[i] == U'-' || p[i] == U'\'' || p[i] == U'’') && i + 1 < p.size() && is_letter(p[i + 1]);
          };
          while (end < p.size() && (is_letter(p[end]) || joins(end))) ++end;
          places.emplace_back(at, end);
          at = end - 1;
        } else if (is_final(p[at]) && at + 1 < p.size() && is_blank(p[at + 1])) {
          permute();
        }
      }
      permute();
      to += p.substr(copied);
    }
    return as_set(out);
  };
}

auto constant(std::u32string_view mark) {
  return [mark](std::size_t) { return Text(mark); };
}

}  // namespace

std::vector<Arrival> arrivals() {
  return {
      {"blank line after every line", spaced_lines},
      {"the same, paragraphs not set off", evenly_spaced_lines},
      {"paragraphs by indent, lines of 72", indented},
      {"paragraphs by indent, a line each", indented_whole},
      {"`[12]` after every tenth final mark", noted(0.1, bracketed)},
      {"`[12]` after every final mark", noted(1, bracketed)},
      {"`¹²` after every final mark", noted(1, numbered)},
      {"`*` after every final mark", noted(1, constant(U"*"))},
      {"`†` after every final mark", noted(1, constant(U"†"))},
      {"`¹` on 2 % of words", noted_words},
      {"page number and head between blank lines", paged(between_blank_lines)},
      {"head with page number after a form feed", paged(after_form_feed)},
      {"page number and head between lines", paged(without_blank_lines)},
      {"line numbers", line_numbers},
      {"a number every fifth line", fifth_line_numbers},
      {"two columns read across", two_columns},
      {"letterspaced words, blanks, all", letterspaced(1, U" ", U"   ")},
      {"letterspaced words, one blank also between words", letterspaced(1, U" ")},
      {"letterspaced words, blanks, 10 %", letterspaced(0.1, U" ")},
      {"letterspaced words, thin spaces, all", letterspaced(1, U"\u2009")},
      {"letterspaced words, full stops, all", letterspaced(1, U".")},
      {"look-alikes а е о р с х, 30 %", with_look_alikes(0.3, kSixLetters)},
      {"look-alikes а е о р с х, 100 %", with_look_alikes(1, kSixLetters)},
      {"look-alikes, small letters, 100 %", with_look_alikes(1, kSmallLetters)},
      {"look-alikes, 21 letters, 30 %", with_look_alikes(0.3, kAllLetters)},
      {"look-alikes, whole words", with_look_alike_words(1)},
      {"U+0335 on a letter of 20 % of words", with_marks(0.2, 0x335)},
      {"U+030A on a letter of 20 % of words", with_marks(0.2, 0x30a)},
      {"acute on a consonant of 20 % of words", with_marks(0.2, 0x301, true)},
      {"digits for 5 % of letters inside words", with_digits(0.05, true)},
      {"digits for 5 % of letters", with_digits(0.05, false)},
      {"1 % of letters wrong", misread},
      {"words permuted within sentences", permuted(false)},
      {"the same, last word kept", permuted(true)},
  };
}

}  // namespace akin::experiments
