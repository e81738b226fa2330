// The seven edits of Veretennikov 2009 on real prose in four languages, with the numbers that must come out.
// n is the number of the passage's sentences, and so of its features.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "index/overlap/overlap.h"
#include "morph/schemes/scheme.h"
#include "tests/experiments/corpora.h"
#include "tests/morph/align/passages.h"
#include "tests/morph/schemes/edits.h"
#include "tests/support/sentences.h"

namespace akin {
namespace {

const Dictionary& dictionary_of(const std::string& language) {
  static std::map<std::string, std::shared_ptr<const Dictionary>> open;
  auto& dictionary = open[language];
  if (dictionary == nullptr) {
    DictionaryConfig config;
    config.languages = {language};
    config.cache = std::filesystem::temp_directory_path() / "akin-test-cache";
    auto opened = Dictionary::open(config);
    if (opened.has_error()) throw std::runtime_error(opened.error().message());
    dictionary = *opened;
  }
  return *dictionary;
}

std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> result;
  const auto ranges = split_sentences(text);
  for (const TextRange range : *ranges) result.emplace_back(slice_code_points(text, range.begin, range.end));
  return result;
}

/// Every sentence a section of its own, so that moving one cannot change how another is split.
std::string in_sections(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n\n* * *\n\n";
  return text;
}

class Edits : public testing::TestWithParam<std::string> {
 protected:
  Edits()
      : text_(passage(GetParam())),
        sentences_(sentences_of(text_)),
        scheme_(*make_scheme("sentence-pairs")) {}

  [[nodiscard]] FeatureSequence features(const std::string& text) const {
    return *extract_features(text, dictionary_of(GetParam()), *scheme_);
  }
  [[nodiscard]] Overlap compare(const std::string& a, const std::string& b) const {
    return overlap(features(a).hashes, features(b).hashes);
  }
  /// X with the passage, which is set in sections.
  [[nodiscard]] Overlap compare(const std::vector<std::string>& sentences) const {
    return compare(in_sections(sentences), in_sections(sentences_));
  }
  [[nodiscard]] std::vector<edits::Reformatting> reformattings() const {
    // A word that no dictionary has is joined again unless its halves are words; docs/text-rules.md.
    return edits::reformattings(GetParam(), [dictionary = &dictionary_of(GetParam())](std::string_view word) {
      WordFolder folder;
      return dictionary->knows(folder.fold(word));
    });
  }
  [[nodiscard]] std::size_t n() const { return sentences_.size(); }

  std::string text_;
  std::vector<std::string> sentences_;
  std::shared_ptr<const Scheme> scheme_;
};

TEST_P(Edits, PassageHasSentencesEnoughAndAllDifferent) {
  EXPECT_GE(n(), 30U);
  EXPECT_EQ(features(text_).hashes.size(), n());
  EXPECT_EQ(features(text_).alert_counts.total(), 0U);
  const auto hashes = features(text_).hashes;
  EXPECT_EQ(std::set<Feature>(hashes.begin(), hashes.end()).size(), n());
  const Overlap self = compare(text_, text_);
  EXPECT_EQ(self.x, n());
  EXPECT_EQ(self.containment(), 1.0);
}

// Edit 1. The rest shares all its pairs except the one across the gap.
TEST_P(Edits, Edit1DeletingAFragmentKeepsTheRest) {
  const struct {
    std::size_t from, count, lost_at_seams;
  } rows[] = {{0, 5, 0}, {10, 5, 1}, {3, n() - 6, 1}, {n() - 7, 7, 1}};
  for (const auto& row : rows) {
    auto rest = sentences_;
    const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(row.from);
    rest.erase(begin, begin + static_cast<std::ptrdiff_t>(row.count));
    const Overlap result = compare(rest);
    EXPECT_EQ(result.x, rest.size() - row.lost_at_seams) << row.from << ' ' << row.count;
    EXPECT_EQ(result.a_features, rest.size());
    EXPECT_GE(result.containment(), 0.8);
  }
}

TEST_P(Edits, Edit1AFragmentOfTheRunningTextIsContained) {
  const auto ranges = *split_sentences(text_);
  const std::string fragment(slice_code_points(text_, ranges[8].begin, ranges[27].end));
  const Overlap result = compare(fragment, text_);
  EXPECT_EQ(result.a_features, 20U);
  EXPECT_EQ(result.x, 19U);
}

// Edit 2. A pair of neighbours, in either order, stays a pair; the last element stays if the last sentence
// does.
TEST_P(Edits, Edit2PermutingSentencesCostsTheSeamsOnly) {
  std::vector<std::vector<std::size_t>> orders;
  std::vector<std::size_t> order(n());
  const auto reset = [&] { std::iota(order.begin(), order.end(), std::size_t{0}); };
  reset();
  std::rotate(order.begin() + 4, order.begin() + 9, order.begin() + 20);  // a fragment moved
  orders.push_back(order);
  reset();
  std::swap(order[6], order[17]);
  orders.push_back(order);
  reset();
  std::reverse(order.begin(), order.end());
  orders.push_back(order);
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
    orders.push_back(order);
  }
  const std::size_t expected_of_first_rows[] = {n() - 3, n() - 4, n() - 1};
  for (std::size_t row = 0; row < orders.size(); ++row) {
    const auto& moved = orders[row];
    std::vector<std::string> permuted;
    for (const std::size_t i : moved) permuted.push_back(sentences_[i]);
    std::size_t expected = moved.back() == n() - 1 ? 1 : 0;
    for (std::size_t i = 1; i < n(); ++i) {
      expected += std::max(moved[i - 1], moved[i]) - std::min(moved[i - 1], moved[i]) == 1 ? 1 : 0;
    }
    if (row < std::size(expected_of_first_rows)) {
      EXPECT_EQ(expected, expected_of_first_rows[row]);
    }
    EXPECT_EQ(compare(permuted).x, expected) << "order " << row;
  }
}

