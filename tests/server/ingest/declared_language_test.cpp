// A language that is not the declared one.

#include "server/ingest/declared_language.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace akin::ingest {
namespace {

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

TEST(DeclaredLanguage, WordsOrLettersSpeakAgainstEveryOther) {
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

/// Foreign names, code and letters of other languages are in honest texts.
TEST(DeclaredLanguage, HonestTextsWithManyForeignWordsAreNotDoubted) {
  const std::vector<Sample> samples = {
      {"pl",
       "Studenci piszą sprawozdania w programie LaTeX albo Texmaker i oddają je na platformie Moodle do "
       "piątku: "
       "void verify(std::vector<XY> v) { for (auto x : v) if (x.q > 0) return; }"},
      {"it", "Il kernel di Linux carica i moduli ext4, btrfs e xfs; il pacchetto KWrite non serve a jQuery."},
      {"hu",
       "A miniszter Süddeutsche Zeitung és Košice felől érkezett, a Škoda gyár és az Åland szigetek után."},
      {"eo",
       "La libro de la aŭtoro estas en la urbo, kaj ĉiuj personoj havas la rajton je vivo kaj libereco."},
      {"vi", "Mọi người đều có quyền sống, quyền tự do và an toàn cá nhân, và không ai được phép tước đoạt."},
      {"ja", "齋藤と渡邊は、榊原の髙橋と﨑山に會い、薔薇と檸檬を贈った。"}};
  for (const Sample& sample : samples)
    EXPECT_EQ(doubt_language(long_text(sample), sample.language).share, 0) << sample.language;
}

TEST(DeclaredLanguage, AnOfficeProgramsLocaleIsNotDoubted) {
  extract::Document document;
  document.text = long_text(kSamples[0]);
  document.metadata.language = "en-GB";
  for (const char* type : {"docx", "odt"}) {
    document.type = type;
    report_contradicted_language(document);
    EXPECT_TRUE(document.alerts.empty()) << type;
  }
}

TEST(DeclaredLanguage, TheAlertNamesWhatIsDeclared) {
  extract::Document document;
  document.text = long_text(kSamples[0]);
  document.type = "epub";
  document.metadata.language = "en-GB";
  report_contradicted_language(document);
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts.front().kind, extract::FileAlertKind::language_contradicted);
  EXPECT_EQ(document.alerts.front().sample, "en-GB");
  EXPECT_EQ(document.alerts.front().share, 1);
}

}  // namespace
}  // namespace akin::ingest
