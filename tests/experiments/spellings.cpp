#include "tests/experiments/spellings.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace akin::experiments {

namespace {

using Text = std::u32string;

/// Gives each of a share of the words of two letters or more to `change(word, random)`.
template <class Change>
Rewriting of_words(double share, Change change) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    Paragraphs out;
    for (const Text& p : text) {
      Text& to = out.emplace_back();
      for (std::size_t begin = 0, end = 0; begin < p.size(); begin = end) {
        for (end = begin; end < p.size() && is_letter(p[end]);) ++end;
        if (end == begin) {
          to += p[end++];
          continue;
        }
        const Text word = p.substr(begin, end - begin);
        to += word.size() > 1 && chance(random, share) ? change(word, random) : word;
      }
    }
    return as_set(out);
  };
}

/// Puts one of `characters` between two letters of a word.
auto inserted(std::u32string_view characters) {
  return [=](double share) {
    return of_words(share, [=](Text word, Random& random) {
      const std::size_t at = 1 + random() % (word.size() - 1);
      return word.insert(at, 1, characters[random() % characters.size()]);
    });
  };
}

Rewriting isolated(double share) {
  return of_words(share, [](const Text& word, Random&) { return U"\u2068" + word + U"\u2069"; });
}

/// Stored backwards, and shown forwards by an override of the direction.
Rewriting reversed(double share) {
  return of_words(share, [](Text word, Random&) {
    std::reverse(word.begin(), word.end());
    return U"\u202E" + word + U"\u202C";
  });
}

Rewriting capitals(double share) {
  return of_words(share, [](Text word, Random&) {
    for (char32_t& c : word) c = static_cast<char32_t>(u_toupper(static_cast<UChar32>(c)));
    return word;
  });
}

Rewriting broken_at_line_ends(double share) {
  return of_words(share, [](Text word, Random& random) {
    if (word.size() < 4) return word;
    return word.insert(2 + random() % (word.size() - 3), U"-\n");
  });
}

/// A character and what replaces it.
using Replacement = std::pair<char32_t, std::u32string_view>;

/// Replaces a share of the characters that `table` has.
template <std::size_t kRows>
auto replaced(const std::array<Replacement, kRows>& table) {
  return [=](double share) -> Rewriting {
    return [=](const Paragraphs& text, std::uint32_t seed) {
      Random random(seed);
      return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
        const auto found = std::ranges::find(table, p[i], &Replacement::first);
        if (found != table.end() && chance(random, share))
          out += found->second;
        else
          out += p[i];
      });
    };
  };
}

constexpr std::array kDecomposed = {
    Replacement{U'й', U"и\u0306"}, Replacement{U'Й', U"И\u0306"}, Replacement{U'ё', U"е\u0308"},
    Replacement{U'ї', U"і\u0308"}, Replacement{U'Ї', U"І\u0308"}, Replacement{U'ä', U"a\u0308"},
    Replacement{U'ö', U"o\u0308"}, Replacement{U'ü', U"u\u0308"}, Replacement{U'Ä', U"A\u0308"},
    Replacement{U'Ö', U"O\u0308"}, Replacement{U'Ü', U"U\u0308"}, Replacement{U'é', U"e\u0301"}};
constexpr std::array kPeriods = {Replacement{U'.', U"\u2024"}};
constexpr std::array kApostrophes = {Replacement{U'\'', U"\u02BC"}, Replacement{U'’', U"\u02BC"},
                                     Replacement{U'-', U"\u2010"}, Replacement{U'"', U"\u201D"}};

/// One of `blanks` for a share of the blanks.
auto with_blanks(std::u32string_view blanks) {
  return [=](double share) -> Rewriting {
    return [=](const Paragraphs& text, std::uint32_t seed) {
      Random random(seed);
      return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
        out += p[i] == U' ' && chance(random, share) ? blanks[random() % blanks.size()] : p[i];
      });
    };
  };
}

/// Exchanges a share of the letters from `first` to its twenty-sixth successor.
auto letters_from(char32_t small, char32_t capital) {
  return [=](double share) -> Rewriting {
    return [=](const Paragraphs& text, std::uint32_t seed) {
      Random random(seed);
      return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
        const char32_t c = p[i];
        const bool lower = c >= U'a' && c <= U'z', upper = c >= U'A' && c <= U'Z';
        if ((!lower && !upper) || !chance(random, share))
          out += c;
        else
          out += lower ? small + (c - U'a') : capital + (c - U'A');
      });
    };
  };
}

