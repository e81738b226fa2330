// Documents as the judge sees them, and each criterion over pairs of them.
#include "server/judge/criteria.h"

#include <gmock/gmock.h>

#include <cmath>

#include "server/judge/rule.h"
#include "tests/server/judge/judge_fixture.h"

namespace akin::judge {
namespace {

using testing::HasSubstr;

constexpr const char* kStory =
    "Венгерская компания построит под Воронежем два завода. Инвестиции составят 5 млн евро, сообщил Иван "
    "Петров.\n\n"
    "Строительство начнётся 8 ноября 2019 года. Завод даст 250 рабочих мест.";

double value(const JudgedDocument& a, const JudgedDocument& b, Criterion criterion,
             const SourceAuthorities& sources = {}) {
  return compare(a, b, sources)[index_of(criterion)];
}

TEST(Criteria, AreOneForADocumentAndItself) {
  Document full = document("a", kStory);
  full.title = "Завод под Воронежем";
  full.time = 1573200000;
  full.source = "example.org";
  full.links = {"https://example.org/a"};
  full.has_links = true;
  full.images = 2;
  full.authority = 0.5;
  const JudgedDocument a = prepared(full);
  const CriteriaValues values = compare(a, a, {});
  for (const Criterion criterion : all_criteria()) {
    EXPECT_EQ(values[index_of(criterion)], criterion == Criterion::authority ? 0.5 : 1.0)
        << criterion_name(criterion);
  }
}

TEST(Criteria, AreUndefinedWhereNothingIsTold) {
  const JudgedDocument a = prepared("Просто слова без чисел.");
  const CriteriaValues values = compare(a, a, {});
  for (const Criterion criterion :
       {Criterion::title, Criterion::numbers, Criterion::numbers_back, Criterion::number_order,
        Criterion::dates, Criterion::quantities, Criterion::names, Criterion::links, Criterion::links_back,
        Criterion::images, Criterion::time, Criterion::authority}) {
    EXPECT_TRUE(std::isnan(values[index_of(criterion)])) << criterion_name(criterion);
  }
  const CriteriaValues nothing = compare(prepared(""), prepared(""), {});
  for (const double one : nothing) EXPECT_TRUE(std::isnan(one));
}

TEST(Criteria, ContainmentTellsAPartFromItsWhole) {
  const JudgedDocument whole = prepared(kStory);
  const JudgedDocument part =
      prepared("Строительство начнётся 8 ноября 2019 года. Завод даст 250 рабочих мест.");
  EXPECT_EQ(value(part, whole, Criterion::sentences), 1.0);
  EXPECT_LT(value(part, whole, Criterion::sentences_back), 0.6);
  EXPECT_EQ(value(part, whole, Criterion::paragraphs), 1.0);
  EXPECT_LT(value(part, whole, Criterion::paragraphs_back), 0.6);
  EXPECT_EQ(value(part, whole, Criterion::numbers), 1.0);
  EXPECT_EQ(value(part, whole, Criterion::numbers_back), 0.5);
  EXPECT_EQ(value(whole, part, Criterion::sentences), value(part, whole, Criterion::sentences_back));
}

TEST(Criteria, WordFormsAndOrderDoNotMatter) {
  const JudgedDocument a = prepared("Компания построит завод. Рабочие ждут зарплату.");
  const JudgedDocument b = prepared("Заводы компаний построят. Зарплату ждёт рабочий.");
  EXPECT_EQ(value(a, b, Criterion::words), 1.0);
  EXPECT_EQ(value(a, b, Criterion::sentences), 1.0);
}

TEST(Criteria, ParagraphsAreWhatBlankLinesPart) {
  EXPECT_EQ(prepared("Один дом. Два дома.\n\nТри дома.\n \nЧетыре дома.").paragraphs.size(), 3U);
  EXPECT_EQ(prepared("Один дом. Два дома.\nТри дома.").paragraphs.size(), 1U);
  EXPECT_EQ(prepared("Один дом. Два дома.\n\nТри.").paragraphs.front().hash != 0, true);
  // The order of sentences within a paragraph does not matter, which paragraph they are in does.
  const JudgedDocument a = prepared("Один дом. Два дома.\n\nТри дома.");
  EXPECT_EQ(value(a, prepared("Два дома. Один дом.\n\nТри дома."), Criterion::paragraphs), 1.0);
  EXPECT_EQ(value(a, prepared("Один дом.\n\nДва дома. Три дома."), Criterion::paragraphs), 0.0);
}

TEST(Criteria, HeavySentencesCountForMore) {
  CollectionStatistics statistics;
  Preparer preparer(dictionary(), number_words(), statistics);
  for (int i = 0; i < 50; ++i) need(preparer.count(document("", "Читайте также."), statistics));
  const JudgedDocument a = prepared(document("", "Читайте также. Барсук переплыл пролив."), statistics);
  EXPECT_LT(value(a, prepared(document("", "Читайте также."), statistics), Criterion::sentences), 0.05);
  EXPECT_GT(value(a, prepared(document("", "Барсук переплыл пролив."), statistics), Criterion::sentences),
            0.95);
}

TEST(Criteria, NamesAreCapitalsInsideOfSentences) {
  const JudgedDocument a = prepared("Вчера утром Иван Петров посетил Воронеж.");
  EXPECT_EQ(a.names.size(), 3U);
  EXPECT_EQ(value(prepared("Потом в Воронеже был Сидоров."), a, Criterion::names), 0.5);
  EXPECT_TRUE(prepared("ЗАВОД ПОСТРОЯТ ПОД ВОРОНЕЖЕМ СЕГОДНЯ").names.empty());
}

/// A document of a title and a text.
JudgedDocument with_title(std::string title, std::string text) {
  Document made = document("", std::move(text));
  made.title = std::move(title);
  return prepared(made);
}

TEST(Criteria, HeadlineIsFoundInTheOtherDocument) {
  const JudgedDocument a = with_title("Барсук переплыл пролив", "Рыбаки удивлены.");
  const JudgedDocument b = with_title("Рыбаки удивлены", "Пролив переплыл барсук. Его встречали.");
  // All three words of a's title are in b's text, both of b's in a's.
  EXPECT_EQ(value(a, b, Criterion::headline), 1.0);
  const JudgedDocument c = with_title("Рыбаки ушли", "Погода тихая.");
  EXPECT_EQ(value(a, c, Criterion::headline), 0.25);  // none of three, one of two
  EXPECT_EQ(value(c, a, Criterion::headline), 0.25);
}

TEST(Criteria, HeadlineOfAnUntitledDocumentIsItsFirstSentence) {
  const JudgedDocument a = prepared("Барсук переплыл пролив. Рыбаки удивлены.");
  const JudgedDocument b = with_title("Барсук переплыл пролив", "Погода тихая.");
  EXPECT_EQ(value(a, b, Criterion::headline), 1.0);
}

TEST(Criteria, SubjectIsNamesAndNumbersOfTheHeadline) {
  const JudgedDocument brest = with_title("Погода в Бресте на 17 мая", "Сегодня в Бресте облачно.");
  const JudgedDocument gomel = with_title("Погода в Гомеле на 17 мая", "Сегодня в Гомеле облачно.");
  EXPECT_EQ(brest.subject.size(), 2U);
  EXPECT_EQ(value(brest, gomel, Criterion::subject), 0.5);  // 17, not Brest
  EXPECT_EQ(value(brest, with_title("Погода", "Сегодня, 17 мая, в Бресте облачно."), Criterion::subject),
            1.0);
  EXPECT_TRUE(std::isnan(value(prepared("Просто слова."), prepared("Другие слова."), Criterion::subject)));
}

TEST(Criteria, MentionsAreTheBetterContainmentOfNames) {
  const JudgedDocument longer = prepared("Вчера Иван Петров и Анна Сидорова были в Воронеже.");
  const JudgedDocument shorter = prepared("Там был Петров.");
  EXPECT_EQ(value(longer, shorter, Criterion::mentions), 1.0);
  EXPECT_EQ(value(shorter, longer, Criterion::mentions), 1.0);
  EXPECT_EQ(value(shorter, prepared("Там был Сидоров."), Criterion::mentions), 0.0);
}

TEST(Criteria, EventCountsLessWhenHalfOfSeveralNumbersDiffer) {
  const JudgedDocument a = prepared("В Бресте до 15 градусов, ветер 4 метра, давление 745.");
  const JudgedDocument b = prepared("В Бресте до 11 градусов, ветер 7 метров, давление 738.");
  const JudgedDocument c = prepared("В Бресте до 15 градусов, ветер 4 метра, давление 738.");
  const JudgedDocument d = prepared("В Бресте до 11 градусов.");  // one number only
  const auto mean = [](const JudgedDocument& x, const JudgedDocument& y) {
    return event_score(compare(x, y, {}));
  };
  EXPECT_EQ(value(a, b, Criterion::event), kFormShare * mean(a, b));
  EXPECT_EQ(value(a, c, Criterion::event), mean(a, c));
  EXPECT_EQ(value(a, d, Criterion::event), mean(a, d));
}

TEST(Criteria, StopWordsWeighNothingWithoutStatistics) {
  EXPECT_EQ(prepared("И барсук, и пролив.").words.size(), 2U);
  CollectionStatistics statistics;
  Preparer preparer(dictionary(), number_words(), statistics);
  need(preparer.count(document("", "Иной текст."), statistics));
  EXPECT_EQ(prepared(document("", "И барсук, и пролив."), statistics).words.size(), 3U);
}

TEST(Criteria, TimesImagesAndLinksAreCompared) {
  Document first = document("a", "Текст.");
  first.time = 0;
  first.images = 1;
  first.links = {"http://example.org/x/", "https://example.org/y#part"};
  first.has_links = true;
  Document second = document("b", "Текст.");
  second.time = 86400;
  second.images = 4;
  second.links = {"https://example.org/x"};
  second.has_links = true;
  const JudgedDocument a = prepared(first);
  const JudgedDocument b = prepared(second);
  EXPECT_EQ(value(a, b, Criterion::time), 0.5);
  EXPECT_EQ(value(a, b, Criterion::images), 0.25);
  EXPECT_EQ(value(a, b, Criterion::links), 0.5);
  EXPECT_EQ(value(a, b, Criterion::links_back), 1.0);
}

TEST(Criteria, AuthorityOfSourcesIsLearntAndMayBeTold) {
  SourceAuthorities sources;
  for (int i = 0; i < 8; ++i) sources.add("agency", true);
  for (int i = 0; i < 8; ++i) sources.add("copyist", false);
  sources.add("", true);
  EXPECT_EQ(sources.of("agency"), 0.9);
  EXPECT_EQ(sources.of("copyist"), 0.1);
  EXPECT_EQ(sources.of(""), std::nullopt);
  sources.remove("agency", true);
  EXPECT_EQ(sources.of("agency"), 8.0 / 9.0);
  Document one = document("a", "Текст.");
  one.source = "copyist";
  Document other = document("b", "Текст.");
  other.authority = 1.0;
  other.source = "copyist";
  EXPECT_DOUBLE_EQ(value(prepared(one), prepared(other), Criterion::authority, sources), 0.95);
  EXPECT_DOUBLE_EQ(value(prepared(other), prepared(one), Criterion::authority, sources), 0.05);
}

TEST(Criteria, EditsOfNumbersAreSeen) {
  const JudgedDocument a = prepared("Доллар подорожал до 63,5 рубля, евро до 70,1 рубля.");
  const JudgedDocument b = prepared("Доллар подорожал до 64,5 рубля, евро до 70,1 рубля.");
  EXPECT_EQ(value(a, b, Criterion::numbers), 0.5);
  EXPECT_EQ(value(a, b, Criterion::number_order), 0.5);
  EXPECT_EQ(value(a, b, Criterion::quantities), 1.0 / 3.0);
}

TEST(Preparer, KeepsTheHeaviestWordsByFallingWeight) {
  CollectionStatistics statistics;
  Preparer preparer(dictionary(), number_words(), statistics);
  for (int i = 0; i < 9; ++i) need(preparer.count(document("", "Компания строит дом."), statistics));
  need(preparer.count(document("", "Компания молчит."), statistics));
  const JudgedDocument a = prepared(document("", "Компания строит барсука. Барсука!"), statistics);
  ASSERT_EQ(a.heaviest.size(), 3U);
  EXPECT_EQ(a.heaviest[0], class_of("барсук"));
  EXPECT_EQ(a.heaviest[2], class_of("компания"));
}

TEST(Preparer, TextThatIsNotUtf8IsAnError) {
  CollectionStatistics statistics;
  Preparer preparer(dictionary(), number_words(), statistics);
  EXPECT_EQ(preparer.prepare(document("", "caf\xe9")).error().code, Errc::invalid_utf8);
  EXPECT_FALSE(preparer.prepare(document("", "after that it works")).has_error());
}

TEST(TermStatistics, GiveBackWhatIdfNeeds) {
  TermStatistics statistics;
  EXPECT_EQ(statistics.idf(1), 1.0);
  statistics.add(std::vector<std::uint64_t>{1, 2}, 2);
  statistics.add(std::vector<std::uint64_t>{1, 3}, 4);
  statistics.add(std::vector<std::uint64_t>{1, 3}, 3);
  const auto frequent = statistics.frequent();
  ASSERT_EQ(frequent.size(), 2U);
  const TermStatistics again(statistics.documents(), statistics.words(), frequent);
  for (const std::uint64_t term : {1, 2, 3, 4}) EXPECT_EQ(again.idf(term), statistics.idf(term));
  EXPECT_DOUBLE_EQ(again.idf(1), std::log(1 + 0.5 / 3.5));
  EXPECT_DOUBLE_EQ(again.idf(4), std::log(1 + 2.5 / 1.5));
  // tf 2 in a document of mean length: 2 * 2.2 / (2 + 1.2).
  EXPECT_DOUBLE_EQ(again.weight(1.0, 2, 3), 4.4 / 3.2);
}

TEST(CriteriaNames, AreParsedAndCheckedAndOrdered) {
  EXPECT_EQ(need(parse_criteria("time,words")), (std::vector{Criterion::words, Criterion::time}));
  EXPECT_EQ(need(parse_criteria("all")).size(), kCriteria);
  for (const Criterion criterion : all_criteria()) {
    EXPECT_EQ(need(parse_criteria(criterion_name(criterion))), std::vector{criterion});
  }
  for (const char* wrong : {"", "words,", "Words", "nonsense"}) {
    const auto parsed = parse_criteria(wrong);
    ASSERT_TRUE(parsed.has_error()) << wrong;
    EXPECT_THAT(parsed.error().remedy, HasSubstr("number-order"));
  }
}

}  // namespace
}  // namespace akin::judge
