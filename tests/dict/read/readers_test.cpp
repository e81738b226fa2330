#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "dict/read/aff_reader.h"
#include "dict/read/condition.h"
#include "dict/read/conversion.h"
#include "dict/read/dic_reader.h"
#include "dict/read/supplement.h"

namespace akin {
namespace {

using testing::HasSubstr;

/// Content that is wrong in one line.
struct Wrong {
  std::string name;
  std::string content;
  std::string where, reason;
};
void PrintTo(const Wrong& row, std::ostream* out) { *out << row.name; }

class WrongAff : public testing::TestWithParam<Wrong> {};

TEST_P(WrongAff, IsRefusedByFileLineAndReason) {
  const auto read = read_aff(GetParam().content, "x.aff");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::bad_dictionary);
  EXPECT_EQ(read.error().what, GetParam().where);
  EXPECT_THAT(read.error().reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongAff,
    testing::Values(Wrong{"encoding", "SET martian\n", "x.aff line 1", "martian"},
                    Wrong{"encoding_of_many_bytes", "SET UTF-16\n", "x.aff line 1", "UTF-16"},
                    Wrong{"flag_number", "FLAG num\nSFX x Y 1\n", "x.aff line 2", "number"},
                    Wrong{"flag_number_range", "FLAG num\nNEEDAFFIX 70000\n", "x.aff line 2", "number"},
                    Wrong{"flag_half", "FLAG long\nSFX Aa Y 1\nSFX Aa 0 s/BbC .\n", "x.aff line 3", "pairs"},
                    Wrong{"flag_missing", "NEEDAFFIX\n", "x.aff line 1", "missing"},
                    Wrong{"table_count", "AF x\n", "x.aff line 1", "number of its lines"},
                    Wrong{"alias", "AF 1\nAF A\nSFX A Y 1\nSFX A 0 s/7 .\n", "x.aff line 4",
                          "AF has no such number"},
                    Wrong{"affix_count", "SFX A Y many\n", "x.aff line 1", "number of its lines"},
                    Wrong{"affix_short", "SFX A Y 2\nSFX A 0 s .\nSFX B Y 1\nSFX B 0 t .\n", "x.aff line 3",
                          "more rules"},
                    Wrong{"affix_ends", "SFX A Y 2\nSFX A 0 s .\n", "x.aff line 2", "more rules"},
                    Wrong{"affix_kind", "SFX A Y 1\nPFX A 0 s .\n", "x.aff line 2", "more rules"},
                    Wrong{"rule_fields", "SFX A Y 1\nSFX A 0\n", "x.aff line 2", "what to add"},
                    Wrong{"bracket", "SFX A Y 1\nSFX A 0 s [abc\n", "x.aff line 2", "bracket"},
                    Wrong{"conversion", "ICONV 1\nICONV a\n", "x.aff line 2", "replacement"},
                    Wrong{"bytes", "SET UTF-8\nSFX A Y 1\nSFX A 0 \xff .\n", "x.aff line 3", "UTF-8"}),
    [](const auto& row) { return row.param.name; });

TEST(AffReader, SkipsBlankAndCommentLinesInsideTables) {
  const auto read = read_aff("SET UTF-8\nSFX A Y 2\nSFX A 0 s .\n\n# note\nSFX A 0 t .\n", "x.aff");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->suffixes.with_flag('A').size(), 2U);
}

TEST(AffReader, TakesTheNumberZeroForAFlag) {
  // tr_TR has it. It must not count as an option that the file does not set.
  const auto read = read_aff("SET UTF-8\nFLAG num\nSFX 0 N 1\nSFX 0 0 a .\n", "x.aff");
  ASSERT_TRUE(read) << read.error().message();
  const auto words = read_dic("2\nab/0\nac/1\n", *read, "x.dic");
  ASSERT_TRUE(words) << words.error().message();
  const auto flags = words->flags_of(words->entries.front());
  ASSERT_EQ(flags.size(), 1U);
  EXPECT_EQ(read->suffixes.with_flag(flags.front()).size(), 1U);
  EXPECT_FALSE(has_flag(flags, read->forbidden_word));
}

TEST(AffReader, SkipsInputConversionsBetweenSpellingsThatFoldAlike) {
  // Korean composes its syllables; é and e with U+0301 fold alike; æ is not ae.
  const auto read =
      read_aff("SET UTF-8\nICONV 3\nICONV 각 \u1100\u1161\u11a8\nICONV é e\u0301\nICONV ae æ\n", "x.aff");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_FALSE(read->input.may_touch(U"\u1100"));
  EXPECT_FALSE(read->input.may_touch(U"é"));
  EXPECT_THAT(read->input.sources_of(U"æ"), testing::Contains(std::u32string(U"ae")));
}

TEST(AffReader, CollectsTheFlagsOfCompounds) {
  const auto read =
      read_aff("COMPOUNDFLAG A\nCOMPOUNDEND B\nCOMPOUNDRULE 1\nCOMPOUNDRULE (x)*y?z\n", "x.aff");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_THAT(read->compound_flags, testing::ElementsAre('A', 'B', 'x', 'y', 'z'));
}

class WrongDic : public testing::TestWithParam<Wrong> {};

TEST_P(WrongDic, IsRefusedByFileLineAndReason) {
  const auto affixes = read_aff("SET UTF-8\nFLAG num\n", "x.aff");
  ASSERT_TRUE(affixes);
  const auto read = read_dic(GetParam().content, *affixes, "x.dic");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::bad_dictionary);
  EXPECT_EQ(read.error().what, GetParam().where);
  EXPECT_THAT(read.error().reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongDic,
                         testing::Values(Wrong{"empty", "", "x.dic line 1", "empty"},
                                         Wrong{"no_count", "word\n", "x.dic line 1", "number of words"},
                                         Wrong{"flags", "1\nword/12,x\n", "x.dic line 2", "number"},
                                         Wrong{"bytes", "2\nword\nw\xe9\n", "x.dic line 3", "UTF-8"},
                                         Wrong{"stem", "1\nword st:\xe9\n", "x.dic line 2", "st:"}),
                         [](const auto& row) { return row.param.name; });

TEST(DicReader, SplitsWordsFlagsAndFields) {
  const auto affixes = read_aff("SET UTF-8\n", "x.aff");
  const auto read = read_dic(
      "\xef\xbb\xbf"
      "99 words\r\nplain\r\nand\\/or/BA po:x\r\nmice\tst:mouse\r\na:b/C\r\n\r\n",
      *affixes, "x.dic");
  ASSERT_TRUE(read) << read.error().message();
  std::vector<std::string> rows;
  for (const DictionaryEntry& entry : read->entries) {
    std::string row = to_utf8(entry.word) + " " + entry.stem;
    for (const Flag flag : read->flags_of(entry)) row.append(1, ' ').append(1, static_cast<char>(flag));
    rows.push_back(row);
  }
  EXPECT_THAT(rows, testing::ElementsAre("plain plain", "and/or and/or A B", "mice mouse", "a:b a:b C"));
}

class WrongSupplement : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSupplement, IsRefusedByFileLineAndReason) {
  const auto read = read_supplement(GetParam().content, "x.txt");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::bad_dictionary);
  EXPECT_EQ(read.error().what, GetParam().where);
  EXPECT_THAT(read.error().reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongSupplement,
                         testing::Values(Wrong{"colon", "# x\nme my\n", "x.txt line 2", "lemma: form"},
                                         Wrong{"lemma", ": me\n", "x.txt line 1", "lemma: form"},
                                         Wrong{"two_lemmas", "me my: us\n", "x.txt line 1", "lemma: form"},
                                         Wrong{"forms", "me:\n", "x.txt line 1", "without forms"},
                                         Wrong{"one_word", "me: my,self\n", "x.txt line 1", "not one word"},
                                         Wrong{"bytes", "me: my\nyou: \xff\n", "x.txt line 2", "UTF-8"}),
                         [](const auto& row) { return row.param.name; });

