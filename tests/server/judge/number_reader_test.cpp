#include "server/judge/number_reader.h"

#include <gmock/gmock.h>

#include "server/judge/text_facts.h"
#include "tests/server/judge/judge_fixture.h"

namespace akin::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NumberFacts facts_of(std::string_view text) {
  NumberReader reader(number_words());
  TextFacts facts;
  TrigramCounter trigrams;
  need(gather_facts(text, dictionary(), reader, trigrams, facts));
  return facts.numbers;
}

struct Same {
  std::string_view a, b;
};
class SameNumbers : public testing::TestWithParam<Same> {};

TEST_P(SameNumbers, AreReadOutOfBothSpellings) {
  const NumberFacts a = facts_of(GetParam().a);
  const NumberFacts b = facts_of(GetParam().b);
  EXPECT_FALSE(a.sequence.empty() && a.dates.empty());
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.dates, b.dates);
  EXPECT_EQ(a.quantities, b.quantities);
}

INSTANTIATE_TEST_SUITE_P(
    Spellings, SameNumbers,
    testing::Values(Same{"1 250 000 домов", "1250000 домов"}, Same{"1,250,000", "1250000"},
                    Same{"1.250.000", "1250000"},
                    Same{"1\xc2\xa0"
                         "250 домов",
                         "1250 домов"},
                    Same{"5,5 км", "5.5 километра"}, Same{"007", "7"}, Same{"2,50", "2.5"},
                    Same{"5 млн евро", "5 000 000 евро"}, Same{"5,2 млрд. руб.", "5200 миллионов рублей"},
                    Same{"40%", "40 процентов"}, Same{"$5 billion", "5 000 млн долларов"},
                    Same{"100 €", "€100"}, Same{"08.11.2019", "2019-11-08"},
                    Same{"8 ноября 2019", "8/11/2019"}, Same{"November 8, 2019", "8 ноября 2019 года"},
                    Same{"3/25/2020", "25.03.2020"}, Same{"в ноябре 2019 года", "Nov 2019"},
                    Same{"8.11.19", "08.11.2019"}));

struct Different {
  std::string_view a, b;
};
class DifferentNumbers : public testing::TestWithParam<Different> {};

TEST_P(DifferentNumbers, StayApart) {
  const NumberFacts a = facts_of(GetParam().a);
  const NumberFacts b = facts_of(GetParam().b);
  EXPECT_FALSE(a.sequence == b.sequence && a.dates == b.dates && a.quantities == b.quantities);
}

INSTANTIATE_TEST_SUITE_P(Spellings, DifferentNumbers,
                         testing::Values(Different{"6:4", "4:6"}, Different{"5 рублей", "5 евро"},
                                         Different{"5 млн", "5 млрд"}, Different{"10", "100"},
                                         Different{"0,1", "0,01"}, Different{"101", "11"},
                                         Different{"8 ноября", "9 ноября"}, Different{"0", "1"},
                                         Different{"8 ноября", "8 декабря"}));

TEST(NumberReader, TellsDatesFromNumbers) {
  const NumberFacts facts = facts_of("Уже 8 ноября 2019 года пришли 12 человек, а 9.11.2019 ещё 7.");
  EXPECT_EQ(facts.sequence.size(), 2U);    // 12, 7
  EXPECT_EQ(facts.dates.size(), 4U);       // 8 November, 2019, 9 November, 2019
  EXPECT_EQ(facts.quantities.size(), 1U);  // 12 persons
}

TEST(NumberReader, ReadsPartsOfScoresAndRangesOneByOne) {
  EXPECT_EQ(facts_of("Счёт 6:4, 3:6").sequence, facts_of("6 и 4 и 3 и 6").sequence);
  EXPECT_EQ(facts_of("от 3-5 домов").sequence, facts_of("3 и 5").sequence);
  EXPECT_EQ(facts_of("версия 1.2.3").sequence.size(), 3U);
}

TEST(NumberReader, WordsWithDigitsInsideAreNoNumbers) {
  EXPECT_THAT(facts_of("COVID-19 и Су57").sequence, IsEmpty());
  EXPECT_EQ(facts_of("сеть 5G").sequence.size(), 1U);
}

TEST(NumberReader, DayWithoutYearIsThatWithOne) {
  const NumberFacts with = facts_of("8 ноября 2019");
  const NumberFacts without = facts_of("8 ноября");
  ASSERT_EQ(with.dates.size(), 2U);
  EXPECT_THAT(without.dates, ElementsAre(with.dates[0]));
}

TEST(NumberReader, EveryPrefixOfATextCanBeRead) {
  const std::string text = "$5,5 млрд. руб., 1 250 000 км — 08.11.2019; November 8, 2019; 2019-11-08, 10%";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    if (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) continue;
    const NumberFacts facts = facts_of(std::string_view(text).substr(0, size));
    EXPECT_LE(facts.sequence.size(), 8U);
  }
}

}  // namespace
}  // namespace akin::judge
