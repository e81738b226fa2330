// Synonyms: which classes they join, and which they leave alone.
#include "dict/compile/synonyms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dict/read/pair_finder.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

constexpr std::string_view kHouses =
    "house/S\nhome/S\ncottage/S\ndwelling/S\ncat/S\npuss/S\nfast\nquick\nrapid\nslow\nspeedy\n";

class Synonyms : public testing::Test {
 protected:
  /// A dictionary with the synonyms of one file.
  std::shared_ptr<const Dictionary> with(std::string_view content) {
    DictionaryConfig config = files_.config({files_.write("en", kPluralAff, kHouses)});
    const std::string name = std::string("synonyms").append(std::to_string(++written_)).append(".dat");
    config.synonyms = {files_.write_file(name, content).string()};
    return TinyDictionaries::open(config);
  }
  /// What goes wrong with such a file.
  std::string error_of(std::string_view content) {
    DictionaryConfig config = files_.config({files_.write("en", kPluralAff, kHouses)});
    config.synonyms = {files_.write_file("wrong.dat", content).string()};
    const auto opened = Dictionary::open(config);
    return opened ? "" : opened.error().message();
  }
  TinyDictionaries files_;
  int written_ = 0;
};

/// The hash of a word's class where synonyms count as one.
std::uint64_t joined_hash_of(const Dictionary& dictionary, std::string_view word) {
  return dictionary.synonym_hash(hash_of(dictionary, word));
}

bool alike(const Dictionary& dictionary, std::string_view a, std::string_view b) {
  return joined_hash_of(dictionary, a) == joined_hash_of(dictionary, b);
}

std::string counts_as(const Dictionary& dictionary, std::string_view word) {
  WordFolder folder;
  return dictionary.synonym_name(folder.fold(word));
}

TEST_F(Synonyms, OfALineOfOnesOwnCountAsOneWordInAllForms) {
  const auto joined = with("# dwellings\nhouse home cottage  # three\n\nfast quick\n");
  EXPECT_TRUE(alike(*joined, "House", "homes"));
  EXPECT_TRUE(alike(*joined, "cottages", "home"));
  EXPECT_TRUE(alike(*joined, "fast", "quick"));
  EXPECT_FALSE(alike(*joined, "fast", "house"));
  EXPECT_EQ(counts_as(*joined, "cottages"), "home");
  EXPECT_EQ(joined_hash_of(*joined, "cottages"), hash_of(*joined, "home"));
  EXPECT_EQ(counts_as(*joined, "cats"), "cat");
  EXPECT_EQ(joined_hash_of(*joined, "cats"), hash_of(*joined, "cats"));
  const SynonymStats& stats = joined->stats().synonyms;
  EXPECT_EQ(stats.groups, 2U);
  EXPECT_EQ(stats.classes, 5U);
  EXPECT_EQ(stats.largest, 3U);
  EXPECT_EQ(stats.unknown, 0U);
}

TEST_F(Synonyms, LeaveClassesAsTheyAreForAllWhoDoNotAsk) {
  const auto plain = TinyDictionaries::open(files_.config({files_.write("en", kPluralAff, kHouses)}));
  const auto joined = with("house home cottage\n");
  for (const char* word : {"house", "homes", "cottage", "cats", "slow", "xyzzies"}) {
    EXPECT_EQ(hash_of(*joined, word), hash_of(*plain, word)) << word;
    EXPECT_EQ(class_of(*joined, word), class_of(*plain, word)) << word;
    EXPECT_EQ(joined_hash_of(*plain, word), hash_of(*plain, word)) << word;
  }
  EXPECT_EQ(joined->stats().classes, plain->stats().classes);
  EXPECT_EQ(joined->fingerprint(), plain->fingerprint());
  EXPECT_TRUE(joined->has_synonyms());
  EXPECT_FALSE(plain->has_synonyms());
}

TEST_F(Synonyms, HaveAFingerprintOfTheirOwn) {
  const auto plain = TinyDictionaries::open(files_.config({files_.write("en", kPluralAff, kHouses)}));
  const auto one = with("house home\n");
  const auto other = with("house cottage\n");
  EXPECT_EQ(plain->synonym_fingerprint(), plain->fingerprint());
  EXPECT_NE(one->synonym_fingerprint(), one->fingerprint());
  EXPECT_NE(one->synonym_fingerprint(), other->synonym_fingerprint());
  EXPECT_EQ(one->synonym_fingerprint(), with("house home\n")->synonym_fingerprint());
}

