// Finds the .aff and .dic files of a language, and its thesaurus.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "dict/read/pair.h"

namespace akin {

/// A configured language and its files.
struct FoundPair {
  std::string configured;  ///< as the user gave it
  std::string code;        ///< language without region, from the file's name: "de" of de_AT.aff
  DictionaryPair files;
};

/// $DICPATH (folders separated by colons), then the folders of Debian, other Linux systems and a local
/// installation.
[[nodiscard]] std::vector<std::filesystem::path> default_search_path();

/// Finds the pair of a language code or path. A code with region ("de_AT", "de-AT") must match exactly. A
/// code alone finds ll_LL (de_DE; for English en_US), else the file ll itself, else the first by name that
/// begins with ll_; the first folder that has any wins. Error: not_found, which names the folders searched
/// and the Debian package, or invalid_argument.
[[nodiscard]] Result<FoundPair> find_pair(const std::string& language,
                                          std::span<const std::filesystem::path> folders);
/// Those of all languages, in their order. Error also: invalid_argument (two have the same).
[[nodiscard]] Result<std::vector<FoundPair>> find_pair_of_each(
    std::span<const std::string> languages, std::span<const std::filesystem::path> folders);

/// The folders of Debian's thesauri and of a local installation.
[[nodiscard]] std::vector<std::filesystem::path> thesaurus_search_path();

/// A file of synonyms: `name` itself if it has a '/' or a full stop, else the MyThes thesaurus of the
/// language: th_ll_LL_v2.dat (ru_RU; for English en_US), else the first th_ll_*.dat by name; a code with
/// region must match exactly. Error: not_found, which names the folders searched and the Debian package, or
/// invalid_argument.
[[nodiscard]] Result<std::filesystem::path> find_thesaurus(const std::string& name,
                                                           std::span<const std::filesystem::path> folders);

}  // namespace akin
