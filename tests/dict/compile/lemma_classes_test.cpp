// Which words get one class, what the class is called, and what leaves it alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

constexpr std::string_view kTwoSuffixes = "SET UTF-8\nSFX S Y 1\nSFX S 0 s .\nSFX E Y 1\nSFX E 0 en .\n";

class LemmaClassesTest : public testing::Test {
 protected:
  [[nodiscard]] std::shared_ptr<const Dictionary> with_words(const std::string& words) {
    return TinyDictionaries::open(files_.config({files_.write("xx", kTwoSuffixes, words)}));
  }
  TinyDictionaries files_;
};

TEST_F(LemmaClassesTest, JoinsFormsOfOneLemma) {
  const auto dictionary = with_words("book/S\nhouse/S\n");
  EXPECT_EQ(hash_of(*dictionary, "book"), hash_of(*dictionary, "books"));
  EXPECT_NE(hash_of(*dictionary, "book"), hash_of(*dictionary, "house"));
}

TEST_F(LemmaClassesTest, JoinsLemmasThatShareAForm) {
  // "its" is a form of "it" and a lemma of its own.
  const auto dictionary = with_words("it/S\nits/E\n");
  EXPECT_EQ(hash_of(*dictionary, "it"), hash_of(*dictionary, "itsen"));
}

