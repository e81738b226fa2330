#include "tests/morph/normalize/slow_arrangement.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "morph/sentences/boundary.h"
#include "tests/morph/normalize/slow_layout.h"
#include "tests/morph/words/slow_units.h"

namespace akin::slow {

bool is_double_quote(char32_t c) {
  return one_of(c, U"\"«»“”„‟‹›\u301d\u301e\u301f\uff02\u05f4\u02ba\u02ee");
}

bool is_quotation(char32_t c) {
  return is_double_quote(c) ||
         one_of(c,
                U"'`"
                U"´\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5‘’‚‛′‵\ua78b"
                U"\ua78c\uff07");
}

namespace {

// Runs that are stored backwards.

void backward(std::u32string_view text, Edits& edits) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != 0x202e) continue;
    std::size_t end = at + 1;
    while (end < text.size() &&
           !one_of(text[end], U"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") &&
           u_charDirection(static_cast<UChar32>(text[end])) != U_BLOCK_SEPARATOR)
      ++end;
    const std::u32string_view run = text.substr(at + 1, end - at - 1);
    std::size_t letters = 0, leftward = 0;
    for (const char32_t c : run) {
      if (!u_isalpha(static_cast<UChar32>(c))) continue;
      ++letters;
      if (u_charDirection(static_cast<UChar32>(c)) != U_LEFT_TO_RIGHT) ++leftward;
    }
    if (letters < 2 || leftward > 0) continue;
    edits.push_back({at, at + 1, {}});
    edits.push_back({at + 1, end, {}, true});
    if (end < text.size() && text[end] == 0x202c) edits.push_back({end, end + 1, {}});
  }
}

// Footnote marks.

void notes(std::u32string_view text, Edits& edits) {
  static const std::set<std::u32string> units = {U"мм", U"см", U"дм", U"км", U"нм", U"мкм",
                                                 U"mm", U"cm", U"dm", U"km", U"nm", U"ft"};
  std::size_t row_begin = 0, row_end = 0;  // of notes, one after the other
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t look = at == row_end ? row_begin : at;
    const char32_t last = look > 0 ? text[look - 1] : U' ';
    std::size_t end = at;
    if (is_letter(last) || is_mark(last) || is_quotation(last) || is_terminator(last) ||
        one_of(last, U",;:)]…")) {
      for (;;) {
        std::size_t past = end;
        if (past < text.size() && text[past] == U'[') ++past;
        while (past > end && past < text.size() && one_of(text[past], U"0123456789")) ++past;
        if (past < end + 2 || past > end + 4 || past == text.size() || text[past] != U']') break;
        end = past + 1;
      }
      std::u32string word;
      for (std::size_t i = look; i > 0 && (is_letter(text[i - 1]) || is_mark(text[i - 1])); --i)
        if (is_letter(text[i - 1]))
          word.insert(word.begin(), static_cast<char32_t>(u_tolower(static_cast<UChar32>(text[i - 1]))));
      if (end == at && word.size() != 1 && !units.contains(word))
        while (end < text.size() && one_of(text[end], U"⁰¹²³⁴⁵⁶⁷⁸⁹")) ++end;
    }
    if (end > at) {
      edits.push_back({at, end, {}});
      row_begin = look;
      row_end = at = end;
    } else {
      ++at;
    }
  }
}

// Letterspacing.

bool is_between(char32_t c) { return one_of(c, U" .\u00a0\u202f") || (c >= 0x2000 && c <= 0x200a); }
int kind_between(char32_t c) { return c == U' ' ? 0 : c == U'.' ? 1 : one_of(c, U"\u00a0\u202f") ? 2 : 3; }

struct Token {
  std::size_t begin = 0, end = 0;
};

struct Chain {
  std::vector<std::size_t> tokens;
  char32_t between = 0;
};

