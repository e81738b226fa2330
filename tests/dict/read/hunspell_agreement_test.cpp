// Compiled tables against Hunspell, dictionary by dictionary: small own ones for every affix feature
// (data/*.aff; the words of data/*.words are judged), and those installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "dict/read/dictionary_forms.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/form_folder.h"
#include "dict/read/pair_finder.h"
#include "tests/dict/read/hunspell_oracle.h"
#include "tests/experiments/corpora.h"
#include "tests/support/built.h"

namespace akin {
namespace {

namespace fs = std::filesystem;
using test::Agreement;
using test::AgreementCounts;
using test::HunspellOracle;

std::shared_ptr<const Dictionary> open_alone(const std::string& language, const fs::path& cache) {
  DictionaryConfig config;
  config.languages = {language};
  config.use_shipped_supplements = false;
  config.cache = cache;
  auto opened = Dictionary::open(config);
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? *opened : nullptr;
}

class SpellingSet : public FormSink {
 public:
  void on_form(std::u32string_view form, std::string_view) override { all.emplace(form); }
  std::set<std::u32string> all;
};

std::set<std::u32string> spellings_of(const DictionaryPair& files) {
  const auto aff = read_whole_file(files.aff);
  const auto dic = read_whole_file(files.dic);
  const auto forms = DictionaryForms::read(files, *aff, *dic);
  EXPECT_TRUE(forms) << forms.error().message();
  SpellingSet spellings;
  if (!forms) return spellings.all;
  Expander expander(forms->affixes());
  for (std::size_t i = 0; i < forms->words().entries.size(); ++i) {
    forms->expand(i, ExpansionDepth::full, expander, spellings);
  }
  return spellings.all;
}

// Each feature of affix files.

class AffixFeature : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static fs::path file(const char* extension) {
    return test::source_folder() / "tests/dict/data" / (GetParam() + extension);
  }
  DictionaryPair files_{file(".aff"), file(".dic")};
  HunspellOracle oracle_{files_};
  experiments::ScratchFolder cache_;
};

TEST_P(AffixFeature, ExpandsOnlyToWhatHunspellAccepts) {
  std::vector<std::string> rejected;
  for (const std::u32string& spelling : spellings_of(files_)) {
    if (!oracle_.accepts(spelling)) rejected.push_back(to_utf8(spelling));
  }
  EXPECT_THAT(rejected, testing::IsEmpty());
}

TEST_P(AffixFeature, KnowsTheWordsThatHunspellAccepts) {
  const auto dictionary = open_alone(files_.aff, cache_.path());
  ASSERT_TRUE(dictionary);
  const auto words = read_whole_file(file(".words"));
  ASSERT_TRUE(words);
  // Folding makes some spellings one: the word is then known if Hunspell accepts any of them.
  std::map<std::u32string, std::vector<std::string>> by_folded;
  WordFolder folder;
  DictionaryLines lines(*words);
  while (lines.next()) {
    by_folded[std::u32string(folder.fold(lines.line()).letters)].emplace_back(lines.line());
  }
  for (const auto& [folded, spellings] : by_folded) {
    const bool accepted = std::any_of(spellings.begin(), spellings.end(), [&](const std::string& spelling) {
      return oracle_.accepts(to_utf32(spelling));
    });
    EXPECT_EQ(dictionary->knows(folder.fold(to_utf8(folded))), accepted) << testing::PrintToString(spellings);
  }
}

TEST_P(AffixFeature, SharesALemmaWithStem) {
  // Hunspell 1.7 returns no stems for dictionaries with COMPLEXPREFIXES.
  if (GetParam() == "reversed") GTEST_SKIP() << "stem() is empty under COMPLEXPREFIXES";
  const auto dictionary = open_alone(files_.aff, cache_.path());
  ASSERT_TRUE(dictionary);
  for (const std::u32string& spelling : spellings_of(files_)) {
    if (!FormFolder().fold_form(spelling)) continue;
    EXPECT_EQ(describe(compare(*dictionary, oracle_, spelling)), describe(Agreement::shared_lemma))
        << to_utf8(spelling);
  }
}

std::vector<std::string> features() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(test::source_folder() / "tests/dict/data")) {
    if (entry.path().extension() == ".aff") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Data, AffixFeature, testing::ValuesIn(features()),
                         [](const auto& row) { return row.param; });

// Installed dictionaries.

