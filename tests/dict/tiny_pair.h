// Dictionary pairs written by a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "dict/dictionary.h"
#include "dict/read/pair.h"
#include "tests/experiments/corpora.h"

namespace akin::test {

/// An .aff file with one suffix: the flag S adds an s.
inline constexpr std::string_view kPluralAff = "SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n";

/// A folder with dictionaries and a cache of its own, gone with the object.
class TinyDictionaries {
 public:
  /// Writes NAME.aff and NAME.dic. `words` has no count line.
  DictionaryPair write(const std::string& name, std::string_view aff, std::string_view words) {
    const DictionaryPair pair{folder() / (name + ".aff"), folder() / (name + ".dic")};
    std::ofstream(pair.aff, std::ios::binary) << aff;
    std::ofstream(pair.dic, std::ios::binary) << "1\n" << words;
    return pair;
  }

  std::filesystem::path write_file(const std::string& name, std::string_view content) {
    std::ofstream(folder() / name, std::ios::binary) << content;
    return folder() / name;
  }

  [[nodiscard]] DictionaryConfig config(std::initializer_list<DictionaryPair> pairs) const {
    DictionaryConfig config;
    for (const DictionaryPair& pair : pairs) config.languages.push_back(pair.aff.string());
    config.cache = cache();
    config.use_shipped_supplements = false;
    return config;
  }

  /// Opens, or throws what went wrong.
  [[nodiscard]] static std::shared_ptr<const Dictionary> open(const DictionaryConfig& config) {
    auto opened = Dictionary::open(config);
    if (!opened) throw std::runtime_error(opened.error().message());
    return *opened;
  }

  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path(); }
  [[nodiscard]] std::filesystem::path cache() const { return scratch_.path() / "cache"; }

 private:
  experiments::ScratchFolder scratch_;
};

/// Class hash of a word, as texts spell it.
inline std::uint64_t hash_of(const Dictionary& dictionary, std::string_view word) {
  WordFolder folder;
  return dictionary.classify(folder.fold(word)).hash;
}

inline bool knows(const Dictionary& dictionary, std::string_view word) {
  WordFolder folder;
  return dictionary.knows(folder.fold(word));
}

inline std::string class_of(const Dictionary& dictionary, std::string_view word) {
  WordFolder folder;
  return dictionary.class_name(folder.fold(word));
}

}  // namespace akin::test
