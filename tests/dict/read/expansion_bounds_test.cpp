// Dictionaries whose words have more forms than a table can hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/utf8.h"
#include "dict/read/dictionary_forms.h"
#include "dict/read/source.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

class CountingSink : public FormSink {
 public:
  void on_form(std::u32string_view, std::string_view) override { ++count; }
  std::uint64_t count = 0;
};

/// A class of `rules` suffixes: `append`, a number, `tail`.
std::string suffix_class(std::string_view head, int rules, std::string_view append, std::string_view tail) {
  std::ostringstream aff;
  aff << head << " Y " << rules << "\n";
  for (int i = 0; i < rules; ++i) aff << head << " 0 " << append << i << tail << "\n";
  return aff.str();
}

/// `rules` suffixes A, each of which permits `rules` suffixes B.
std::string twofold_aff(int rules, std::string_view second_condition = " .") {
  return std::string("SET UTF-8\n")
      .append(suffix_class("SFX A", rules, "a", "/B ."))
      .append(suffix_class("SFX B", rules, "b", second_condition));
}

ExpansionCost expand_first(const std::string& aff, const std::string& dic, ExpansionDepth depth,
                           CountingSink& sink) {
  const auto forms = DictionaryForms::read({"x.aff", "x.dic"}, aff, dic);
  EXPECT_TRUE(forms);
  Expander expander(forms->affixes());
  return forms->expand(0, depth, expander, sink);
}

TEST(ExpansionBounds, CutAnEntryWithTooManyForms) {
  CountingSink sink;
  const ExpansionCost cost = expand_first(twofold_aff(2000), "1\nx/A\n", ExpansionDepth::full, sink);
  EXPECT_TRUE(cost.cut);
  EXPECT_LE(sink.count, kMaxFormsPerEntry);
}

TEST(ExpansionBounds, CutAnEntryWithTooManyRulesTried) {
  CountingSink sink;
  const ExpansionCost cost = expand_first(twofold_aff(3000, " q"), "1\nx/A\n", ExpansionDepth::full, sink);
  EXPECT_TRUE(cost.cut);
  EXPECT_LE(cost.steps, kMaxStepsPerEntry + 2 * 3000);
}

TEST(ExpansionBounds, LowerDepthsGiveFewerForms) {
  const std::string aff = twofold_aff(3);
  for (const auto& [depth, forms] : {std::pair{ExpansionDepth::roots, 1U},
                                     {ExpansionDepth::one_suffix, 4U},
                                     {ExpansionDepth::full, 13U}}) {
    CountingSink sink;
    const ExpansionCost cost = expand_first(aff, "1\nx/A\n", depth, sink);
    EXPECT_EQ(sink.count, forms);
    EXPECT_EQ(cost.cut, depth != ExpansionDepth::full);
  }
}

constexpr std::string_view kElisions =
    "SET UTF-8\nPFX L Y 2\nPFX L 0 l' .\nPFX L 0 re .\nSFX S Y 1\nSFX S 0 s .\n";

TEST(ExpansionBounds, ElisionsAreLeftOutBeforeSecondSuffixes) {
  CountingSink sink;
  const ExpansionCost full = expand_first(std::string(kElisions), "1\nxy/LS\n", ExpansionDepth::full, sink);
  EXPECT_EQ(sink.count, 6U);  // xy, xys, each with l' and with re
  EXPECT_FALSE(full.cut);
  CountingSink fewer;
  const ExpansionCost cost =
      expand_first(std::string(kElisions), "1\nxy/LS\n", ExpansionDepth::without_elisions, fewer);
  EXPECT_EQ(fewer.count, 4U);
  EXPECT_TRUE(cost.cut);
}

TEST(ExpansionBounds, LongFormsAreNotMade) {
  CountingSink sink;
  expand_first("SFX A Y 1\nSFX A 0 " + std::string(kMaxFormLetters, 'y') + " .\n", "1\nx/A\n",
               ExpansionDepth::full, sink);
  EXPECT_EQ(sink.count, 1U);
}

TEST(ExpansionBounds, ADictionaryOverTheBudgetIsCompiledAtALowerDepth) {
  // 4,000 words × 90,000 forms each.
  std::ostringstream words;
  words << "1\n";
  for (int i = 0; i < 4000; ++i) words << "w" << i << "/A\n";
  const auto expanded = expand_source({"x.aff", "x.dic"}, "xx", twofold_aff(300), words.str());
  ASSERT_TRUE(expanded) << expanded.error().message();
  EXPECT_EQ(expanded->depth, ExpansionDepth::one_suffix);
  EXPECT_EQ(expanded->cut_entries, 4000U);
}

/// Words of four letters, no two alike, all with the flags.
std::string many_words(int count, std::string_view flags) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    for (const int part : {i % 26, i / 26 % 26, i / 676 % 26, i / 17576})
      out += static_cast<char>('a' + part);
    out.append("/").append(flags).append("\n");
  }
  return out;
}

TEST(ExpansionBounds, ADictionaryWithTooManyElisionsKeepsItsInflection) {
  // 40,000 words × 1 suffix × 400 prefixes: 32,000,000 forms, nearly all elided.
  TinyDictionaries files;
  std::ostringstream aff;
  aff << "SET UTF-8\n"
      << "SFX S Y 1\nSFX S 0 s .\nPFX L Y 400\n";
  for (int i = 0; i < 400; ++i) {
    aff << "PFX L 0 " << static_cast<char>('a' + i % 26) << static_cast<char>('a' + i / 26) << "' .\n";
  }
  const auto dictionary =
      TinyDictionaries::open(files.config({files.write("xx", aff.str(), many_words(40'000, "LS"))}));
  const DictionarySource& source = dictionary->stats().sources.front();
  EXPECT_GT(source.cut_entries, 0U);
  EXPECT_EQ(source.forms, 80'000U);
  EXPECT_EQ(hash_of(*dictionary, "abcas"), hash_of(*dictionary, "abca"));
  EXPECT_EQ(hash_of(*dictionary, "ba'abcas"), hash_of(*dictionary, "abca"));
}

TEST(ExpansionBounds, WordsThatWereNotExpandedGetTheirClassFromHunspell) {
  TinyDictionaries files;
  const auto letters = [](int i) {
    return std::string{static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26 % 26),
                       static_cast<char>('a' + i / 676)};
  };
  std::ostringstream aff;
  aff << "SET UTF-8\nSFX A Y 1100\n";
  for (int i = 0; i < 1100; ++i) aff << "SFX A 0 " << letters(i) << "/B .\n";
  aff << "SFX B Y 200\n";
  for (int i = 0; i < 200; ++i) aff << "SFX B 0 " << letters(i) << " .\n";
  const auto dictionary =
      TinyDictionaries::open(files.config({files.write("xx", aff.str(), "mountain/A\n")}));
  ASSERT_EQ(dictionary->stats().sources.front().cut_entries, 1U);
  const std::string last = std::string("mountain").append(letters(1099)).append(letters(199));
  EXPECT_TRUE(knows(*dictionary, last));
  EXPECT_EQ(hash_of(*dictionary, last), hash_of(*dictionary, "mountain"));
}

}  // namespace
}  // namespace akin::test
