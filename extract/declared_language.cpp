#include "extract/declared_language.h"

#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/ulocdata.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

constexpr double kForeignScripts = 0.8, kForeignLetters = 0.01;

/// Written in several scripts, of which ICU names one.
constexpr std::array<std::string_view, 20> kSeveralScripts = {"az", "bs", "crh", "ha", "hr", "kk", "ku",
                                                              "ky", "mn", "ms",  "pa", "sd", "sh", "sr",
                                                              "tg", "tk", "tt",  "ug", "uz", "zh"};

/// Letters that texts of a language cannot do without; one of each group at least.
struct FrequentLetters {
  std::string_view language;
  std::u32string_view letters;
};
constexpr std::array kFrequent = {
    FrequentLetters{"be", U"ыў"},    FrequentLetters{"cs", U"áčěíý"}, FrequentLetters{"de", U"äöüß"},
    FrequentLetters{"es", U"áéíóñ"}, FrequentLetters{"fi", U"ä"},     FrequentLetters{"fr", U"éèà"},
    FrequentLetters{"hu", U"áéőö"},  FrequentLetters{"lt", U"ėųš"},   FrequentLetters{"lv", U"āī"},
    FrequentLetters{"pl", U"łęąż"},  FrequentLetters{"pt", U"ãçé"},   FrequentLetters{"ro", U"ăîșşâ"},
    FrequentLetters{"ru", U"ыэ"},    FrequentLetters{"sk", U"áčíý"},  FrequentLetters{"sv", U"åäö"},
    FrequentLetters{"tr", U"ışç"},   FrequentLetters{"uk", U"іїє"}};

struct CloseLocaleData {
  void operator()(ULocaleData* data) const noexcept { ulocdata_close(data); }
};
struct CloseSet {
  void operator()(USet* set) const noexcept { uset_close(set); }
};

/// A language's code, scripts and letters.
struct KnownLanguage {
  std::string code;
  std::vector<UScriptCode> scripts;
  std::unique_ptr<USet, CloseSet> letters;

  [[nodiscard]] bool has_script(UChar32 c) const {
    return std::ranges::any_of(scripts,
                               [c](UScriptCode script) { return uscript_hasScript(c, script) != 0; });
  }
};

std::optional<KnownLanguage> known_language(std::string_view tag) {
  UErrorCode code = U_ZERO_ERROR;
  std::array<char, ULOC_FULLNAME_CAPACITY> locale{};
  uloc_forLanguageTag(std::string(tag).c_str(), locale.data(), static_cast<std::int32_t>(locale.size()),
                      nullptr, &code);
  std::array<char, ULOC_LANG_CAPACITY> language{};
  uloc_getLanguage(locale.data(), language.data(), static_cast<std::int32_t>(language.size()), &code);
  KnownLanguage known;
  if (U_FAILURE(code) != 0 || language.front() == '\0') return std::nullopt;
  known.code = language.data();
  if (std::ranges::find(kSeveralScripts, known.code) != kSeveralScripts.end()) return std::nullopt;
  const std::unique_ptr<ULocaleData, CloseLocaleData> data(ulocdata_open(known.code.c_str(), &code));
  if (U_FAILURE(code) != 0) return std::nullopt;
  known.letters.reset(
      ulocdata_getExemplarSet(data.get(), nullptr, USET_CASE_INSENSITIVE, ULOCDATA_ES_STANDARD, &code));
  constexpr std::int32_t kMostScripts = 8;
  std::array<UScriptCode, kMostScripts> scripts{};
  const bool root = code == U_USING_DEFAULT_WARNING;
  const std::int32_t count = uscript_getCode(known.code.c_str(), scripts.data(), kMostScripts, &code);
  if (U_FAILURE(code) != 0 || root || count < 1 || !known.letters) return std::nullopt;
  known.scripts.assign(scripts.begin(), scripts.begin() + std::min(count, kMostScripts));
  return known;
}

/// The letters of a text, counted for a language.
struct LetterCounts {
  std::uint64_t all = 0, foreign_script = 0, foreign = 0;
  bool frequent = true;  ///< one of its frequent letters occurs, or it has none
};

LetterCounts count_letters(std::string_view text, const KnownLanguage& language) {
  const auto* frequent =
      std::ranges::find(kFrequent, std::string_view(language.code), &FrequentLetters::language);
  LetterCounts counts;
  counts.frequent = frequent == kFrequent.end();
  std::uint64_t yat = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = u_foldCase(static_cast<UChar32>(next_code_point(text, at)), U_FOLD_CASE_DEFAULT);
    if (u_isalpha(c) == 0) continue;
    ++counts.all;
    if (!counts.frequent)
      counts.frequent = frequent->letters.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
    if (!language.has_script(c))
      ++counts.foreign_script;
    else if (uset_contains(language.letters.get(), c) == 0)
      ++counts.foreign;
    if (c == 0x463) ++yat;
  }
  // Russian before 1918.
  if (yat > 0 && language.code == "ru") counts.foreign = 0;
  return counts;
}

}  // namespace

LanguageDoubt doubt_language(std::string_view utf8, std::string_view tag) {
  const std::optional<KnownLanguage> language = known_language(tag);
  if (!language) return {};
  const LetterCounts counts = count_letters(whole_characters(utf8, kLanguageBytes), *language);
  if (counts.all < kLeastLanguageLetters) return {};
  const auto share = [&](std::uint64_t letters) {
    return static_cast<double>(letters) / static_cast<double>(counts.all);
  };
  if (share(counts.foreign_script) >= kForeignScripts)
    return {counts.foreign_script, share(counts.foreign_script)};
  if (share(counts.foreign) >= kForeignLetters) return {counts.foreign, share(counts.foreign)};
  if (!counts.frequent) return {counts.all, 1};
  return {};
}

void report_contradicted_language(Document& document) {
  const LanguageDoubt doubt = doubt_language(document.text, document.metadata.language);
  if (doubt.share == 0) return;
  FileAlert alert;
  alert.kind = FileAlertKind::language_contradicted;
  alert.characters = doubt.letters;
  alert.share = doubt.share;
  alert.sample = whole_characters(document.metadata.language, kSampleBytes);
  document.alerts.push_back(std::move(alert));
}

}  // namespace akin::extract
