// Alerts of a whole text: lines that repeat.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extract/plain/repeated_text.h"

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
  std::string row = "<tr>";
  for (int i = 0; i < 20; ++i) row += "<td></td>";
  EXPECT_TRUE(document(with_heads(100, 1, row)).alerts.empty());
  Document table;
  table.text = with_heads(100, 1, kHead);
  table.map = {{.range = {0, static_cast<std::uint32_t>(table.text.size())}, .kind = PieceKind::table}};
  report_repeated_text(table);
  EXPECT_TRUE(table.alerts.empty());
}

/// Words that no other numbers give, in lines of a hundred, after every `every`th of which comes another.
std::string with_word(int words, int every, const std::string& inserted) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    text += line(i + 1).substr(line(i + 1).size() - 12, 10) + (i % 100 == 99 ? "\n\n" : " ");
    if (i % every == 0) text += inserted + " ";
  }
  return text;
}

TEST(RepeatedText, AWordAfterEveryFewWordsIsReported) {
  for (const int every : {1, 2, 4}) {
    const Document found = document(with_word(400, every, "ZX"));
    ASSERT_EQ(found.alerts.size(), 1U) << every;
    EXPECT_EQ(found.alerts.front().sample, "zx");
    EXPECT_GT(found.alerts.front().share, 0.9);
  }
}

TEST(RepeatedText, AFrequentWordIsNot) {
  EXPECT_TRUE(document(with_word(400, 8, "the")).alerts.empty());
  EXPECT_TRUE(document(with_word(400, 10, "la la la")).alerts.empty());
  EXPECT_TRUE(document(with_word(40, 1, "ZX")).alerts.empty()) << "80 words";
  std::string list;
  for (int i = 1; i < 100; ++i) list += line(i).substr(line(i).size() - 12, 10) + " in places, ";
  EXPECT_TRUE(document(list).alerts.empty());
  std::string rows;
  for (int i = 0; i < 100; ++i) rows += "male " + line(i).substr(0, 20) + "\n";
  EXPECT_TRUE(document(rows).alerts.empty());
}

}  // namespace
}  // namespace akin::extract
