#include "server/check/other_languages.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "server/check/language.h"

namespace akin::check {

namespace {

/// Whether a dictionary's name, such as "de", "de_AT" or "/home/a/de_AT.aff", names the language.
bool is_of(const DictionarySource& source, std::string_view code) {
  const std::string name = std::filesystem::path(source.language).filename().string();
  return name.starts_with(code) &&
         (name.size() == code.size() ||
          std::string_view("_-.").find(name[code.size()]) != std::string_view::npos);
}

}  // namespace

OtherLanguages find_other_languages(std::span<const StylePart> parts, const Dictionary& dictionary,
                                    double unusual) {
  const auto has_dictionary = [&](std::string_view code) {
    return std::ranges::any_of(dictionary.stats().sources,
                               [&](const DictionarySource& source) { return is_of(source, code); });
  };
  OtherLanguages found;
  std::uint64_t all = 0;
  std::map<std::string, std::uint64_t, std::less<>> words;
  for (const StylePart& part : parts) {
    all += part.words;
    if (static_cast<double>(part.unknown) < unusual * static_cast<double>(part.words)) continue;
    std::string code = language_of(part.unknown_words);
    if (has_dictionary(code)) code = older_language_of(code, part.unknown_words);
    if (code.empty() || has_dictionary(code)) continue;
    words[code] += part.unknown;
    found += part;
  }
  for (const auto& [code, count] : words) {
    const double share = static_cast<double>(count) / static_cast<double>(all);
    if (share >= kLeastLanguageShare) found.languages.push_back({code, count, share});
  }
  std::ranges::stable_sort(found.languages, std::ranges::greater(), &OtherLanguage::words);
  return found;
}

}  // namespace akin::check