void spaced(std::u32string_view text, Edits& edits) {
  static const auto alphabetic = [](char32_t c) {
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
    return is_letter(c) && (script == USCRIPT_LATIN || script == USCRIPT_CYRILLIC || script == USCRIPT_GREEK);
  };
  const auto in_word = [](char32_t c) {
    return is_word(c) ||
           u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
  };
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > i) tokens.push_back({i, end});
    i = std::max(end, i + 1);
  }
  const auto single = [&](std::size_t t) {
    return tokens[t].end == tokens[t].begin + 1 && alphabetic(text[tokens[t].begin]);
  };
  // What is between a token and the one before it: a separator, alone or on both sides of an apostrophe.
  const auto joint = [&](std::size_t t) -> char32_t {
    const std::u32string_view gap = text.substr(tokens[t - 1].end, tokens[t].begin - tokens[t - 1].end);
    if (gap.size() == 1 && is_between(gap[0])) return gap[0];
    const bool apostrophe = gap.size() == 3 && gap[0] == gap[2] && is_between(gap[0]) &&
                            is_quotation(gap[1]) &&
                            !one_of(gap[1], U"\"«»“”„‟‹›\u301d\u301e\u301f\uff02\u05f4\u02ba\u02ee");
    return apostrophe ? gap[0] : U'\0';
  };
  std::vector<Chain> chains;
  Chain chain;
  const auto finish = [&] {
    if (chain.tokens.size() > 1) chains.push_back(chain);
    chain = {};
  };
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const char32_t between = t > 0 ? joint(t) : U'\0';
    if (!single(t)) {
      finish();
      continue;
    }
    if (!chain.tokens.empty() && between != 0 && chain.tokens.size() > 1 && chain.between != between &&
        chain.between == U' ') {
      const std::size_t last = chain.tokens.back();
      chain.tokens.pop_back();
      finish();
      chain.tokens = {last};
    } else if (between == 0 || chain.tokens.empty() ||
               (chain.tokens.size() > 1 && chain.between != between)) {
      finish();
    }
    if (!chain.tokens.empty()) chain.between = between;
    chain.tokens.push_back(t);
  }
  finish();

  // Nothing is done without a word of five letters in a row of one size in UTF-8.
  const bool plain = std::ranges::any_of(chains, [&](const Chain& one) {
    std::size_t run = 1;
    for (std::size_t i = 1; i < one.tokens.size(); ++i) {
      const Token &a = tokens[one.tokens[i - 1]], &b = tokens[one.tokens[i]];
      const auto size = [&](const Token& token) { return to_utf8(text.substr(token.begin, 1)).size(); };
      run = size(a) == size(b) && size(b) <= 2 && b.begin == a.end + 1 ? run + 1 : 1;
      if (run == 5) return true;
    }
    return false;
  });
  if (!plain) return;

  const auto lower = [&](std::size_t t) {
    const auto c = static_cast<char32_t>(u_tolower(static_cast<UChar32>(text[tokens[t].begin])));
    return c == U'ё' ? U'е' : c;
  };
  std::erase_if(chains, [&](const Chain& one) {
    bool listed = one.tokens.size() >= 5, capital = false;
    for (std::size_t i = 1; i < one.tokens.size(); ++i) {
      const auto step = static_cast<long>(lower(one.tokens[i])) - static_cast<long>(lower(one.tokens[i - 1]));
      listed = listed && (step == 1 || step == 2);
      capital = capital || u_isupper(static_cast<UChar32>(text[tokens[one.tokens[i]].begin])) != 0;
    }
    return listed || (one.between == U'.' && capital);
  });
  std::size_t words = tokens.size();
  std::size_t all[4] = {}, longs[4] = {}, set_off[4] = {};
  const auto is_set_off = [&](const Chain& one) {
    const std::size_t begin = tokens[one.tokens.front()].begin, end = tokens[one.tokens.back()].end;
    return (begin >= 2 && text.substr(begin - 2, 2) == U"  ") || text.substr(end, 2) == U"  ";
  };
  const auto is_beside_word = [&](const Chain& one) {
    const std::size_t first = one.tokens.front(), last = one.tokens.back();
    const auto parts = [&](std::size_t t) {  // the chain's separator alone
      if (t == 0 || t == tokens.size() || tokens[t - 1].end + 1 != tokens[t].begin) return false;
      const char32_t between = text[tokens[t - 1].end];
      return is_between(between) && kind_between(between) == kind_between(one.between);
    };
    return parts(first) || parts(last + 1);
  };
  for (const Chain& one : chains) {
    const int kind = kind_between(one.between);
    ++all[kind];
    if (is_set_off(one)) ++set_off[kind];
    if (one.tokens.size() < 5) continue;
    ++longs[kind];
    words -= one.tokens.size() - 1;
  }
  for (const Chain& one : chains) {
    const int kind = kind_between(one.between);
    const bool doubtful = kind == 0 && set_off[0] * 2 < all[0];
    const bool clear = kind >= 2 || (kind == 0 && !doubtful && is_set_off(one) && !is_beside_word(one));
    if (one.tokens.size() < 5 && kind == 2 && is_beside_word(one)) continue;
    if (one.tokens.size() < 5 && (longs[kind] == 0 || longs[kind] * (clear ? 400 : 40) < words)) continue;
    for (std::size_t i = tokens[one.tokens.front()].begin; i < tokens[one.tokens.back()].end; ++i)
      if (is_between(text[i])) edits.push_back({i, i + 1, doubtful ? U"\u00ad " : U""});
  }
}

