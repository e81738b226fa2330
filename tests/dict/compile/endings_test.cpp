// Endings learnt from paradigms: stems of words that no dictionary has.
#include "dict/table/endings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

using Forms = std::vector<std::u32string>;

/// The stem of a word by rules, or the word where they know none of its endings.
std::u32string stem(const std::vector<Ending>& rules, std::u32string_view word) {
  const std::size_t length = stem_length(word, [&](std::uint64_t key) {
    const auto found =
        std::find_if(rules.begin(), rules.end(), [&](const Ending& e) { return e.key == key; });
    return found == rules.end() ? -1 : static_cast<int>(found->strip);
  });
  return std::u32string(length == 0 ? word : word.substr(0, length));
}

Forms inflect(std::u32string_view root, std::initializer_list<std::u32string_view> endings) {
  Forms forms;
  for (const std::u32string_view ending : endings) forms.push_back(std::u32string(root).append(ending));
  return forms;
}

const std::initializer_list<std::u32string_view> kNoun{U"", U"a", U"u", U"om", U"ami"};
const std::initializer_list<std::u32string_view> kAdjective{U"ij", U"aja", U"omu"};

void add(Paradigms& words, std::u32string_view lemma, const Forms& forms) {
  words.add(lemma, std::vector<std::u32string_view>(forms.begin(), forms.end()));
}

Paradigms nouns(std::initializer_list<std::u32string_view> roots) {
  Paradigms out;
  for (const std::u32string_view root : roots) add(out, root, inflect(root, kNoun));
  return out;
}

std::vector<Ending> learn(std::vector<Paradigms> sources) { return learn_endings(sources); }

TEST(Endings, FormsOfAnUnknownWordLeaveOneStem) {
  const auto rules = learn({nouns({U"stol", U"krot", U"plod", U"trud"})});
  for (const std::u32string& form : inflect(U"gvozd", {U"a", U"u", U"om", U"ami"})) {
    EXPECT_EQ(stem(rules, form), U"gvozd");
  }
}

TEST(Endings, TheLongestKnownEndingDecides) {
  Paradigms words = nouns({U"stol", U"krot", U"plod", U"trud", U"kran", U"brat"});
  for (const std::u32string_view root : {U"krut", U"prost", U"star"})
    add(words, root, inflect(root, kAdjective));
  const auto rules = learn({std::move(words)});
  EXPECT_EQ(stem(rules, U"gvozda"), U"gvozd");
  EXPECT_EQ(stem(rules, U"krasnaja"), U"krasn");  // not "krasnaj", as by "-a"
  EXPECT_EQ(stem(rules, U"krasnomu"), stem(rules, U"krasnij"));
}

TEST(Endings, WhatIsRareOrAmbiguousTeachesNothing) {
  EXPECT_EQ(stem(learn({nouns({U"stol", U"krot"})}), U"gvozdami"), U"gvozdami");
  Paradigms words;  // "-ti" is lost as often as "-i"; three forms of "-eti" and of "-oti" decide
  for (const std::u32string_view root : {U"bare", U"lare", U"mare"})
    add(words, root, inflect(root, {U"", U"ti"}));
  for (const std::u32string_view root : {U"barot", U"larot", U"marot"})
    add(words, root, inflect(root, {U"", U"i"}));
  const auto rules = learn({std::move(words)});
  EXPECT_EQ(stem(rules, U"kuseti"), U"kuse");
  EXPECT_EQ(stem(rules, U"kusoti"), U"kusot");
}

TEST(Endings, OrderDoesNotMatter) {
  const auto one = learn({nouns({U"stol", U"krot", U"plod"}), nouns({U"trud", U"kran"})});
  const auto other = learn({nouns({U"kran", U"trud"}), nouns({U"plod", U"stol", U"krot"})});
  const auto together = learn({nouns({U"plod", U"kran", U"stol", U"trud", U"krot"})});
  const auto same = [](const Ending& a, const Ending& b) { return a.key == b.key && a.strip == b.strip; };
  EXPECT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end(), same));
  EXPECT_TRUE(std::equal(one.begin(), one.end(), together.begin(), together.end(), same));
  EXPECT_FALSE(one.empty());
}

TEST(Endings, FormsWithAnotherBeginningAreOtherWords) {
  Paradigms words;
  add(words, U"stol", Forms{U"nestol", U"stol"});
  EXPECT_EQ(words.size(), 0U);
  add(words, U"stol", Forms{U"nestol", U"stol", U"stola"});
  ASSERT_EQ(words.size(), 1U);
  words.for_each([](std::span<const std::u32string_view> forms) {
    EXPECT_THAT(forms, testing::ElementsAre(U"stol", U"stola"));
  });
}

TEST(Endings, TwoLettersAreAlwaysLeft) {
  const auto rules = learn({nouns({U"stol", U"krot", U"plod", U"trud"})});
  EXPECT_EQ(stem(rules, U"am"), U"am");
  EXPECT_GE(stem(rules, U"ami").size(), kLeastStem);
}

constexpr std::string_view kSuffixes = "SET UTF-8\nSFX S Y 3\nSFX S 0 ові .\nSFX S 0 ами .\nSFX S 0 а .\n";
constexpr std::string_view kShortWords = "стіл/S\nкріт/S\nплід/S\nтруд/S\nкран/S\nбрат/S\n";

TEST(LearntEndings, NameWordsThatNoDictionaryHas) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("uk", kSuffixes, kShortWords)}));
  EXPECT_FALSE(knows(*dictionary, "Ґуґлові"));
  EXPECT_EQ(class_of(*dictionary, "Ґуґлові"), "ґуґл");
  EXPECT_EQ(class_of(*dictionary, "ґуґлами"), "ґуґл");
  EXPECT_EQ(hash_of(*dictionary, "ґуґла"), hash_of(*dictionary, "ҐУҐЛОВІ"));
  EXPECT_EQ(class_of(*dictionary, "ґуґл2ами"), "ґуґл2ами");
}

TEST(LearntEndings, StandBackWhereAStemmerMeasuresBetter) {
  TinyDictionaries files;
  const std::string_view suffixes = "SET UTF-8\nSFX S Y 1\nSFX S 0 ings .\n";
  const std::string_view words = "walk/S\ntalk/S\nbark/S\nmark/S\n";
  const auto english = TinyDictionaries::open(files.config({files.write("en", suffixes, words)}));
  EXPECT_EQ(class_of(*english, "googlings"), "googl");
  const auto polish = TinyDictionaries::open(files.config({files.write("pl", suffixes, words)}));
  EXPECT_EQ(class_of(*polish, "googkings"), "googk");
}

TEST(LearntEndings, CanBeLeftOutAndChangeTheFingerprintThen) {
  TinyDictionaries files;
  DictionaryConfig config = files.config({files.write("uk", kSuffixes, kShortWords)});
  const auto with = TinyDictionaries::open(config);
  config.use_endings = false;
  const auto without = TinyDictionaries::open(config);
  EXPECT_NE(with->fingerprint(), without->fingerprint());
  EXPECT_NE(hash_of(*with, "ґуґлові"), hash_of(*without, "ґуґлові"));
  EXPECT_EQ(hash_of(*with, "братові"), hash_of(*without, "братові"));
}

}  // namespace
}  // namespace akin::test