// Edit 3. A changed sentence takes its two pairs with it, every other stays.
TEST_P(Edits, Edit3ChangedWordsLeaveTheUntouchedSentences) {
  const auto expect_changed = [&](const std::set<std::size_t>& changed, auto edit) {
    auto sentences = sentences_;
    std::size_t untouched = changed.contains(n() - 1) ? 0 : 1;
    for (std::size_t i = 0; i + 1 < n(); ++i)
      untouched += !changed.contains(i) && !changed.contains(i + 1) ? 1 : 0;
    for (const std::size_t i : changed) sentences[i] = edit(sentences[i]);
    EXPECT_EQ(compare(sentences).x, untouched);
  };
  const auto insert = [](const std::string& s) { return "Абырвалг " + s; };
  const auto remove = [](const std::string& s) {
    const auto words = edits::words(s);
    return words.size() > 1 ? edits::replace_word(s, words[words.size() / 2], "") : "Абырвалг";
  };
  for (const std::set<std::size_t>& changed :
       {std::set<std::size_t>{12}, {0}, {n() - 1}, {5, 6}, {3, 9, 15, 21, 27}, {0, n() - 1}}) {
    expect_changed(changed, insert);
    expect_changed(changed, remove);
  }
}

// Edit 4. Every way of typesetting the text differently, alone and all together.
TEST_P(Edits, Edit4ReformattingKeepsX) {
  for (const edits::Reformatting& reformatting : reformattings()) {
    const std::string other = reformatting.apply(text_);
    const Overlap result = compare(text_, other);
    EXPECT_EQ(result.x, n()) << reformatting.name;
    EXPECT_EQ(result.b_features, n()) << reformatting.name;
  }
}

TEST_P(Edits, Edit4AllReformattingsTogetherKeepX) {
  auto all = reformattings();
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
    // Lines are set last, and once.
    std::string other = text_;
    std::string names;
    const auto apply = [&](const edits::Reformatting& reformatting) {
      other = reformatting.apply(other);
      names += std::string(reformatting.name) + "; ";
    };
    // An acute accent in place of an apostrophe becomes a space with a mark in NFKC, and must not be spaced
    // again then; a word disguised and then divided may fall into parts that are wholly of the wrong script.
    for (const auto& reformatting : all) {
      if (!reformatting.sets_lines && !reformatting.only_alone && random() % 3 != 0) apply(reformatting);
    }
    apply(*std::find_if(all.begin(), all.end(), [](const auto& r) { return r.sets_lines; }));
    EXPECT_EQ(compare(text_, other).x, n()) << names;
  }
}