TEST(Supplement, GivesTheLemmaAndEachFormAnEdge) {
  const auto read = read_supplement("\xef\xbb\xbf# comment\n\nсвой: свою СВОИ # more\n", "x.txt");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_THAT(read->lemmas, testing::ElementsAre("свой"));
  EXPECT_EQ(read->edges.size(), 3U);
}

/// pattern, word, whether it holds at the word's end and begin
struct ConditionRow {
  std::u32string pattern, word;
  bool at_end, at_begin;
};
class Conditions : public testing::TestWithParam<ConditionRow> {};

TEST_P(Conditions, HoldAtEndAndBegin) {
  const auto condition = Condition::parse(GetParam().pattern);
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->holds_at_end(GetParam().word), GetParam().at_end);
  EXPECT_EQ(condition->holds_at_begin(GetParam().word), GetParam().at_begin);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Conditions,
    testing::Values(ConditionRow{U".", U"", true, true}, ConditionRow{U"ab", U"abab", true, true},
                    ConditionRow{U"ab", U"b", false, false}, ConditionRow{U"[xy]b", U"ybxb", true, true},
                    ConditionRow{U"[^xy]b", U"ybab", true, false}, ConditionRow{U"[^й].", U"жй", true, true},
                    ConditionRow{U"[a^]", U"^", true, true}, ConditionRow{U"[.]", U"x.", true, false},
                    ConditionRow{U"..", U"x", false, false}));

TEST(ConversionTable, TakesTheLongestPatternAndItsPlace) {
  ConversionTable table;
  table.add(U"a", U"1");
  table.add(U"ab", U"2");
  table.add(U"_b", U"3");
  table.add(U"c_", U"4");
  EXPECT_EQ(table.apply(U"babac"), U"3214");
  EXPECT_EQ(table.apply(U"cb"), U"cb");
}

TEST(ConversionTable, ListsTheSpellingsThatGiveAWord) {
  ConversionTable table;
  table.add(U"ţ", U"ț");
  EXPECT_THAT(table.sources_of(U"braț"), testing::UnorderedElementsAre(U"braț", U"braţ"));
  EXPECT_THAT(table.sources_of(U"braţ"), testing::IsEmpty());
}

}  // namespace
}  // namespace akin
