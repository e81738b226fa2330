#include "tests/morph/tiny_dictionary.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace akin {
std::shared_ptr<const Dictionary> tiny_dictionary(std::string_view words) {
  std::map<std::string, std::vector<std::string>> lemmas;
  std::istringstream list{std::string(words)};
  for (std::string word; list >> word;) {
    const std::size_t slash = word.find('/');
    std::vector<std::string>& forms = lemmas[word.substr(0, slash)];
    if (slash != std::string::npos) forms.push_back(word.substr(slash + 1));
  }
  const test::TemporaryFolder folder;
  std::ofstream aff(folder.path() / "tiny.aff");
  std::ofstream dic(folder.path() / "tiny.dic");
  aff << "SET UTF-8\nFLAG num\nFULLSTRIP\n";
  dic << lemmas.size() << '\n';
  // Each other form has a rule of its own that replaces the whole lemma.
  int flag = 0;
  for (const auto& [lemma, forms] : lemmas) {
    dic << lemma;
    char separator = '/';
    for (const std::string& form : forms) {
      ++flag;
      aff << "SFX " << flag << " N 1\nSFX " << flag << ' ' << lemma << ' ' << form << ' ' << lemma << '\n';
      dic << separator << flag;
      separator = ',';
    }
    dic << '\n';
  }
  aff.close();
  dic.close();
  DictionaryConfig config;
  if (!lemmas.empty()) config.languages = {(folder.path() / "tiny.aff").string()};
  config.cache = folder.path() / "cache";
  auto dictionary = Dictionary::open(config);
  if (dictionary.has_error()) {
    ADD_FAILURE() << dictionary.error().message();
    return nullptr;
  }
  return *dictionary;
}

}  // namespace akin
