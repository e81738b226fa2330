#include "tests/experiments/text_changes.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace akin::experiments {

namespace {

using Text = std::u32string;

}  // namespace

Paragraphs paragraphs_of(std::string_view utf8) {
  Paragraphs all(1);
  std::size_t breaks = 0;
  bool gap = false;
  for (const char32_t c : to_utf32(utf8)) {
    if (is_blank(c)) {
      gap = true;
      if (c == U'\n') ++breaks;
      continue;
    }
    if (breaks > 1 && !all.back().empty()) all.emplace_back();
    if (gap && !all.back().empty()) all.back() += U' ';
    all.back() += c;
    gap = false;
    breaks = 0;
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

std::string as_set(const Paragraphs& text) {
  Text out;
  for (const Text& paragraph : text) (out += paragraph) += U"\n\n";
  return to_utf8(out);
}

Rewriting letterspaced(double share, std::u32string_view between, std::u32string_view gap) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    bool spaced = false;
    return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
      if (i == 0 || p[i - 1] == U' ') spaced = chance(random, share);
      if (p[i] == U' ') {
        out += gap;
        return;
      }
      const auto in_word = [&](std::size_t at) {
        return is_letter(p[at]) || ((p[at] == U'\'' || p[at] == U'’') && at > 0 && at + 1 < p.size() &&
                                    is_letter(p[at - 1]) && is_letter(p[at + 1]));
      };
      if (spaced && i > 0 && in_word(i) && in_word(i - 1)) out += between;
      out += p[i];
    });
  };
}

Rewriting with_look_alikes(double share, const LookAlikes& letters) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
      const std::size_t here = letters.cyrillic.find(p[i]), there = letters.latin.find(p[i]);
      const bool change = chance(random, share);
      if (change && here != Text::npos)
        out += letters.latin[here];
      else if (change && there != Text::npos)
        out += letters.cyrillic[there];
      else
        out += p[i];
    });
  };
}

Rewriting with_look_alike_words(double share) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    constexpr auto kCyrillic = kAllLetters.cyrillic, kLatin = kAllLetters.latin;
    Random random(seed);
    Paragraphs out = text;
    for (Text& p : out) {
      for (std::size_t begin = 0, end = 0; begin < p.size(); begin = end + 1) {
        for (end = begin; end < p.size() && is_letter(p[end]);) ++end;
        for (const auto& [from, to] : {std::pair{kCyrillic, kLatin}, std::pair{kLatin, kCyrillic}}) {
          const auto has_twin = [&](char32_t c) { return from.find(c) != Text::npos; };
          const auto first = p.begin() + static_cast<std::ptrdiff_t>(begin),
                     last = p.begin() + static_cast<std::ptrdiff_t>(end);
          if (end == begin || !std::all_of(first, last, has_twin)) continue;
          if (!chance(random, share)) break;
          std::transform(first, last, first, [&](char32_t c) { return to[from.find(c)]; });
          break;
        }
      }
    }
    return as_set(out);
  };
}

Rewriting with_marks(double share, char32_t mark, bool consonants) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    constexpr std::u32string_view kVowels = U"аеёиоуыэюяіїєaeiouyäöüАЕЁИОУЫЭЮЯІЇЄAEIOUYÄÖÜ";
    Random random(seed);
    bool wanted = false;
    return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
      if (i == 0 || !is_letter(p[i - 1])) wanted = chance(random, share);
      out += p[i];
      if (!wanted || !is_letter(p[i]) || (consonants && kVowels.find(p[i]) != Text::npos)) return;
      out += mark;
      wanted = false;
    });
  };
}

Rewriting with_digits(double share, bool inside) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    constexpr std::u32string_view kLetters = U"озчбтОЗЧБoesblOESBL", kDigits = U"0346703460358103581";
    Random random(seed);
    return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
      const std::size_t found = kLetters.find(p[i]);
      const bool within = i > 0 && i + 1 < p.size() && is_letter(p[i - 1]) && is_letter(p[i + 1]);
      const bool change =
          found != Text::npos && (within || !inside) && is_letter(p[i]) && chance(random, share);
      out += change ? kDigits[found] : p[i];
    });
  };
}

}  // namespace akin::experiments
