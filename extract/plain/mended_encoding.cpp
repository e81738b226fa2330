#include "extract/plain/mended_encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decoder.h"
#include "base/utf8.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

constexpr std::size_t kBytes = 256;
/// The letters of one byte, by their bytes; 0 for a byte without one.
using ByteLetters = CharactersOfBytes;

ByteLetters letters_of(const char* encoding) {
  ByteLetters letters = characters_of_bytes(encoding).value_or(ByteLetters{});
  std::ranges::replace(letters, kNoCharacter, U'\0');
  return letters;
}

/// The bytes that a wrong decoder read as Latin letters: windows-1252, and ISO 8859-1 where that has none.
std::optional<unsigned char> latin_byte(char32_t c) {
  static const ByteLetters kWestern = letters_of("windows-1252");
  if (c < kBytes) return static_cast<unsigned char>(c);
  const auto found = std::find(kWestern.begin() + 0x80, kWestern.begin() + 0xA0, c);
  if (found == kWestern.begin() + 0xA0) return std::nullopt;
  return static_cast<unsigned char>(found - kWestern.begin());
}

bool is_upper_cyrillic(char32_t c) { return c >= 0x400 && c <= 0x42F; }
bool is_cyrillic(char32_t c) { return (c >= 0x400 && c <= 0x45F) || c == 0x490 || c == 0x491; }

/// Letters of Russian prose in a thousand, from а to я.
constexpr std::array<double, 32> kFrequencies = {80, 16, 45, 17,  30, 85, 9,  16, 74, 12, 35,
                                                 44, 32, 67, 110, 28, 47, 55, 63, 26, 3,  10,
                                                 5,  14, 7,  4,   1,  19, 17, 3,  6,  20};

double frequency(char32_t c) {
  if (is_upper_cyrillic(c) && c >= 0x410) c += 0x20;
  constexpr double kOther = 3;  // ё and letters of other languages
  return c >= 0x430 && c <= 0x44F ? kFrequencies[c - 0x430] : kOther;
}

/// A run of characters without white space.
struct Token {
  std::size_t begin = 0, end = 0;  ///< in the code points of the text
  bool begins_paragraph = false;
  bool ascii = false;       ///< has a letter of ASCII
  bool latin = true;        ///< has nothing but what latin_byte knows
  std::size_t letters = 0;  ///< over 0x7F
};

std::vector<Token> tokens_of(std::u32string_view text) {
  std::vector<Token> tokens;
  std::size_t line_ends = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] < 0x80 && is_markup_space(static_cast<char>(text[at]))) {
      line_ends += text[at] == U'\n' ? 1 : 0;
      ++at;
      continue;
    }
    Token token{at, at};
    token.begins_paragraph = line_ends > 1;
    line_ends = 0;
    for (; token.end < text.size(); ++token.end) {
      const char32_t c = text[token.end];
      if (c < 0x80 && is_markup_space(static_cast<char>(c))) break;
      token.ascii = token.ascii || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (c >= 0x80) ++token.letters;
      token.latin = token.latin && latin_byte(c).has_value();
    }
    at = token.end;
    tokens.push_back(token);
  }
  return tokens;
}

constexpr std::size_t kLongWord = 3;
bool is_suspect(const Token& token) { return !token.ascii && token.latin && token.letters > 0; }

/// How well an encoding explains the suspect words.
struct Explanation {
  std::size_t words = 0;    ///< of three letters or more that are Cyrillic and regular in case
  std::size_t letters = 0;  ///< in them
  std::size_t capitals = 0;
  double likelihood = 0;  ///< the mean logarithm of their letters' frequencies
};

/// All letters Cyrillic, in lower case but for the first or all of them.
bool is_regular_word(std::u32string_view word) {
  std::size_t letters = 0, uppers = 0;
  bool first_upper = false;
  for (const char32_t c : word) {
    if (!is_cyrillic(c)) {
      if (c > 0x24F && c < 0x2000) return false;  // a letter of neither script
      continue;
    }
    if (letters == 0) first_upper = is_upper_cyrillic(c);
    ++letters;
    if (is_upper_cyrillic(c)) ++uppers;
  }
  return letters >= kLongWord && (uppers == 0 || uppers == letters || (uppers == 1 && first_upper));
}

std::u32string decoded(std::u32string_view word, const ByteLetters& encoding) {
  std::u32string made;
  for (const char32_t c : word) {
    const char32_t letter = c < 0x80 ? c : encoding[latin_byte(c).value_or(0)];
    made += letter == 0 ? U'\uFFFD' : letter;
  }
  return made;
}

Explanation explain(std::u32string_view text, const std::vector<Token>& tokens, const ByteLetters& encoding) {
  Explanation found;
  for (const Token& token : tokens) {
    if (!is_suspect(token) || token.letters < kLongWord) continue;
    const std::u32string word = decoded(text.substr(token.begin, token.end - token.begin), encoding);
    if (!is_regular_word(word)) continue;
    ++found.words;
    for (const char32_t c : word) {
      if (!is_cyrillic(c)) continue;
      ++found.letters;
      found.capitals += is_upper_cyrillic(c) ? 1 : 0;
      found.likelihood += std::log(frequency(c));
    }
  }
  if (found.letters > 0) found.likelihood /= static_cast<double>(found.letters);
  return found;
}

