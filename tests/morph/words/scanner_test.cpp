#include "morph/words/scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/sentences.h"

namespace akin {
namespace {

/// Writes sentences as "word word | word": folded words, a bar between sentences.
class Transcript final : public SentenceSink {
 public:
  void on_sentence(const Sentence& sentence) override {
    if (!text.empty()) text += " | ";
    bool first = true;
    for (const Word& word : sentence.words) {
      if (!first) text += ' ';
      first = false;
      text += to_utf8(folder_.fold(word.source).letters);
      EXPECT_EQ(folder_.fold(word.source).key, word.key) << word.source;
      sources.emplace_back(word.source);
      words.push_back(word.range);
    }
    sentences.push_back(sentence.range);
  }

  std::string text;
  std::vector<std::string> sources;
  std::vector<TextRange> words, sentences;

 private:
  WordFolder folder_;
};

const Dictionary& scanner_words() {
  static const auto dictionary = tiny_dictionary("кто то слово сахар мед но по пояс haupt und der");
  return *dictionary;
}

std::string transcript(std::string_view text) {
  Transcript result;
  const auto summary = scan_text(text, scanner_words(), result);
  EXPECT_TRUE(summary.has_value());
  return result.text;
}

struct ScanRow {
  std::string_view text, expected;
};

class Scanning : public testing::TestWithParam<ScanRow> {};
TEST_P(Scanning, Gives) { EXPECT_EQ(transcript(GetParam().text), GetParam().expected) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    Words, Scanning,
    testing::Values(ScanRow{"", ""}, ScanRow{" \n\n — … ", ""}, ScanRow{"Один, два: три", "один два три"},
                    ScanRow{"м’ята, don't 'quoted' l'", "м'ята don't quoted l"},
                    ScanRow{"м´ята м \u0301ята", "м'ята м'ята"}, ScanRow{"5'6 d''e", "5 6 d e"},
                    ScanRow{"3,14 2-й №5 h2o", "3 14 2 й no5 h2o"},
                    ScanRow{"漢字 かな ไทย", "漢 字 か な ไ ท ย"}, ScanRow{"abc漢def", "abc 漢 def"},
                    ScanRow{"a_b a/b", "a b a b"}, ScanRow{"\u0301a \u0308b", "a b"},
                    ScanRow{"сло\u00adво сло\u200bво", "слово слово"}, ScanRow{"á̂ ё́", "á̂ е"}));
INSTANTIATE_TEST_SUITE_P(
    Hyphens, Scanning,
    testing::Values(
        ScanRow{"кто-то кто-\nто кто- то", "кто то кто то кто то"},                    // both sides known
        ScanRow{"сло-во сло-\n  во сло-\r\nво сло- \nво", "слово слово слово слово"},  // known together
        ScanRow{"сло\u2010\nво сло\u00ad\nво сло\u2011во", "слово слово слово"},
        ScanRow{"абв-где абв-\nгде", "абвгде абвгде"},  // unknown either way
        ScanRow{"кто-абв", "ктоабв"},                   // one side unknown
        ScanRow{"по-яс", "пояс"},                       // known apart, known together
        ScanRow{"сахар-мед-но", "сахар мед но"},
        ScanRow{"са-хар-ме-\nд", "сахар мед"},  // a compound hyphenated once more
        ScanRow{"сахар-абв-мед", "сахарабвмед"}, ScanRow{"PDF-абв", "pdf абв"},
        ScanRow{"Haupt- und der", "haupt und der"},
        ScanRow{"сло -во, сло - во, сло--во, сло–во, сло—во", "сло во сло во сло во сло во сло во"},
        ScanRow{"сло-\n\nво", "сло | во"}, ScanRow{"1941-1945 а-1", "1941 1945 а 1"}));
INSTANTIATE_TEST_SUITE_P(Paragraphs, Scanning,
                         testing::Values(ScanRow{"кто\nто", "кто то"}, ScanRow{"кто\n\nто", "кто | то"},
                                         ScanRow{"кто\r\nто\r\n\r\nно", "кто то | но"},
                                         ScanRow{"кто\rто\r\rно", "кто то | но"},
                                         ScanRow{"кто\n \t\u00a0\nто", "кто | то"},
                                         ScanRow{"кто\u2028то\u2029но", "кто то | но"},
                                         ScanRow{"кто\u0085то\u0085\u0085но", "кто то | но"},
                                         ScanRow{"\n\n\nкто\n\n\n\nто\n", "кто | то"}));
INSTANTIATE_TEST_SUITE_P(Sentences, Scanning,
                         testing::Values(ScanRow{"Кто. То? Но! Сахар… Мед", "кто | то | но | сахар | мед"},
                                         ScanRow{"Кто.\nТо.", "кто | то"},
                                         ScanRow{"... Кто. * * * То.", "кто | то"}));

TEST(Scanner, RangesCountCodePointsOfTheOriginal) {
  const std::string_view text = "\ufeff  «Cло-\n  во» 漢\u0301. №\u200b5 — да!  ";
  Transcript t;
  ASSERT_TRUE(scan_text(text, scanner_words(), t).has_value());
  ASSERT_EQ(t.words.size(), t.sources.size());
  for (std::size_t i = 0; i < t.words.size(); ++i) {
    EXPECT_EQ(slice_code_points(text, t.words[i].begin, t.words[i].end), t.sources[i]);
  }
  EXPECT_EQ(t.sources[0], "Cло-\n  во");
  EXPECT_EQ(t.sources[1], "漢\u0301");
  ASSERT_EQ(t.sentences.size(), 2U);
  EXPECT_EQ(slice_code_points(text, t.sentences[0].begin, t.sentences[0].end), "«Cло-\n  во» 漢\u0301.");
  EXPECT_EQ(slice_code_points(text, t.sentences[1].begin, t.sentences[1].end), "№\u200b5 — да!");
}

TEST(Scanner, CountsWhatItSaw) {
  Transcript t;
  const auto summary = scan_text("Кто то. Но!\n\n…", scanner_words(), t);
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->code_points, 14U);
  EXPECT_EQ(summary->sentences, 2U);
  EXPECT_EQ(summary->words, 3U);
  EXPECT_EQ(summary->alert_counts.total(), 0U);
}

TEST(Scanner, ReportsDisguiseAndNothingElse) {
  const struct {
    std::string_view text;
    std::vector<AlertKind> kinds;
  } rows[] = {
      {"слово", {}},
      {"сло\u200bво", {AlertKind::zero_width}},
      {"сло\u200b\u202dво", {AlertKind::zero_width}},
      {"cлово", {AlertKind::mixed_script}},
      {"c\u200bлово и b\u200cода",
       {AlertKind::zero_width, AlertKind::mixed_script, AlertKind::zero_width, AlertKind::mixed_script}},
      {"\ufeffслово\u200b \u200eслово\u200f", {}},  // at a word's edge
      {"сло\u00adво", {}},                          // typesetting
      {"می\u200cخواهم", {}},                        // spelling
      {"Windows-системы, МРЗ-плеер", {}},
  };
  for (const auto& row : rows) {
    Transcript t;
    const auto summary = scan_text(row.text, scanner_words(), t);
    ASSERT_TRUE(summary.has_value());
    std::vector<AlertKind> kinds;
    for (const Alert& alert : summary->alerts) kinds.push_back(alert.kind);
    EXPECT_EQ(kinds, row.kinds) << row.text;
    EXPECT_EQ(summary->alert_counts.total(), row.kinds.size());
  }
}

TEST(Scanner, ListsSoManyAlertsAndCountsAll) {
  std::string text;
  for (std::size_t i = 0; i < kMaxAlerts + 7; ++i) text += "cлово ";
  Transcript t;
  const auto summary = scan_text(text, scanner_words(), t);
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->alerts.size(), kMaxAlerts);
  EXPECT_EQ(summary->alert_counts[AlertKind::mixed_script], kMaxAlerts + 7);
  EXPECT_EQ(summary->alerts[1].range, (TextRange{6, 11}));
}