/// The lemmas baa, bab … each with a plural, and the form "many" of all of them.
std::string lemmas_of_one_form(int count) {
  std::string words;
  for (int i = 0; i < count; ++i) {
    const std::string lemma{'b', static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
    words += lemma + "/S\nmany st:" + lemma + "\n";
  }
  return words;
}

TEST_F(LemmaClassesTest, AClassOfMoreThanAHundredLemmasFallsApart) {
  const auto joined = with_words(lemmas_of_one_form(100));
  EXPECT_EQ(class_of(*joined, "babs"), "baa");
  const auto crowded = with_words(lemmas_of_one_form(101));
  EXPECT_EQ(class_of(*crowded, "babs"), "bab");
  EXPECT_EQ(class_of(*crowded, "many"), "baa") << "the lemma that precedes the others";
}

TEST_F(LemmaClassesTest, InACrowdedClassAFormKeepsALemmaThatIsSpeltLikeIt) {
  const auto crowded = with_words(lemmas_of_one_form(101) + "many/E\n");
  EXPECT_EQ(class_of(*crowded, "many"), "many");
  EXPECT_EQ(class_of(*crowded, "manyen"), "many");
}

TEST_F(LemmaClassesTest, WhatASupplementJoinsIsNeverCrowded) {
  DictionaryConfig config = files_.config({files_.write("xx", kTwoSuffixes, lemmas_of_one_form(101))});
  std::string all = "many:";
  for (char last = 'a'; last <= 'z'; ++last) all += std::string(" ba") + last;
  config.supplements = {files_.write_file("more.txt", all + "\n")};
  const auto crowded = TinyDictionaries::open(config);
  EXPECT_EQ(class_of(*crowded, "bazs"), "baa");
  EXPECT_EQ(class_of(*crowded, "bbas"), "bba");
}

TEST_F(LemmaClassesTest, LettersHaveNoFormsThatAreOtherWords) {
  // As fr makes "as", "es" of the unit s: they would join "avoir" and "être".
  const auto dictionary = with_words("a/S\nas/E\nx/SE\n");
  EXPECT_NE(hash_of(*dictionary, "a"), hash_of(*dictionary, "as"));
  EXPECT_EQ(hash_of(*dictionary, "as"), hash_of(*dictionary, "asen"));
  EXPECT_NE(hash_of(*dictionary, "xs"), hash_of(*dictionary, "x"));
}

TEST_F(LemmaClassesTest, AFormThatOnlyALetterHasIsItsOwnLemma) {
  const auto dictionary = with_words("x/SE\n");
  EXPECT_TRUE(knows(*dictionary, "xs"));
  EXPECT_EQ(class_of(*dictionary, "xs"), "xs");
}

TEST_F(LemmaClassesTest, LettersKeepFormsWithAnApostrophe) {
  const auto dictionary = TinyDictionaries::open(
      files_.config({files_.write("xx", "SET UTF-8\nPFX L Y 1\nPFX L 0 l' .\n", "y/L\n")}));
  EXPECT_EQ(hash_of(*dictionary, "l'y"), hash_of(*dictionary, "y"));
}

TEST_F(LemmaClassesTest, SyllablesAreNotLetters) {
  const auto dictionary = TinyDictionaries::open(
      files_.config({files_.write("xx", "SET UTF-8\nSFX A Y 1\nSFX A 0 은 .\n", "책/A\n")}));
  EXPECT_EQ(hash_of(*dictionary, "책은"), hash_of(*dictionary, "책"));
}

TEST_F(LemmaClassesTest, IgnoresCase) {
  const auto dictionary = with_words("Polish/S\npolish/E\n");
  EXPECT_EQ(hash_of(*dictionary, "POLISH"), hash_of(*dictionary, "polishen"));
}

TEST_F(LemmaClassesTest, HashesByTheShortestLemma) {
  const auto dictionary = with_words("its/E\nit/S\n");
  EXPECT_EQ(hash_of(*dictionary, "itsen"), word_hash(U"it"));
  EXPECT_EQ(class_of(*dictionary, "itsen"), "it");
}

TEST_F(LemmaClassesTest, HashesByTheFirstOfEquallyShortLemmas) {
  const auto dictionary = with_words("one/S st:bb\none/E st:ab\n");
  EXPECT_EQ(class_of(*dictionary, "ones"), "ab");
}

TEST_F(LemmaClassesTest, ListsEveryLemmaOfAForm) {
  const auto dictionary = with_words("it/S\nits/E\n");
  WordFolder folder;
  const WordClass found = dictionary->classify(folder.fold("its"));
  ASSERT_NE(found.form, WordClass::kNoForm);
  std::vector<std::string> lemmas;
  for (const std::uint32_t id : dictionary->lemma_ids(found.form)) lemmas.emplace_back(dictionary->lemma(id));
  EXPECT_THAT(lemmas, testing::ElementsAre("it", "its"));
}

TEST_F(LemmaClassesTest, DoNotDependOnTheOrderOfEntries) {
  const auto one = with_words("it/S\nits/E\nbook/S\n");
  const auto other = with_words("book/S\nits/E\nit/S\n");
  for (const char* word : {"it", "its", "itsen", "books"})
    EXPECT_EQ(hash_of(*one, word), hash_of(*other, word));
}

TEST_F(LemmaClassesTest, DoNotDependOnTheOrderOfLanguages) {
  const auto first = files_.write("aa", kTwoSuffixes, "it/S\n");
  const auto second = files_.write("bb", kTwoSuffixes, "its/E\n");
  const auto one = TinyDictionaries::open(files_.config({first, second}));
  const auto other = TinyDictionaries::open(files_.config({second, first}));
  EXPECT_EQ(one->fingerprint(), other->fingerprint());
  EXPECT_EQ(hash_of(*one, "itsen"), hash_of(*other, "it"));
}

TEST_F(LemmaClassesTest, StayWhenOtherWordsAreAdded) {
  const auto word = [](int i) {
    return std::string("w").append(static_cast<std::size_t>(1 + i % 7), static_cast<char>('a' + i % 23));
  };
  std::string words;
  for (int i = 0; i < 300; ++i) words.append(word(i)).append("/SE\n");
  const auto before = with_words(words);
  const auto after = with_words(std::string("zebra/S\naardvark/E\n").append(words).append("quagga/SE\n"));
  EXPECT_NE(before->fingerprint(), after->fingerprint());
  for (int i = 0; i < 300; ++i) {
    const std::string form = word(i).append("en");
    ASSERT_EQ(hash_of(*before, form), hash_of(*after, form)) << form;
  }
}

TEST_F(LemmaClassesTest, SupplementJoinsALoneFormToItsLemma) {
  DictionaryConfig config = files_.config({files_.write("xx", kTwoSuffixes, "go/E\nwent\n")});
  const auto without = TinyDictionaries::open(config);
  EXPECT_NE(hash_of(*without, "went"), hash_of(*without, "goen"));
  config.supplements = {files_.write_file("own.txt", "go: went gone\n")};
  const auto with = TinyDictionaries::open(config);
  EXPECT_EQ(hash_of(*with, "went"), hash_of(*with, "goen"));
  EXPECT_EQ(hash_of(*with, "gone"), word_hash(U"go"));
  EXPECT_NE(with->fingerprint(), without->fingerprint());
}

}  // namespace
}  // namespace akin::test
