// The rule that needs no training, and the trigrams that it compares.
#include "server/judge/rule.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "server/judge/trigrams.h"
#include "tests/server/judge/judge_fixture.h"

namespace akin::judge {
namespace {

using testing::HasSubstr;

CriteriaValues undefined_values() {
  CriteriaValues values;
  values.fill(undefined());
  return values;
}

TEST(EventRule, IsTheMeanOfItsCriteria) {
  CriteriaValues values = undefined_values();
  values[index_of(Criterion::headline)] = 1.0;
  values[index_of(Criterion::subject)] = 0.5;
  values[index_of(Criterion::words)] = 0.5;
  values[index_of(Criterion::trigrams)] = 0.0;
  values[index_of(Criterion::mentions)] = 1.0;
  EXPECT_DOUBLE_EQ(event_score(values), 0.6);
}

TEST(EventRule, LeavesOutWhatIsUndefined) {
  CriteriaValues values = undefined_values();
  EXPECT_TRUE(std::isnan(event_score(values)));
  EXPECT_EQ(rule_score(Rule::event, values), 0.0);
  values[index_of(Criterion::words)] = 0.25;
  values[index_of(Criterion::trigrams)] = 0.75;
  EXPECT_DOUBLE_EQ(event_score(values), 0.5);
}

TEST(EventRule, CopiedSentencesSuffice) {
  CriteriaValues values = undefined_values();
  values[index_of(Criterion::words)] = 0.25;
  values[index_of(Criterion::sentences)] = 0.75;
  EXPECT_EQ(event_score(values), 0.75);
  values[index_of(Criterion::sentences)] = 0.0;
  EXPECT_EQ(event_score(values), 0.25);
}

TEST(Rules, TakeTheScoreOfTheirCriterion) {
  CriteriaValues values = undefined_values();
  values[index_of(Criterion::event)] = 0.25;
  values[index_of(Criterion::sentences)] = 0.75;
  EXPECT_EQ(rule_score(Rule::event, values), 0.25);
  EXPECT_EQ(rule_score(Rule::sentences, values), 0.75);
}

double event_of(const char* a, const char* b) {
  return compare(prepared(a), prepared(b), {})[index_of(Criterion::event)];
}

TEST(EventRule, RatesOfAnotherDayAreNoCopy) {
  EXPECT_LT(event_of("Курс доллара составил 92,45 рубля, курс евро 101,30 рубля. Торги прошли спокойно.",
                     "Курс доллара составил 93,10 рубля, курс евро 102,75 рубля. Торги прошли спокойно."),
            kRuleThreshold);
}

TEST(EventRule, ASetWonTheOtherWayRoundIsNoCopy) {
  EXPECT_LT(event_of("Теннисист выиграл первый сет у соперника со счётом 6:4.",
                     "Теннисист выиграл первый сет у соперника со счётом 4:6."),
            kRuleThreshold);
}

TEST(EventRule, AMatchWonTheOtherWayRoundIsNoCopy) {
  EXPECT_LT(event_of("Петрова играла с Ивановой. Счёт матча 6:4, 4:6, 6:2. Встреча длилась два часа.",
                     "Петрова играла с Ивановой. Счёт матча 4:6, 6:4, 2:6. Встреча длилась два часа."),
            kRuleThreshold);
  EXPECT_LT(event_of("Первый сет 6:4, второй 6:2.", "Первый сет 4:6, второй 2:6."), kRuleThreshold);
}

TEST(EventRule, ParagraphsInAnotherOrderAreACopy) {
  const char* first = "Завод выпустил 340 машин за 12 дней, план был 290.";
  const char* second = "Рабочих стало 1450, а год назад было 1210, цехов 7.";
  EXPECT_GE(event_of((std::string(first) + "\n\n" + second).c_str(),
                     (std::string(second) + "\n\n" + first).c_str()),
            kRuleThreshold);
}

TEST(EventRule, ANumberCorrectedAmongSeveralIsACopy) {
  EXPECT_GE(event_of("Завод выпустил 340 машин за 12 дней, план был 290, рабочих 1450.",
                     "Завод выпустил 345 машин за 12 дней, план был 290, рабочих 1450."),
            kRuleThreshold);
}

TEST(RuleNames, AreParsed) {
  EXPECT_EQ(need(parse_rule("event")), Rule::event);
  EXPECT_EQ(need(parse_rule("sentences")), Rule::sentences);
  EXPECT_THAT(parse_rule("guess").error().remedy, HasSubstr("event"));
}

TEST(Trigrams, DifferByOrderAndRunAcrossWords) {
  const auto cosine_of = [](const char* a, const char* b) {
    const JudgedDocument first = prepared(a), second = prepared(b);
    return trigram_cosine(first.trigrams, first.trigrams_square, second.trigrams, second.trigrams_square);
  };
  EXPECT_EQ(cosine_of("Барсук плывёт.", "БАРСУК, плывёт!"), 1.0);
  EXPECT_GT(cosine_of("Барсук плывёт.", "Барсука плывут."), 0.5);
  EXPECT_LT(cosine_of("Барсук плывёт.", "Плывёт барсук."), 1.0);
  EXPECT_LT(cosine_of("Барсук плывёт.", "Рыбаки ушли."), 0.1);
  EXPECT_TRUE(std::isnan(cosine_of("", "Барсук.")));
}

TEST(Trigrams, AreCountedOncePerPlace) {
  // "_aa", "aaa" twice, "aa_": three buckets.
  const JudgedDocument document = prepared("aaaa");
  ASSERT_EQ(document.trigrams.size(), 3U);
  std::map<std::uint16_t, int> weights;
  for (const WeightedTrigram& one : document.trigrams) ++weights[one.weight];
  EXPECT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights.begin()->second, 2);  // those that occur once weigh less
}

TEST(Trigrams, AnInvalidTextLeavesNoneBehind) {
  const CollectionStatistics statistics;
  Preparer preparer(dictionary(), number_words(), statistics);
  ASSERT_TRUE(preparer.prepare(document("", "Барсук плывёт. caf\xe9")).has_error());
  EXPECT_EQ(need(preparer.prepare(document("", "aaaa"))).trigrams.size(), 3U);
}

}  // namespace
}  // namespace akin::judge