TEST_F(Synonyms, SurviveTheCache) {
  const auto config = [&] {
    DictionaryConfig made = files_.config({files_.write("en", kPluralAff, kHouses)});
    made.synonyms = {files_.write_file("same.txt", "house home\n").string()};
    return made;
  }();
  const auto compiled = TinyDictionaries::open(config);
  const auto mapped = TinyDictionaries::open(config);
  EXPECT_TRUE(alike(*mapped, "house", "home"));
  EXPECT_EQ(mapped->fingerprint(), compiled->fingerprint());
  EXPECT_EQ(mapped->synonym_fingerprint(), compiled->synonym_fingerprint());
  EXPECT_EQ(mapped->stats().synonyms.groups, 1U);
}

TEST_F(Synonyms, OfOverlappingLinesAreOne) {
  EXPECT_TRUE(alike(*with("house home\nhome cottage\n"), "house", "cottages"));
}

TEST_F(Synonyms, ThatNoDictionaryHasArePassedOver) {
  const auto joined = with("house xyzzy home\n");
  EXPECT_TRUE(alike(*joined, "house", "home"));
  EXPECT_FALSE(alike(*joined, "xyzzy", "home"));
  EXPECT_EQ(joined->stats().synonyms.unknown, 1U);
}

TEST_F(Synonyms, OfAThesaurusMustListEachOther) {
  const auto joined = with("UTF-8\nhouse|1\n(noun)|home|cottage\nhome|1\n(noun)|house\n");
  EXPECT_TRUE(alike(*joined, "houses", "home"));
  EXPECT_FALSE(alike(*joined, "cottage", "home"));
}

TEST_F(Synonyms, OfAThesaurusAreAllSynonymsOfEachOther) {
  // home - house - cottage is a chain; home and house have more in common.
  const auto joined = with(
      "UTF-8\nhome|1\n(noun)|house|dwelling\nhouse|2\n(noun)|home|dwelling\n(noun)|cottage\n"
      "cottage|1\n(noun)|house\ndwelling|1\n(noun)|home|house\n");
  EXPECT_TRUE(alike(*joined, "home", "house"));
  EXPECT_TRUE(alike(*joined, "home", "dwellings"));
  EXPECT_FALSE(alike(*joined, "cottage", "house"));
}

TEST_F(Synonyms, OfAThesaurusAreNoAntonymsPhrasesOrShortWords) {
  const auto joined = with(
      "UTF-8\nfast|2\n(adj)|quick (similar term)|rapid|rather speedy|speedy (colloquial)\n(antonym)|slow\n"
      "quick|1\n(adj)|fast\nrapid|1\n(adj)|fast\nspeedy|1\n(adj)|fast|rapid\nslow|1\n(adj)|fast (antonym)\n"
      "cat|1\n(noun)|puss\npuss|1\n(noun)|cat\n");
  EXPECT_FALSE(alike(*joined, "fast", "quick"));
  EXPECT_FALSE(alike(*joined, "fast", "slow"));
  EXPECT_TRUE(alike(*joined, "fast", "rapid"));
  EXPECT_FALSE(alike(*joined, "cat", "puss"));
}

TEST_F(Synonyms, OfAThesaurusLeaveTheLemmasOfSupplementsAlone) {
  DictionaryConfig config = files_.config({files_.write("en", kPluralAff, kHouses)});
  config.synonyms = {
      files_.write_file("th.dat", "UTF-8\nhouse|1\n(noun)|home\nhome|1\n(noun)|house\n").string()};
  EXPECT_TRUE(alike(*TinyDictionaries::open(config), "house", "home"));
  config.supplements = {files_.write_file("irregular.txt", "house: housen\n")};
  EXPECT_FALSE(alike(*TinyDictionaries::open(config), "house", "home"));
}

TEST_F(Synonyms, OfAThesaurusAreBounded) {
  std::string dic;
  std::string thesaurus = "UTF-8\n";
  const auto word = [](int i) { return std::string("word").append(1, static_cast<char>('a' + i)); };
  constexpr int kGroupWords = 20;
  for (int i = 0; i < kGroupWords; ++i) {
    dic += word(i) + "\n";
    thesaurus += word(i) + "|1\n(noun)";
    for (int j = 0; j < kGroupWords; ++j) thesaurus += "|" + word(j);
    thesaurus += "\n";
  }
  DictionaryConfig config = files_.config({files_.write("en", kPluralAff, dic)});
  config.synonyms = {files_.write_file("all.dat", thesaurus).string()};
  const auto joined = TinyDictionaries::open(config);
  EXPECT_EQ(joined->stats().synonyms.largest, kMaxSynonyms);
}

