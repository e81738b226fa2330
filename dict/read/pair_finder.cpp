#include "dict/read/pair_finder.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "base/ascii.h"
#include "base/folders.h"

namespace akin {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::optional<DictionaryPair> pair_at(const fs::path& without_extension) {
  DictionaryPair pair{without_extension, without_extension};
  pair.aff += ".aff";
  pair.dic += ".dic";
  if (!is_file(pair.aff) || !is_file(pair.dic)) return std::nullopt;
  return pair;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}
std::optional<DictionaryPair> find_in_folder(const fs::path& folder, const std::string& code) {
  if (code.find('_') != std::string::npos) return pair_at(folder / code);
  for (const std::string& name : {code + "_" + (code == "en" ? "US" : upper_case(code)), code}) {
    if (auto pair = pair_at(folder / name)) return pair;
  }
  std::vector<fs::path> regional;
  const auto names = entry_names(folder);
  if (names.has_error()) return std::nullopt;
  for (const std::string& name : *names) {
    const fs::path path(name);
    if (path.extension() == ".aff" && path.stem().string().starts_with(code + "_")) {
      regional.push_back(folder / path.stem());
    }
  }
  std::sort(regional.begin(), regional.end());
  for (const fs::path& stem : regional) {
    if (auto pair = pair_at(stem)) return pair;
  }
  return std::nullopt;
}

std::optional<fs::path> find_thesaurus_in(const fs::path& folder, const std::string& code) {
  const std::string region =
      code.find('_') != std::string::npos ? code : code + "_" + (code == "en" ? "US" : upper_case(code));
  if (fs::path exact = folder / ("th_" + region + "_v2.dat"); is_file(exact)) return exact;
  if (region == code) return std::nullopt;
  std::vector<fs::path> others;
  const auto names = entry_names(folder);
  if (names.has_error()) return std::nullopt;
  for (const std::string& name : *names) {
    const fs::path path = folder / name;
    if (path.extension() == ".dat" && path.stem().string().starts_with("th_" + code + "_") && is_file(path)) {
      others.push_back(path);
    }
  }
  if (others.empty()) return std::nullopt;
  return *std::min_element(others.begin(), others.end());
}

std::string code_of(const fs::path& aff) {
  const std::string name = aff.stem().string();
  return ascii_lower(name.substr(0, name.find_first_of("_-.")));
}

/// Debian names its packages hunspell-ru, hunspell-en-us, hunspell-de-de.
std::string package_for(const std::string& code) {
  std::string name = code == "en" ? "en_us" : code == "de" ? "de_de" : ascii_lower(code);
  std::replace(name.begin(), name.end(), '_', '-');
  return "hunspell-" + name;
}

bool is_path(const std::string& language) {
  return language.find('/') != std::string::npos || language.ends_with(".aff") || language.ends_with(".dic");
}

}  // namespace

std::vector<fs::path> default_search_path() {
  std::vector<fs::path> folders;
  if (const char* configured = std::getenv("DICPATH")) {
    std::string_view rest = configured;
    while (!rest.empty()) {
      const std::size_t end = rest.find(':');
      if (end != 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  for (const char* folder :
       {"/usr/share/hunspell", "/usr/share/myspell", "/usr/share/myspell/dicts", "/usr/local/share/hunspell",
        "/usr/local/share/myspell", "/usr/local/share/myspell/dicts"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

Result<FoundPair> find_pair(const std::string& language, std::span<const fs::path> folders) {
  if (language.empty()) {
    return Error{Errc::invalid_argument, "language ''",
                 "a language code or the path of an .aff file is expected", "give one, such as ru or en"};
  }
  if (is_path(language)) {
    const auto pair = pair_at(fs::path(language).replace_extension());
    if (!pair) {
      return Error{Errc::not_found, "dictionary '" + language + "'",
                   "the .aff and the .dic file of that name must both exist", "check the path"};
    }
    return FoundPair{language, code_of(pair->aff), *pair};
  }
  std::string code = language;
  std::replace(code.begin(), code.end(), '-', '_');
  std::string searched;
  for (const fs::path& folder : folders) {
    if (const auto pair = find_in_folder(folder, code)) return FoundPair{language, code_of(pair->aff), *pair};
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  return Error{Errc::not_found, "dictionary for '" + language + "'",
               "no " + code + "*.aff with .dic in " + searched,
               "apt-get install " + package_for(code) + ", or give the path of an .aff file"};
}

Result<std::vector<FoundPair>> find_pair_of_each(std::span<const std::string> languages,
                                                 std::span<const fs::path> folders) {
  std::vector<FoundPair> pairs;
  for (const std::string& language : languages) {
    AKIN_TRY(FoundPair pair, find_pair(language, folders));
    for (const FoundPair& other : pairs) {
      std::error_code failure;
      if (!fs::equivalent(other.files.aff, pair.files.aff, failure)) continue;
      return Error{Errc::invalid_argument, "dictionary '" + language + "'",
                   "is the one of '" + other.configured + "', and is named twice", "name each once"};
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::vector<fs::path> thesaurus_search_path() {
  return {"/usr/share/mythes", "/usr/share/myspell/dicts", "/usr/local/share/mythes"};
}

Result<fs::path> find_thesaurus(const std::string& name, std::span<const fs::path> folders) {
  if (name.empty()) {
    return Error{Errc::invalid_argument, "synonyms ''", "a language code or the path of a file is expected",
                 ""};
  }
  if (name.find_first_of("/.") != std::string::npos) {
    if (is_file(name)) return fs::path(name);
    return Error{Errc::not_found, "synonyms '" + name + "'", "the file does not exist", "check the path"};
  }
  std::string code = name;
  std::replace(code.begin(), code.end(), '-', '_');
  std::string searched;
  for (const fs::path& folder : folders) {
    if (auto file = find_thesaurus_in(folder, code)) return std::move(*file);
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  std::string package = code == "en" ? "en_us" : ascii_lower(code);
  std::replace(package.begin(), package.end(), '_', '-');
  return Error{Errc::not_found, "thesaurus for '" + name + "'", "no th_" + code + "*.dat in " + searched,
               "apt-get install mythes-" + package + ", or give the path of a file"};
}

}  // namespace akin
