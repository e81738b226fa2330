#include "dict/read/pair_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PairFinder : public testing::Test {
 protected:
  void put(const std::string& folder, const std::string& name) {
    fs::create_directories(files_.folder() / folder);
    files_.write(folder + "/" + name, "", "");
  }
  [[nodiscard]] Result<FoundPair> find(const std::string& language) {
    return find_pair(language, std::vector{files_.folder() / "one", files_.folder() / "two"});
  }
  [[nodiscard]] std::string found(const std::string& language) {
    const auto pair = find(language);
    return pair ? fs::relative(pair->files.aff, files_.folder()).string() : pair.error().message();
  }
  TinyDictionaries files_;
};

TEST_F(PairFinder, PrefersTheLanguagesOwnRegion) {
  put("one", "de_AT");
  put("one", "de_DE");
  EXPECT_EQ(found("de"), "one/de_DE.aff");
}

TEST_F(PairFinder, PrefersAmericanEnglish) {
  put("one", "en_GB");
  put("one", "en_US");
  EXPECT_EQ(found("en"), "one/en_US.aff");
}

TEST_F(PairFinder, TakesTheFirstRegionByNameOtherwise) {
  put("one", "uk_ZZ");
  put("one", "uk_UA");
  EXPECT_EQ(found("uk"), "one/uk_UA.aff");
}

TEST_F(PairFinder, TakesAFileWithoutRegion) {
  put("one", "eo");
  put("one", "eo_XX");
  EXPECT_EQ(found("eo"), "one/eo.aff");
}

TEST_F(PairFinder, ADictionaryIsConfiguredOnce) {
  put("one", "en_US");
  fs::create_symlink("en_US.aff", files_.folder() / "one/en_AU.aff");
  fs::create_symlink("en_US.dic", files_.folder() / "one/en_AU.dic");
  for (const char* other : {"en", "en_US", "en_AU"}) {
    DictionaryConfig config = files_.config({});
    config.search_path = {files_.folder() / "one"};
    config.languages = {"en", other};
    const auto opened = Dictionary::open(config);
    ASSERT_TRUE(opened.has_error()) << other;
    EXPECT_EQ(opened.error().code, Errc::invalid_argument);
    EXPECT_THAT(opened.error().message(), HasSubstr("is the one of 'en', and is named twice"));
  }
}

TEST_F(PairFinder, TakesTheFirstFolderThatHasAny) {
  put("two", "ru_RU");
  EXPECT_EQ(found("ru"), "two/ru_RU.aff");
  put("one", "ru_XX");
  EXPECT_EQ(found("ru"), "one/ru_XX.aff");
}

TEST_F(PairFinder, TakesARegionLiterally) {
  put("one", "de_AT");
  put("one", "de_DE");
  EXPECT_EQ(found("de-AT"), "one/de_AT.aff");
  EXPECT_THAT(found("de_CH"), HasSubstr("no de_CH"));
}

TEST_F(PairFinder, TakesAPathOfEitherFile) {
  put("one", "de_AT");
  EXPECT_EQ(found((files_.folder() / "one/de_AT.dic").string()), "one/de_AT.aff");
  EXPECT_EQ(find((files_.folder() / "one/de_AT.aff").string())->code, "de");
}

TEST_F(PairFinder, NeedsBothFiles) {
  put("one", "de_AT");
  fs::remove(files_.folder() / "one/de_AT.dic");
  EXPECT_THAT(found("de"), HasSubstr("no de"));
  EXPECT_THAT(found((files_.folder() / "one/de_AT.aff").string()), HasSubstr("must both exist"));
}

TEST_F(PairFinder, NamesFoldersAndPackageWhenThereIsNone) {
  const auto pair = find("ru");
  ASSERT_TRUE(pair.has_error());
  EXPECT_EQ(pair.error().code, Errc::not_found);
  EXPECT_THAT(pair.error().reason, HasSubstr((files_.folder() / "one").string()));
  EXPECT_THAT(pair.error().reason, HasSubstr((files_.folder() / "two").string()));
  EXPECT_THAT(pair.error().remedy, HasSubstr("apt-get install hunspell-ru"));
  EXPECT_THAT(find("en").error().remedy, HasSubstr("hunspell-en-us"));
}

TEST_F(PairFinder, RefusesAnEmptyName) { EXPECT_EQ(find("").error().code, Errc::invalid_argument); }

}  // namespace
}  // namespace akin::test