TEST_F(Synonyms, DoNotDependOnTheOrderOfEntries) {
  const std::vector<std::string> entries{"fast|1\n(adj)|quick|rapid\n", "quick|1\n(adj)|fast|speedy\n",
                                         "rapid|1\n(adj)|fast|speedy\n", "speedy|1\n(adj)|rapid|quick\n"};
  std::string forwards = "UTF-8\n";
  std::string backwards = "UTF-8\n";
  for (const std::string& entry : entries) forwards += entry;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) backwards += *entry;
  const auto a = with(forwards);
  const auto b = with(backwards);
  EXPECT_GT(a->stats().synonyms.groups, 0U);
  for (const char* word : {"fast", "quick", "rapid", "speedy", "slow"}) {
    EXPECT_EQ(joined_hash_of(*a, word), joined_hash_of(*b, word)) << word;
  }
}

TEST_F(Synonyms, AreReadInTheEncodingOfTheirFile) {
  DictionaryConfig config = files_.config({files_.write("ru", "SET UTF-8\n", "домище\nдомина\n")});
  // KOI8-R: домище, домина.
  config.synonyms = {files_
                         .write_file("koi.dat",
                                     "KOI8-R\n\xc4\xcf\xcd\xc9\xdd\xc5|1\n-|\xc4\xcf\xcd\xc9\xce\xc1\n"
                                     "\xc4\xcf\xcd\xc9\xce\xc1|1\n-|\xc4\xcf\xcd\xc9\xdd\xc5\n")
                         .string()};
  EXPECT_TRUE(alike(*TinyDictionaries::open(config), "домище", "домина"));
}

TEST_F(Synonyms, ErrorsTellFileLineReasonAndRemedy) {
  struct Row {
    std::string_view content, line, reason, remedy;
  };
  const std::string_view repair = "(repair the file";
  for (const Row& row : std::vector<Row>{
           {"house home\nhouse\n", "line 2", "must have two words or more", repair},
           {"house home\n\nhouse a,b\n", "line 3", "a,b is not one word", repair},
           {"house \xff home\n", "line 1", "not valid UTF-8", repair},
           {"UTF-8\nhouse\n", "line 2", "'entry|number of meanings' is expected", repair},
           {"UTF-8\nhouse|1\n(noun)|home\nhome\n", "line 4", "'entry|number of meanings'", repair},
           {"UTF-8\nhouse|-1\n", "line 2", "'entry|number of meanings'", repair},
           {"UTF-8\nhouse|99999999999999999999\n", "line 2", "'entry|number of meanings'", repair},
           {"UTF-8\nhouse|2\n(noun)|home\n", "line 3", "ends within an entry", repair},
           {"UTF-8\nhouse|1\n(noun)|\xff\n", "line 3", "not in the encoding", repair},
           {"UTF-8\n\xff|1\n(noun)|home\n", "line 2", "not in the encoding", repair},
           {"UTF-8\n2\nhome|6\nhouse|21\n", "line 2", "index of a thesaurus", "(name the .dat file"}}) {
    const std::string error = error_of(row.content);
    EXPECT_THAT(error, testing::HasSubstr(std::string("wrong.dat ").append(row.line).append(": ")))
        << row.content;
    EXPECT_THAT(error, testing::HasSubstr(row.reason)) << row.content;
    EXPECT_THAT(error, testing::HasSubstr(row.remedy)) << row.content;
  }
}

TEST_F(Synonyms, OfEmptyFilesJoinNothing) {
  for (const std::string_view content : {"", "# nothing\n", "UTF-8", "UTF-8\n", "\xef\xbb\xbfUTF-8\r\n"}) {
    const auto joined = with(content);
    EXPECT_TRUE(joined->has_synonyms());
    EXPECT_EQ(joined->stats().synonyms.groups, 0U) << content;
  }
}

TEST_F(Synonyms, AreFoundByLanguage) {
  const std::filesystem::path folder = files_.folder() / "mythes";
  std::filesystem::create_directories(folder);
  for (const char* name : {"th_de_AT_v2.dat", "th_de_DE_v2.dat", "th_pt_BR_v2.dat", "th_en_US_v2.dat"}) {
    files_.write_file(std::string("mythes/") + name, "UTF-8\n");
  }
  const std::vector<std::filesystem::path> folders{files_.folder(), folder};
  EXPECT_EQ(*find_thesaurus("de", folders), folder / "th_de_DE_v2.dat");
  EXPECT_EQ(*find_thesaurus("de-AT", folders), folder / "th_de_AT_v2.dat");
  EXPECT_EQ(*find_thesaurus("en", folders), folder / "th_en_US_v2.dat");
  EXPECT_EQ(*find_thesaurus("pt", folders), folder / "th_pt_BR_v2.dat");
  const auto missing = find_thesaurus("fr", folders);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), testing::HasSubstr("apt-get install mythes-fr"));
  EXPECT_EQ(find_thesaurus("./none.dat", folders).error().code, Errc::not_found);
  EXPECT_EQ(find_thesaurus("", folders).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace akin::test