Rewriting private_use(double share) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    return per_letter(text, [&](const Text& p, std::size_t i, Text& out) {
      constexpr char32_t kFirst = 0xE000;
      out += is_letter(p[i]) && p[i] < 0x1000 && chance(random, share) ? kFirst + p[i] : p[i];
    });
  };
}

/// A ligature for a share of the places where one fits.
Rewriting ligatures(double share) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    using Ligature = std::pair<std::u32string_view, char32_t>;
    constexpr std::array kLigatures = {Ligature{U"ffi", U'ﬃ'}, Ligature{U"ffl", U'ﬄ'}, Ligature{U"ff", U'ﬀ'},
                                       Ligature{U"fi", U'ﬁ'},  Ligature{U"fl", U'ﬂ'},  Ligature{U"st", U'ﬆ'}};
    Random random(seed);
    Paragraphs out;
    for (const Text& p : text) {
      Text& to = out.emplace_back();
      for (std::size_t i = 0; i < p.size();) {
        const auto fits = std::ranges::find_if(
            kLigatures, [&](const Ligature& one) { return p.compare(i, one.first.size(), one.first) == 0; });
        const bool change = fits != kLigatures.end() && chance(random, share);
        to += change ? fits->second : p[i];
        i += change ? fits->first.size() : 1;
      }
    }
    return as_set(out);
  };
}

/// Puts a share of the paragraphs between quotation marks.
Rewriting quoted(double share) {
  return [=](const Paragraphs& text, std::uint32_t seed) {
    Random random(seed);
    Paragraphs out = text;
    for (Text& p : out)
      if (chance(random, share)) p = U"\u201C" + p + U"\u201D";
    return as_set(out);
  };
}

}  // namespace

std::vector<Spelling> spellings() {
  return {
      {"look-alikes, letters", [](double dose) { return with_look_alikes(dose, kAllLetters); }},
      {"look-alikes, whole words", with_look_alike_words},
      {"zero-width characters in words", inserted(U"\u200B\u200C\u200D\u2060\uFEFF")},
      {"bidi marks in words", inserted(U"\u200E\u200F\u061C")},
      {"words in bidi isolates", isolated},
      {"words stored backwards, bidi override", reversed},
      {"variation selectors in words", inserted(U"\uFE00\uFE0E\uFE0F")},
      {"tag characters in words", inserted(U"\U000E0061\U000E0062\U000E007F")},
      {"grapheme joiners in words", inserted(U"\u034F")},
      {"invisible letters (Hangul fillers) in words", inserted(U"\u3164\u115F\uFFA0")},
      {"soft hyphens in words", inserted(U"\u00AD")},
      {"overlays (U+0335) on letters", [](double dose) { return with_marks(dose, 0x335); }},
      {"acute on consonants", [](double dose) { return with_marks(dose, 0x301, true); }},
      {"letterspaced, wide gaps between words", [](double dose) { return letterspaced(dose, U" ", U"   "); }},
      {"letterspaced, one blank between words", [](double dose) { return letterspaced(dose, U" "); }},
      {"letterspaced, thin spaces", [](double dose) { return letterspaced(dose, U"\u2009"); }},
      {"digits for letters inside words", [](double dose) { return with_digits(dose, true); }},
      {"letters of the private use area", private_use},
      {"full-width letters", letters_from(U'\uFF41', U'\uFF21')},
      {"mathematical letters", letters_from(U'\U0001D41A', U'\U0001D400')},
      {"ligatures", ligatures},
      {"letters decomposed", replaced(kDecomposed)},
      {"other blanks", with_blanks(U"\u00A0\u2002\u2003\u202F\u3000")},
      {"other apostrophes, hyphens, quotes", replaced(kApostrophes)},
      {"one dot leaders for full stops", replaced(kPeriods)},
      {"capitals", capitals},
      {"words broken at line ends", broken_at_line_ends},
      {"paragraphs between quotation marks", quoted},
  };
}

}  // namespace akin::experiments
