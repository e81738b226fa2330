#include "server/ingest/declared_language.h"

#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/ulocdata.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "extract/text_layout.h"
#include "morph/schemes/stop_words.h"

namespace akin::ingest {

namespace {

constexpr double kForeignScripts = 0.8, kForeignLetters = 0.01;
/// The shares of frequent words of another language, where the declared one has a list, and where not.
constexpr double kForeignWords = 0.1, kForeignWordsAlone = 0.2;
/// So many times as many as frequent words of the declared language.
constexpr std::uint64_t kTimes = 10;

/// Written in several scripts, of which ICU names one.
constexpr std::array<std::string_view, 20> kSeveralScripts = {"az", "bs", "crh", "ha", "hr", "kk", "ku",
                                                              "ky", "mn", "ms",  "pa", "sd", "sh", "sr",
                                                              "tg", "tk", "tt",  "ug", "uz", "zh"};

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
  std::unique_ptr<USet, CloseSet> letters;          ///< that it is written with
  std::unique_ptr<USet, CloseSet> foreign_letters;  ///< that foreign words in it have

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
  const bool root = code == U_USING_DEFAULT_WARNING;
  known.foreign_letters.reset(
      ulocdata_getExemplarSet(data.get(), nullptr, USET_CASE_INSENSITIVE, ULOCDATA_ES_AUXILIARY, &code));
  constexpr std::int32_t kMostScripts = 8;
  std::array<UScriptCode, kMostScripts> scripts{};
  const std::int32_t count = uscript_getCode(known.code.c_str(), scripts.data(), kMostScripts, &code);
  if (U_FAILURE(code) != 0 || root || count < 1 || !known.letters || !known.foreign_letters)
    return std::nullopt;
  known.scripts.assign(scripts.begin(), scripts.begin() + std::min(count, kMostScripts));
  return known;
}

/// The letters of a text, counted for a language.
struct LetterCounts {
  std::uint64_t all = 0, foreign_script = 0, foreign = 0;
};

LetterCounts count_letters(std::string_view text, const KnownLanguage& language) {
  LetterCounts counts;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = u_foldCase(static_cast<UChar32>(next_code_point(text, at)), U_FOLD_CASE_DEFAULT);
    if (u_isalpha(c) == 0) continue;
    ++counts.all;
    if (!language.has_script(c))
      ++counts.foreign_script;
    else if (uset_contains(language.letters.get(), c) == 0 &&
             uset_contains(language.foreign_letters.get(), c) == 0)
      ++counts.foreign;
  }
  return counts;
}

/// Languages as bits, in the order of stop_word_languages().
using LanguageSet = std::uint32_t;

/// The languages of each frequent word, by its key.
const std::unordered_map<std::uint64_t, LanguageSet>& frequent_words() {
  static const auto words = [] {
    std::unordered_map<std::uint64_t, LanguageSet> all;
    LanguageSet one = 1;
    for (const std::string_view language : stop_word_languages()) {
      const Result<StopWords> list = StopWords::of(language);
      if (list.has_value()) {
        for (const std::uint64_t key : list->keys()) all[key] |= one;
      }
      one <<= 1U;
    }
    return all;
  }();
  return words;
}

/// The declared language among those with a list; 0 without one.
LanguageSet set_with_list(std::string_view language) {
  if (language == "nb" || language == "nn") language = "no";
  const std::vector<std::string_view>& known = stop_word_languages();
  const auto found = std::ranges::find(known, language);
  return found == known.end() ? 0 : LanguageSet{1} << static_cast<unsigned>(found - known.begin());
}

struct WordCounts {
  std::uint64_t all = 0;
  std::map<LanguageSet, std::uint64_t> frequent;  ///< by the languages that have the word

  /// Words that `one` has and `other` lacks.
  [[nodiscard]] std::uint64_t only(LanguageSet one, LanguageSet other) const {
    std::uint64_t count = 0;
    for (const auto& [languages, words] : frequent)
      if ((languages & one) != 0 && (languages & other) == 0) count += words;
    return count;
  }
};

WordCounts count_words(std::string_view text) {
  WordCounts counts;
  WordFolder folder;
  const auto add = [&](std::string_view word) {
    ++counts.all;
    const auto found = frequent_words().find(folder.fold(word).key);
    if (found != frequent_words().end()) ++counts.frequent[found->second];
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    if (u_isalpha(static_cast<UChar32>(next_code_point(text, at))) != 0) continue;
    if (here > begin) add(text.substr(begin, here - begin));
    begin = at;
  }
  if (begin < text.size()) add(text.substr(begin));
  return counts;
}

/// Whether the text has the frequent words of another language, and nearly none of the declared one, or
/// letters that neither it nor foreign words in it have.
bool has_other_words(std::string_view text, const KnownLanguage& language, bool foreign_letters) {
  const LanguageSet declared = set_with_list(language.code);
  if (declared == 0 && !foreign_letters) return false;
  const WordCounts counts = count_words(text);
  const double least = declared == 0 ? kForeignWordsAlone : kForeignWords;
  for (std::size_t i = 0; i < stop_word_languages().size(); ++i) {
    const LanguageSet other = LanguageSet{1} << i;
    const std::uint64_t theirs = counts.only(other, declared);
    if (other == declared || static_cast<double>(theirs) < least * static_cast<double>(counts.all)) continue;
    if (foreign_letters || counts.only(declared, other) * kTimes <= theirs) return true;
  }
  return false;
}

}  // namespace

LanguageDoubt doubt_language(std::string_view utf8, std::string_view tag) {
  const std::optional<KnownLanguage> language = known_language(tag);
  if (!language) return {};
  const std::string_view text = extract::whole_characters(utf8, kLanguageBytes);
  const LetterCounts counts = count_letters(text, *language);
  if (counts.all < kLeastLanguageLetters) return {};
  const auto share = [&](std::uint64_t letters) {
    return static_cast<double>(letters) / static_cast<double>(counts.all);
  };
  if (share(counts.foreign_script) >= kForeignScripts)
    return {counts.foreign_script, share(counts.foreign_script)};
  if (has_other_words(text, *language, share(counts.foreign) >= kForeignLetters)) return {counts.all, 1};
  return {};
}

void report_contradicted_language(extract::Document& document) {
  if (document.type == "docx" || document.type == "odt") return;
  const LanguageDoubt doubt = doubt_language(document.text, document.metadata.language);
  if (doubt.share == 0) return;
  extract::FileAlert alert;
  alert.kind = extract::FileAlertKind::language_contradicted;
  alert.characters = doubt.letters;
  alert.share = doubt.share;
  alert.sample = extract::whole_characters(document.metadata.language, extract::kSampleBytes);
  document.alerts.push_back(std::move(alert));
}

}  // namespace akin::ingest
