#include "server/check/language.h"

// CLD2's header uses FILE without this.
#include <cstdio>
// Keeps the order.
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/built_in_list.h"
#include "base/utf8.h"

namespace akin::check {

namespace {

/// Those of several languages each, of whose letter sequences CLD2 has statistics, and those of kSequences.
constexpr std::array kJudgedScripts = {USCRIPT_LATIN,    USCRIPT_CYRILLIC,   USCRIPT_ARABIC,
                                       USCRIPT_HEBREW,   USCRIPT_DEVANAGARI, USCRIPT_GREEK,
                                       USCRIPT_ARMENIAN, USCRIPT_GEORGIAN};
/// Those of hundreds of letters, of which a text has many more than one of exchanged letters has.
constexpr std::array kLargeScripts = {USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_HANGUL};
constexpr std::uint64_t kMostOthers = 10;  ///< one letter in so many may be of another script
constexpr int kLeastPercent = 90;

/// The frequent sequences of three letters of languages that CLD2 does not know, or by their script alone.
constexpr BuiltInList kSequenceFiles[] = {
#include "server/check/letter_sequences.inc"
};
/// The share of frequent sequences is 0.3 or more in an honest text, 0.1 or less in one of exchanged letters.
constexpr double kLeastInScript = 0.2;
/// Without CLD2: 0.5 or more in an honest text, 0.33 or less in disguised Russian and English ones.
constexpr double kLeastAlone = 0.45;

/// Three letters.
using Sequence = std::uint64_t;

Sequence sequence_of(char32_t first, char32_t second, char32_t third) {
  constexpr unsigned kBits = 21;  // of a code point
  return (Sequence{first} << 2 * kBits) | (Sequence{second} << kBits) | third;
}

/// Of which languages a sequence is a frequent one: a bit each.
struct FrequentSequences {
  std::vector<std::string> codes;
  std::unordered_map<Sequence, std::uint32_t> languages;

  static FrequentSequences read() {
    FrequentSequences all;
    for (const BuiltInList& file : kSequenceFiles) {
      const std::u32string content = to_utf32(file.content);
      for (std::size_t at = 0; at + 3 < content.size(); at += 4)
        all.languages[sequence_of(content[at], content[at + 1], content[at + 2])] |= 1U << all.codes.size();
      all.codes.emplace_back(file.name);
    }
    return all;
  }