class InstalledDictionary : public testing::TestWithParam<std::string> {};

/// Judges every n-th spelling.
class SamplingOracle : public FormSink {
 public:
  SamplingOracle(const Dictionary& dictionary, HunspellOracle& oracle, AgreementCounts& out)
      : dictionary_(dictionary), oracle_(oracle), out_(out) {}
  void on_form(std::u32string_view form, std::string_view) override {
    constexpr std::size_t kEvery = 211;
    if (count_++ % kEvery == 0 && folder_.fold_form(form))
      out_.add(compare(dictionary_, oracle_, form), form, 1);
  }

 private:
  const Dictionary& dictionary_;
  HunspellOracle& oracle_;
  AgreementCounts& out_;
  FormFolder folder_;
  std::size_t count_ = 0;
};

TEST_P(InstalledDictionary, SharesALemmaWithStemOnEverySampledForm) {
  const auto pair = find_pair(GetParam(), default_search_path());
  if (!pair) GTEST_SKIP() << pair.error().message();
  const experiments::ScratchFolder cache;
  const auto dictionary = open_alone(GetParam(), cache.path());
  ASSERT_TRUE(dictionary);
  const auto aff = read_whole_file(pair->files.aff);
  const auto dic = read_whole_file(pair->files.dic);
  const auto forms = DictionaryForms::read(pair->files, *aff, *dic);
  ASSERT_TRUE(forms);
  HunspellOracle oracle(pair->files);
  AgreementCounts agreements;
  SamplingOracle sampling(*dictionary, oracle, agreements);
  Expander expander(forms->affixes());
  for (std::size_t i = 0; i < forms->words().entries.size(); ++i) {
    forms->expand(i, ExpansionDepth::full, expander, sampling);
  }
  EXPECT_GT(agreements.total(), 500U);
  EXPECT_EQ(agreements.count(Agreement::shared_lemma), agreements.total())
      << agreements.examples(Agreement::other_class) << agreements.examples(Agreement::rejected)
      << agreements.examples(Agreement::no_stem) << agreements.examples(Agreement::same_class)
      << agreements.examples(Agreement::only_hunspell);
}

INSTANTIATE_TEST_SUITE_P(Systems, InstalledDictionary, testing::Values("ru", "en", "de", "uk", "es"),
                         [](const auto& row) { return row.param; });

/// A form and its lemma in a dictionary that is hard to compile.
struct HardRow {
  const char* language;
  const char* form;
  const char* lemma;
};

void PrintTo(const HardRow& row, std::ostream* out) { *out << row.language << ": " << row.form; }

class HardDictionary : public testing::TestWithParam<HardRow> {};

// it: 37,000,000 forms, nine in ten with an elided word before them. hu and ko: 7,000,000,000 and
// 5,000,000,000 forms. ko: an ICONV rule for each of 11,172 syllables. tr: a flag 0.
TEST_P(HardDictionary, IsCompiledInBoundedTimeAndKnowsInflectedWords) {
  const auto pair = find_pair(GetParam().language, default_search_path());
  if (!pair) GTEST_SKIP() << pair.error().message();
  const experiments::ScratchFolder cache;
  const auto start = std::chrono::steady_clock::now();
  const auto dictionary = open_alone(GetParam().language, cache.path());
  ASSERT_TRUE(dictionary);
  WordFolder folder;
  EXPECT_TRUE(dictionary->knows(folder.fold(GetParam().form)));
  const std::uint64_t form = dictionary->classify(folder.fold(GetParam().form)).hash;
  EXPECT_EQ(form, dictionary->classify(folder.fold(GetParam().lemma)).hash);
#ifdef __SANITIZE_ADDRESS__  // with which it takes some ten times as long
  constexpr auto kBound = std::chrono::seconds(250);
#else
  constexpr auto kBound = std::chrono::seconds(60);
#endif
  EXPECT_LT(std::chrono::steady_clock::now() - start, kBound);
}

INSTANTIATE_TEST_SUITE_P(Rows, HardDictionary,
                         testing::Values(HardRow{"it", "dell'amico", "amico"},
                                         HardRow{"it", "parlavano", "parlare"},
                                         HardRow{"hu", "házakban", "ház"}, HardRow{"tr", "evlerin", "ev"},
                                         HardRow{"ko", "학교에서", "학교"},
                                         HardRow{"fr", "d'hommes", "homme"}));

}  // namespace
}  // namespace akin