TEST(Scanner, RefusesWhatIsNotUtf8AndSaysWhere) {
  Transcript t;
  const auto summary = scan_text("Кто. \xff То.", scanner_words(), t);
  ASSERT_TRUE(summary.has_error());
  EXPECT_EQ(summary.error().code, Errc::invalid_utf8);
  EXPECT_NE(summary.error().reason.find("byte 8"), std::string::npos) << summary.error().reason;
  EXPECT_TRUE(t.text.empty());
}

TEST(Scanner, CutsAWordWithoutEnd) {
  Transcript t;
  const auto summary = scan_text(std::string(10 * kMaxWordLetters + 5, 'a'), scanner_words(), t);
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->words, 11U);
  EXPECT_EQ(t.words.back(), (TextRange{10 * kMaxWordLetters, 10 * kMaxWordLetters + 5}));
}

TEST(Scanner, CutsASentenceWithoutEnd) {
  std::string text;
  for (std::size_t i = 0; i < 2 * kMaxSentenceWords + 5; ++i) text += "ab ";
  Transcript t;
  const auto summary = scan_text(text, scanner_words(), t);
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->sentences, 3U);
  EXPECT_EQ(summary->words, 2 * kMaxSentenceWords + 5);
  EXPECT_EQ(*split_sentences(text), t.sentences);
}

TEST(Scanner, KeepsAWordTogetherWhereverTheWindowStands) {
  for (std::size_t before = 900; before < 2400; ++before) {
    std::string text;
    while (text.size() < before) text += "x ";
    text.resize(before, ' ');
    EXPECT_TRUE(transcript(text + " сло-\nво. Кто").ends_with("x слово | кто")) << before;
  }
}

TEST(Sentences, AreThoseOfTheScanner) {
  const std::string_view text = "Кто-то — сло-\nво. «Но!» * * * 3.14\n\n\tКонец";
  Transcript t;
  ASSERT_TRUE(scan_text(text, scanner_words(), t).has_value());
  const auto ranges = split_sentences(text);
  ASSERT_TRUE(ranges.has_value());
  EXPECT_EQ(*ranges, t.sentences);
  EXPECT_EQ(split_sentences("a\xff").error().code, Errc::invalid_utf8);
}

}  // namespace
}  // namespace akin