const std::array<ByteLetters, 3>& cyrillic_encodings() {
  static const std::array<ByteLetters, 3> kEncodings = {letters_of("windows-1251"), letters_of("KOI8-R"),
                                                        letters_of("IBM866")};
  return kEncodings;
}

/// The encoding that explains four of five long suspect words, with letters as Russian has them.
const ByteLetters* best_encoding(std::u32string_view text, const std::vector<Token>& tokens) {
  const auto is_long = [](const Token& token) { return is_suspect(token) && token.letters >= kLongWord; };
  const auto suspects = static_cast<double>(std::ranges::count_if(tokens, is_long));
  const auto all = static_cast<double>(
      std::ranges::count_if(tokens, [](const Token& token) { return token.end - token.begin >= kLongWord; }));
  if (suspects < kLeastMended || suspects < kLeastMendedShare * all) return nullptr;
  // Russian, Ukrainian and Bulgarian prose has 3.6 to 3.9 here, equally frequent letters 3.0.
  constexpr double kLeastLikelihood = 3.4, kExplained = 0.8;
  const ByteLetters* best = nullptr;
  double likelihood = kLeastLikelihood;
  for (const ByteLetters& encoding : cyrillic_encodings()) {
    const Explanation found = explain(text, tokens, encoding);
    // Hebrew, which has no capitals, is distributed alike as capitals of KOI8-R.
    if (2 * found.capitals > found.letters) continue;
    if (static_cast<double>(found.words) < kExplained * suspects || found.likelihood <= likelihood) continue;
    best = &encoding;
    likelihood = found.likelihood;
  }
  return best;
}

struct Mended {
  std::size_t characters = 0;
  std::size_t at = 0;  ///< of the first, in code points
  std::string sample;
};

/// Decodes runs of suspect words that hold a long one; a run ends with its paragraph.
Mended mend_runs(std::u32string& text, const std::vector<Token>& tokens, const ByteLetters& encoding) {
  Mended mended;
  for (std::size_t from = 0; from < tokens.size();) {
    std::size_t to = from;
    bool is_sure = false;
    for (; to < tokens.size() && !tokens[to].ascii && tokens[to].latin; ++to) {
      if (to > from && tokens[to].begins_paragraph) break;
      const Token& token = tokens[to];
      is_sure =
          is_sure || (token.letters >= kLongWord &&
                      is_regular_word(decoded(
                          std::u32string_view(text).substr(token.begin, token.end - token.begin), encoding)));
    }
    if (is_sure) {
      const std::size_t begin = tokens[from].begin, end = tokens[to - 1].end;
      const std::u32string whole = decoded(std::u32string_view(text).substr(begin, end - begin), encoding);
      if (mended.characters == 0) mended.at = begin;
      for (std::size_t i = begin; i < end; ++i) mended.characters += text[i] == whole[i - begin] ? 0 : 1;
      text.replace(begin, end - begin, whole);
      if (mended.sample.size() < kSampleBytes)
        mended.sample += (mended.sample.empty() ? "" : " ") + akin::to_utf8(whole);
    }
    from = std::max(to, from + 1);
  }
  return mended;
}

void mend_field(std::string& field, const ByteLetters& encoding) {
  std::u32string text = to_utf32(field);
  if (mend_runs(text, tokens_of(text), encoding).characters > 0) field = akin::to_utf8(text);
}

/// Whether enough of the text is over ASCII and in the first two blocks, which look the same in UTF-8.
bool may_be_wrong(std::string_view utf8) {
  std::size_t high = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    high += byte == 0xC2 || byte == 0xC3 ? 1 : 0;
  }
  return high >= kLeastMended * kLongWord && high * 20 > utf8.size();
}

}  // namespace

void mend_encoding(Document& document) {
  if (!may_be_wrong(document.text)) return;
  std::u32string text = to_utf32(document.text);
  const std::vector<Token> tokens = tokens_of(text);
  const ByteLetters* encoding = best_encoding(text, tokens);
  if (encoding == nullptr) return;
  const Mended mended = mend_runs(text, tokens, *encoding);
  if (mended.characters == 0) return;
  document.text = akin::to_utf8(text);
  for (std::string* field : {&document.metadata.title, &document.hidden}) mend_field(*field, *encoding);
  for (std::string& author : document.metadata.authors) mend_field(author, *encoding);
  for (std::string& part : document.parts) mend_field(part, *encoding);
  FileAlert alert;
  alert.kind = FileAlertKind::mended_encoding;
  alert.characters = mended.characters;
  alert.share = static_cast<double>(mended.characters) / static_cast<double>(text.size());
  alert.sample = whole_characters(mended.sample, kSampleBytes);
  alert.at = static_cast<std::uint32_t>(mended.at);
  if (const Piece* piece = piece_at(document, alert.at)) {
    alert.page = piece->page;
    alert.part = piece->part;
  }
  document.alerts.push_back(std::move(alert));
}

}  // namespace akin::extract