// Edit 5. Words of the passage and other forms of them.
TEST_P(Edits, Edit5OtherFormsOfDictionaryWordsKeepX) {
  struct Row {
    std::string_view word, form;
  };
  const std::map<std::string, std::vector<Row>> rows = {{"ru",
                                                         {{"венчания", "венчанию"},
                                                          {"закуски", "закускою"},
                                                          {"поехали", "поехать"},
                                                          {"вокзал", "вокзалом"},
                                                          {"веселого", "весёлыми"},
                                                          {"шумная", "шумны"},
                                                          {"чиновник", "чиновниками"},
                                                          {"девушке", "девушек"},
                                                          {"понять", "поняла"},
                                                          {"улыбался", "улыбаются"},
                                                          {"орден", "орденов"},
                                                          {"глазками", "глазку"}}},
                                                        {"en",
                                                         {{"returned", "returns"},
                                                          {"landlord", "landlords"},
                                                          {"country", "countries"},
                                                          {"believe", "believing"},
                                                          {"fingers", "finger"},
                                                          {"announced", "announcing"},
                                                          {"chairs", "chair"},
                                                          {"puppies", "puppy"}}},
                                                        {"de",
                                                         {{"einsamer", "einsamen"},
                                                          {"Heide", "Heiden"},
                                                          {"kleinen", "kleinem"},
                                                          {"Wasser", "Wassers"},
                                                          {"Füße", "Füßen"},
                                                          {"Augen", "Auge"},
                                                          {"Schatten", "Schattens"}}},
                                                        {"uk",
                                                         {{"поле", "полями"},
                                                          {"сонце", "сонцем"},
                                                          {"зелений", "зеленого"},
                                                          {"небо", "неба"},
                                                          {"шляху", "шляхами"},
                                                          {"ниви", "нивою"},
                                                          {"пісня", "піснями"},
                                                          {"дівчина", "дівчат"}}}};
  std::string other = text_;
  for (const Row& row : rows.at(GetParam())) {
    const std::string edited = edits::replace_word(other, row.word, row.form);
    EXPECT_NE(edited, other) << row.word << " is not in the passage";
    EXPECT_EQ(compare(edited, text_).x, n()) << row.word << " → " << row.form;
    other = edited;
  }
  EXPECT_EQ(compare(other, text_).x, n());
}

// Edit 6.
TEST_P(Edits, Edit6PermutingWordsInSentencesKeepsX) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::vector<std::string> permuted;
    for (const std::string& sentence : sentences_) permuted.push_back(edits::permute_words(sentence, seed));
    EXPECT_NE(permuted, sentences_);
    EXPECT_EQ(compare(permuted).x, n()) << "seed " << seed;
  }
}

/// A word of each passage and another of like meaning.
const std::map<std::string, std::pair<std::string_view, std::string_view>> kSynonyms = {
    {"ru", {"подбородок", "челюсть"}},
    {"en", {"canine", "dog"}},
    {"de", {"Flucht", "Rettung"}},
    {"uk", {"парубок", "юнак"}}};

/// The sentences with the first synonym put in.
std::vector<std::string> with_a_synonym(const std::string& language, std::vector<std::string> sentences) {
  const auto& [word, synonym] = kSynonyms.at(language);
  for (std::string& sentence : sentences) {
    std::string edited = edits::replace_word(sentence, word, synonym);
    if (edited == sentence) continue;
    sentence = std::move(edited);
    return sentences;
  }
  throw std::runtime_error("the passage has no such word");
}

// Edit 7. Without synonyms, another word of like meaning is another word and costs its two pairs.
TEST_P(Edits, Edit7ASynonymChangesXWhereSynonymsAreNotJoined) {
  EXPECT_EQ(compare(with_a_synonym(GetParam(), sentences_)).x, n() - 2);
}

TEST_P(Edits, Edit7ASynonymKeepsXWhereSynonymsAreJoined) {
  const auto& [word, synonym] = kSynonyms.at(GetParam());
  const experiments::ScratchFolder scratch;
  DictionaryConfig config;
  config.languages = {GetParam()};
  config.cache = scratch.path();
  config.synonyms = {(scratch.path() / "synonyms.txt").string()};
  std::ofstream(config.synonyms.front()) << word << ' ' << synonym << '\n';
  const auto dictionary = *Dictionary::open(config);
  const auto features = [&](const std::vector<std::string>& sentences, const Scheme& scheme) {
    return extract_features(in_sections(sentences), *dictionary, scheme)->hashes;
  };
  const auto edited = with_a_synonym(GetParam(), sentences_);
  ASSERT_NE(edited, sentences_);
  const auto joining = *make_scheme("synonyms(of=sentence-pairs)");
  EXPECT_EQ(overlap(features(edited, *joining), features(sentences_, *joining)).x, n());
  // Who does not ask for synonyms has the features that there are without any.
  EXPECT_EQ(features(edited, *scheme_),
            extract_features(in_sections(edited), dictionary_of(GetParam()), *scheme_)->hashes);
}

INSTANTIATE_TEST_SUITE_P(Language, Edits, testing::Values("ru", "en", "de", "uk"),
                         [](const auto& language) { return language.param; });

}  // namespace
}  // namespace akin
