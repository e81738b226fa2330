// Alerts of a whole text: lines that repeat, and a language that is not the declared one.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extract/declared_language.h"
#include "extract/repeated_text.h"

namespace akin::extract {
namespace {

/// A line of letters that no other number gives.
std::string line(int number) {
  std::string words;
  for (int rest = number * 7919 + 1; rest > 0; rest /= 7)
    words += std::string("абвгдеж").substr(2 * (rest % 7), 2);
  return "Это строка, которая не повторяется нигде " + words + "\n\n";
}

Document document(std::string text) {
  Document made;
  made.text = std::move(text);
  report_repeated_text(made);
  return made;
}

/// `lines` own lines, after every `every`th of which comes `head`.
std::string with_heads(int lines, int every, const std::string& head) {
  std::string text;
  for (int i = 0; i < lines; ++i) {
    text += line(i);
    if (i % every == 0) text += head + "\n\n";
  }
  return text;
}

const std::string kHead = "Известия высших учебных заведений, выпуск";

TEST(RepeatedText, HeadsAfterEveryFewLinesAreReportedWithTheirPlace) {
  const std::string text = with_heads(100, 5, kHead);
  const Document found = document(text);
  ASSERT_EQ(found.alerts.size(), 1U);
  const FileAlert& alert = found.alerts.front();
  EXPECT_EQ(alert.kind, FileAlertKind::repeated_text);
  EXPECT_EQ(alert.sample, kHead);
  EXPECT_EQ(alert.characters, 19U * 36U);
  EXPECT_GT(alert.share, 0.1);
  EXPECT_LT(alert.share, 0.2);
  EXPECT_GT(alert.at, 200U);
}

TEST(RepeatedText, NumbersAndCaseMakeNoDifference) {
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += line(i) + (i % 2 == 0 ? kHead : "ИЗВЕСТИЯ ВЫСШИХ УЧЕБНЫХ ЗАВЕДЕНИЙ, ВЫПУСК") + " " +
            std::to_string(i) + (i % 3 == 0 ? " XIV" : "") + "\n";
  ASSERT_EQ(document(text).alerts.size(), 1U);
  EXPECT_EQ(document(text).alerts.front().characters, 19U * 36U);
}

TEST(RepeatedText, RefrainsAndFewRepetitionsAreNot) {
  EXPECT_TRUE(document(with_heads(100, 1, "Чего тебе надобно, старче?")).alerts.empty());
  EXPECT_TRUE(document(with_heads(2, 1, kHead)).alerts.empty());
  EXPECT_TRUE(document(with_heads(100, 30, kHead)).alerts.empty());
  EXPECT_TRUE(document(with_heads(8, 1, kHead)).alerts.empty()) << "252 letters";
  EXPECT_TRUE(document("").alerts.empty());
}

TEST(RepeatedText, RowsOfTablesAreNot) {
  EXPECT_TRUE(document(with_heads(100, 1, "Известия высших учебных заведений\tвыпуск")).alerts.empty());
  Document table;
  table.text = with_heads(100, 1, kHead);
  table.map = {{.range = {0, static_cast<std::uint32_t>(table.text.size())}, .kind = PieceKind::table}};
  report_repeated_text(table);
  EXPECT_TRUE(table.alerts.empty());
}

struct Sample {
  const char* language;
  const char* text;
};
/// A sentence of each, which the tests repeat.
const std::vector<Sample> kSamples = {
    {"ru",
     "Каждый имеет право на жизнь, на свободу, это правило и на личную неприкосновенность, чтобы быть в "
     "мире."},
    {"uk",
     "Кожна людина має право на життя, на свободу і на особисту недоторканність, її честь є вищою цінністю."},
    {"en",
     "Everyone has the right to life, liberty and the security of person, and nobody may take it away."},
    {"de",
     "Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person, und für die Würde gilt das "
     "Gleiche."},
    {"fr", "Tout individu a droit à la vie, à la liberté et à la sûreté de sa personne, sans être inquiété."},
    {"pl", "Każdy człowiek ma prawo do życia, wolności i bezpieczeństwa swej osoby, także gdy się myli."},
    {"el", "Κάθε άτομο έχει δικαίωμα στη ζωή, την ελευθερία και την προσωπική του ασφάλεια."},
    {"ja", "すべて人は、生命、自由及び身体の安全に対する権利を有する。"},
    {"ar", "لكل فرد الحق في الحياة والحرية وسلامة شخصه وعلى الجميع احترام هذا الحق"}};

std::string long_text(const Sample& sample) {
  std::string text;
  while (text.size() < 12'000) text += std::string(sample.text) + " ";
  return text;
}

TEST(DeclaredLanguage, NothingSpeaksAgainstATextsOwn) {
  for (const Sample& sample : kSamples)
    EXPECT_EQ(doubt_language(long_text(sample), sample.language).share, 0) << sample.language;
  EXPECT_EQ(doubt_language(long_text(kSamples[0]), "ru-RU").share, 0);
  EXPECT_EQ(doubt_language(long_text(kSamples[2]), "en-US").share, 0);
}

TEST(DeclaredLanguage, LettersSpeakAgainstEveryOtherWithLettersOfItsOwn) {
  for (const Sample& text : kSamples) {
    for (const Sample& declared : kSamples) {
      if (text.language == declared.language) continue;
      EXPECT_GT(doubt_language(long_text(text), declared.language).share, 0)
          << text.language << " as " << declared.language;
    }
  }
}

TEST(DeclaredLanguage, WhatIsUnknownOrShortIsNotDoubted) {
  const std::string russian = long_text(kSamples[0]);
  for (const char* tag : {"", "xx", "sr", "uz", "English", "mul", "und", "-", "x-klingon"})
    EXPECT_EQ(doubt_language(russian, tag).share, 0) << tag;
  EXPECT_EQ(doubt_language(kSamples[0].text, "en").share, 0);
}

TEST(DeclaredLanguage, OldOrthographyIsRussian) {
  std::string old;
  while (old.size() < 12'000)
    old +=
        "Всѣ счастливыя семьи похожи другъ на друга, каждая несчастливая семья несчастлива по-своему, и это "
        "ихъ міръ. ";
  EXPECT_EQ(doubt_language(old, "ru").share, 0);
}

TEST(DeclaredLanguage, ForeignNamesAreNoOtherLanguage) {
  EXPECT_EQ(doubt_language(long_text(kSamples[2]) + "Café Brontë, naïve façade, Škoda, Dvořák", "en").share,
            0);
}

TEST(DeclaredLanguage, TheAlertNamesWhatIsDeclared) {
  Document document;
  document.text = long_text(kSamples[0]);
  document.metadata.language = "en-GB";
  report_contradicted_language(document);
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts.front().kind, FileAlertKind::language_contradicted);
  EXPECT_EQ(document.alerts.front().sample, "en-GB");
  EXPECT_EQ(document.alerts.front().share, 1);
}

}  // namespace
}  // namespace akin::extract