  /// By language, their share of the sequences of letters, which have blanks between words.
  [[nodiscard]] std::vector<double> shares(std::string_view letters) const {
    std::u32string text = U"_" + to_utf32(letters) + U"_";
    for (char32_t& c : text) c = c == U' ' ? U'_' : static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    std::vector<double> found(codes.size());
    double all = 0;
    for (std::size_t at = 0; at + 3 <= text.size(); ++at) {
      if (text[at + 1] == U'_') continue;
      ++all;
      const auto of = languages.find(sequence_of(text[at], text[at + 1], text[at + 2]));
      if (of == languages.end()) continue;
      for (std::size_t i = 0; i < found.size(); ++i) found[i] += (of->second >> i) & 1U;
    }
    for (double& share : found) share /= std::max(all, 1.0);
    return found;
  }
};

const FrequentSequences& frequent_sequences() {
  static const FrequentSequences kFrequent = FrequentSequences::read();
  return kFrequent;
}

/// The language, if any, of which most sequences are.
std::string by_sequences(std::string_view letters) {
  const std::vector<double> shares = frequent_sequences().shares(letters);
  const auto most = std::ranges::max_element(shares);
  return *most < kLeastAlone ? std::string()
                             : frequent_sequences().codes[static_cast<std::size_t>(most - shares.begin())];
}

template <class Scripts>
bool is_of(const Scripts& scripts, char32_t letter) {
  UErrorCode code = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(letter), &code);
  return std::ranges::find(scripts, script) != scripts.end();
}

bool is_judged(char32_t letter) {
  return letter < 0x80 || is_of(kJudgedScripts, letter) || is_of(kLargeScripts, letter);
}

/// Whether the first letters of large scripts, if there are any, are about as many different ones as there
/// are: 33 or more of 60 in an honest text, 24 or fewer where they stand for those of an alphabet.
bool has_many_letters(std::string_view letters) {
  constexpr std::size_t kCompared = 60, kLeast = 28;
  std::set<char32_t> different;
  std::size_t seen = 0;
  for (const char32_t c : to_utf32(letters)) {
    if (seen == kCompared || !is_of(kLargeScripts, c)) continue;
    ++seen;
    different.insert(c);
  }
  return different.size() * kCompared >= kLeast * seen;
}

/// False if CLD2 knows the language by its script alone, and the letters are in another order.
bool is_proven(std::string_view code, std::string_view letters) {
  const std::vector<std::string>& codes = frequent_sequences().codes;
  const auto known = std::ranges::find(codes, code);
  if (known == codes.end()) return has_many_letters(letters);
  return frequent_sequences().shares(letters)[static_cast<std::size_t>(known - codes.begin())] >=
         kLeastInScript;
}

/// Letters and their marks, with a blank for everything between; empty if many are of other scripts.
std::string letters_of(std::string_view utf8) {
  std::string letters;
  std::uint64_t judged = 0, others = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(utf8, at);
    const auto type = static_cast<UCharCategory>(u_charType(static_cast<UChar32>(c)));
    const bool is_mark = type == U_NON_SPACING_MARK || type == U_COMBINING_SPACING_MARK;
    if (u_isalpha(static_cast<UChar32>(c)) != 0) {
      ++(is_judged(c) ? judged : others);
    } else if (!is_mark) {
      if (!letters.ends_with(' ')) letters += ' ';
      continue;
    }
    letters.append(utf8.substr(begin, at - begin));
  }
  return kMostOthers * others > judged ? std::string() : letters;
}

/// CLD2 has kept some codes that ISO 639 withdrew.
std::string today(std::string_view code) {
  if (code == "iw") return "he";
  if (code == "jw") return "jv";
  return std::string(code.substr(0, code.find('-')));
}

}  // namespace

std::string language_of(std::string_view utf8) {
  if (utf8.size() > kMostLanguageBytes) return {};
  const std::string letters = letters_of(utf8);
  std::array<CLD2::Language, 3> languages{};
  std::array<int, 3> percents{};
  std::array<double, 3> scores{};
  int bytes = 0;
  bool reliable = false;
  const CLD2::CLDHints hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::ExtDetectLanguageSummary(letters.data(), static_cast<int>(letters.size()), true, &hints, 0,
                                 languages.data(), percents.data(), scores.data(), nullptr, &bytes,
                                 &reliable);
  int known = 0;
  for (std::size_t at = 0; at < languages.size(); ++at)
    known += languages[at] == CLD2::UNKNOWN_LANGUAGE ? 0 : percents[at];
  if (!reliable || known < kLeastPercent || languages[0] == CLD2::UNKNOWN_LANGUAGE)
    return by_sequences(letters);
  std::string code = today(CLD2::LanguageCode(languages[0]));
  return is_proven(code, letters) ? code : std::string();
}

std::string older_language_of(std::string_view code, std::string_view utf8) {
  const std::string_view older = code == "en" ? "enm" : code == "ru" ? "cu" : "";
  if (older.empty() || utf8.size() > kMostLanguageBytes) return {};
  const std::string found = by_sequences(letters_of(utf8));
  return found == older ? found : std::string();
}

std::string language_name(std::string_view code, std::string_view locale) {
  icu::UnicodeString shown;
  icu::Locale(std::string(code).c_str()).getDisplayLanguage(std::string(locale).c_str(), shown);
  std::string name;
  return shown.toUTF8String(name);
}

}  // namespace akin::check
