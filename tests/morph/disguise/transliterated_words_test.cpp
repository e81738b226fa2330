// Russian words in Latin letters, as checks report them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "morph/disguise/disguise.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

class TransliteratedWords : public testing::Test {
 protected:
  [[nodiscard]] Disguise found(const std::string& text) const {
    return find_clear_disguise(text, *dictionary_);
  }
  [[nodiscard]] std::uint64_t count(const std::string& text) const {
    return found(text).counts[AlertKind::transliterated];
  }
  static std::string times(std::size_t count, const std::string& words) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += words;
    return text;
  }

  TinyDictionaries files_;
  std::shared_ptr<const Dictionary> dictionary_ =
      TinyDictionaries::open(files_.config({files_.write("ru", "SET UTF-8\n", "жизнь\nчеловек\nон\nпольза\n"),
                                            files_.write("en", "SET UTF-8\n", "on\nhouse\ngarden\nbook\n")}));
};

TEST_F(TransliteratedWords, AreReportedWithTheirPlaces) {
  const std::string text = "House. " + times(5, "zhizn čelovek pol'za ");
  const Disguise disguise = found(text);
  EXPECT_EQ(disguise.counts[AlertKind::transliterated], 15U);
  ASSERT_EQ(disguise.alerts.size(), 15U);
  const TextRange third = disguise.alerts[2].range;
  EXPECT_EQ(slice_code_points(text, third.begin, third.end), "pol'za");
}

TEST_F(TransliteratedWords, AreNotWordsThatADictionaryHas) {
  EXPECT_EQ(count(times(10, "on zhizn ")), 0U) << "10 of 20";
  EXPECT_EQ(count(times(10, "on zhizn chelovek ")), 13U) << "of the first 20; the last 10 have too few";
}

TEST_F(TransliteratedWords, AreNotNamesInATextOfAnotherLanguage) {
  EXPECT_EQ(count(times(50, "zhizn house garden book house garden book ")), 0U);
}

TEST_F(TransliteratedWords, AreNotAFewWordsAmongCyrillicOnes) {
  EXPECT_EQ(count("жизнь " + times(11, "zhizn человек ")), 0U);
}

}  // namespace
}  // namespace akin::test