/// A line break, and whether it divides a word after a hyphen.
struct Break {
  std::size_t begin = 0, end = 0;
  bool divides = false;
};

void broken_words(std::u32string_view text, Edits& edits) {
  std::vector<Break> breaks;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != U'\n' || one_of(text[i + 1], U"\r\n")) continue;
    const std::size_t begin = i > 0 && text[i - 1] == U'\r' ? i - 1 : i;
    if (begin == 0 || text[begin - 1] == U'\n') continue;
    const bool hyphen = begin > 1 && text[begin - 1] == U'-';
    breaks.push_back({begin, i + 1, hyphen && is_letter(text[begin - 2]) && is_letter(text[i + 1])});
  }
  const std::size_t looked_at = std::min<std::size_t>(breaks.size(), 256);
  const auto dividing = static_cast<std::size_t>(
      std::count_if(breaks.begin(), breaks.begin() + static_cast<std::ptrdiff_t>(looked_at),
                    [](const Break& one) { return one.divides; }));
  if (dividing < 10 || 2 * dividing < looked_at) return;
  const auto seen = text.substr(0, looked_at < 256 ? text.size() : breaks[255].end);
  if (40 * dividing < static_cast<std::size_t>(std::ranges::count(seen, U' '))) return;
  for (const Break& one : breaks)
    if (one.divides) edits.push_back({one.begin - 1, one.end, U""});
}

}  // namespace

Arranged arranged(std::u32string_view text) {
  Edits edits;
  backward(text, edits);
  broken_words(text, edits);
  undo_layout(text, edits);
  notes(text, edits);
  spaced(text, edits);
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  Arranged result;
  std::size_t at = 0;
  const auto keep_to = [&](std::size_t end) {
    for (; at < end; ++at) {
      result.text += text[at];
      result.origin.push_back(static_cast<std::uint32_t>(at));
    }
  };
  for (const Edit& edit : edits) {
    if (edit.begin < at) continue;
    keep_to(edit.begin);
    if (edit.backward) {
      const std::size_t begin = result.text.size();
      keep_to(edit.end);
      const auto first = result.text.begin() + static_cast<std::ptrdiff_t>(begin);
      std::reverse(first, result.text.end());
      // Marks stand before their letters now.
      for (auto run = first; run != result.text.end();) {
        auto past = std::find_if_not(run, result.text.end(), is_mark);
        if (past != result.text.end()) ++past;
        std::reverse(run, past);
        run = past;
      }
      continue;
    }
    at = edit.end;
    for (const char32_t c : edit.by) {
      result.text += c;
      result.origin.push_back(static_cast<std::uint32_t>(at));
    }
  }
  keep_to(text.size());
  return result;
}

}  // namespace akin::slow
