#include "tests/experiments/treebank.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "tests/experiments/corpora.h"

namespace akin::experiments {
namespace {

Treebank read(const std::string& content) {
  const ScratchFolder folder;
  const auto file = folder.path() / "xx_test.conllu";
  std::ofstream(file) << content;
  return read_treebank(file);
}

std::string token(const std::string& id, const std::string& form, const std::string& lemma,
                  const std::string& upos) {
  return id + "\t" + form + "\t" + lemma + "\t" + upos + "\t_\t_\t_\t_\t_\t_\n";
}

TEST(Treebank, FoldsFormsAndLemmas) {
  const Treebank treebank = read(token("1", "Её", "ОНА", "PRON"));
  ASSERT_EQ(treebank.words.size(), 1U);
  EXPECT_EQ(treebank.words[0].form, "ее");
  EXPECT_EQ(treebank.words[0].lemma, "она");
}

TEST(Treebank, LeavesOutWhatIsNoWord) {
  const Treebank treebank = read(token("1", "1812", "1812", "NUM") + token("2", ".", ".", "PUNCT") +
                                 token("3", "x", "_", "X") + token("3.1", "was", "be", "AUX"));
  EXPECT_EQ(treebank.tokens, 0U);
  EXPECT_EQ(treebank.skipped, 0U);
}

TEST(Treebank, CountsWordsThatTextRulesSplitOtherwise) {
  const Treebank treebank =
      read(token("1-2", "im", "_", "_") + token("1", "in", "in", "ADP") + token("2", "dem", "der", "DET") +
           token("3", "из-за", "из-за", "ADP") + token("4", "Haus", "Haus", "NOUN"));
  EXPECT_EQ(treebank.tokens, 1U);
  EXPECT_EQ(treebank.skipped, 2U);
}

TEST(Treebank, LeavesOutWordsThatNoSpaceSeparates) {
  const auto glued = [](std::string line) { return line.replace(line.rfind('_'), 1, "SpaceAfter=No"); };
  const Treebank treebank = read(glued(token("1", "l'", "il", "DET")) + token("2", "uomo", "uomo", "NOUN") +
                                 glued(token("3", "va", "andare", "VERB")) + token("4", ".", ".", "PUNCT") +
                                 "\n" + token("1", "Via", "via", "NOUN"));
  EXPECT_EQ(treebank.tokens, 2U);
  EXPECT_EQ(treebank.skipped, 2U);
  ASSERT_EQ(treebank.words.size(), 2U);
  EXPECT_EQ(treebank.words[0].form, "va");
}

TEST(Treebank, ForgetsAMultiwordTokenAtTheSentencesEnd) {
  const Treebank treebank = read(token("1-2", "im", "_", "_") + token("1", "in", "in", "ADP") +
                                 token("2", "dem", "der", "DET") + "\n" + token("1", "Haus", "Haus", "NOUN"));
  EXPECT_EQ(treebank.tokens, 1U);
}

/// Every running word on its own, every pair looked at: the slow twin of count_pairs.
Agreement count_pairs_one_by_one(const Treebank& treebank, const std::vector<std::uint64_t>& classes) {
  std::vector<std::size_t> running;
  for (std::size_t i = 0; i < treebank.words.size(); ++i)
    running.insert(running.end(), treebank.words[i].count, i);
  Agreement out;
  const auto add = [](PairCounts& counts, bool one_lemma, bool one_class) {
    ++(one_lemma ? counts.one_lemma : counts.two_lemmas);
    if (one_class) ++(one_lemma ? counts.one_lemma_one_class : counts.two_lemmas_one_class);
  };
  for (std::size_t i = 0; i < running.size(); ++i) {
    for (std::size_t j = i + 1; j < running.size(); ++j) {
      const FormWithLemma& a = treebank.words[running[i]];
      const FormWithLemma& b = treebank.words[running[j]];
      const bool one_class = classes[running[i]] == classes[running[j]];
      add(out.all, a.lemma == b.lemma, one_class);
      if (a.form != b.form) add(out.other_forms, a.lemma == b.lemma, one_class);
    }
  }
  return out;
}

void expect_equal(const PairCounts& a, const PairCounts& b) {
  EXPECT_EQ(a.one_lemma, b.one_lemma);
  EXPECT_EQ(a.one_lemma_one_class, b.one_lemma_one_class);
  EXPECT_EQ(a.two_lemmas, b.two_lemmas);
  EXPECT_EQ(a.two_lemmas_one_class, b.two_lemmas_one_class);
}

TEST(CountPairs, SeparatesHomographsFromOtherFalsePairs) {
  Treebank treebank;
  treebank.words = {{"la", "le", 5}, {"les", "le", 7}, {"la", "lui", 2}, {"lit", "lit", 3}};
  treebank.tokens = 17;
  // The pairs of les (le) with la (lui), which is also a form of le; not those of lit.
  EXPECT_EQ(pairs_by_homographs(treebank, {1, 1, 1, 1}), 7U * 2U);
  EXPECT_EQ(pairs_by_homographs(treebank, {1, 2, 1, 1}), 0U);
}

TEST(CountPairs, CountsAsLookingAtEveryPairDoes) {
  std::mt19937 random(2009);
  for (int round = 0; round < 50; ++round) {
    Treebank treebank;
    std::vector<std::uint64_t> class_of_form;
    for (int i = 0; i < 6; ++i) class_of_form.push_back(random() % 4);
    std::vector<std::uint64_t> classes;
    for (std::size_t form = 0; form < class_of_form.size(); ++form) {
      for (const char* lemma : {"p", "q", "r"}) {
        const std::uint64_t count = random() % 4;
        if (count == 0) continue;
        treebank.words.push_back({std::string(1, static_cast<char>('a' + form)), lemma, count});
        treebank.tokens += count;
        classes.push_back(class_of_form[form]);
      }
    }
    const Agreement fast = count_pairs(treebank, classes);
    const Agreement slow = count_pairs_one_by_one(treebank, classes);
    expect_equal(fast.all, slow.all);
    expect_equal(fast.other_forms, slow.other_forms);

    std::uint64_t missed = 0;
    for (const Disagreement& split : split_lemmas(treebank, classes)) missed += split.pairs;
    EXPECT_EQ(missed, slow.other_forms.one_lemma - slow.other_forms.one_lemma_one_class);
    std::uint64_t mixed = 0;
    for (const Disagreement& wrong : mixed_classes(treebank, classes)) mixed += wrong.pairs;
    EXPECT_EQ(mixed, slow.other_forms.two_lemmas_one_class);
  }
}

}  // namespace
}  // namespace akin::experiments
