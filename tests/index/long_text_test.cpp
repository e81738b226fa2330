// Long texts, aligned as they are sieved, against the alignment of all their words.
#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"
#include "index/text_aligner.h"
#include "morph/align/sieve.h"
#include "morph/text/arrangement.h"
#include "tests/experiments/corpora.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

class LongTexts : public CatalogTest {
 protected:
  /// The text to align others with.
  void read(std::string text) {
    text_ = std::move(text);
    ASSERT_GE(text_.size(), kLongText);
    const auto arrangement = Arrangement::of(text_);
    arranged_ += arrangement ? 1 : 0;
    ASSERT_TRUE(SievedText::of(arrangement ? arrangement->text() : text_, {}, *plain_));
    packed_.emplace(must(PackedWords::of(text_, *plain_)));
  }

  void expect_same(const std::string& query) {
    const auto aligner = must(TextAligner::of(query, must(read_words(query, *plain_)), plain_));
    const AlignedText expected = aligner->align(text_, *packed_, ChangeDetail::listed);
    const AlignedText found = must(aligner->align(text_, ChangeDetail::listed));
    EXPECT_EQ(found.words.a, expected.words.a);
    EXPECT_EQ(found.words.b, expected.words.b);
    EXPECT_EQ(found.words.b_words, expected.words.b_words);
    ASSERT_EQ(found.passages.size(), expected.passages.size());
    for (std::size_t i = 0; i < expected.passages.size(); ++i) {
      EXPECT_EQ(found.passages[i].a, expected.passages[i].a);
      EXPECT_EQ(found.passages[i].b, expected.passages[i].b);
      EXPECT_EQ(found.passages[i].words, expected.passages[i].words);
      EXPECT_EQ(found.passages[i].changes, expected.passages[i].changes);
      ASSERT_EQ(found.changes[i].size(), expected.changes[i].size());
      for (std::size_t at = 0; at < expected.changes[i].size(); ++at) {
        EXPECT_EQ(found.changes[i][at].kind, expected.changes[i][at].kind);
        EXPECT_EQ(found.changes[i][at].a, expected.changes[i][at].a);
        EXPECT_EQ(found.changes[i][at].b, expected.changes[i][at].b);
      }
    }
    passages_ += expected.passages.size();
  }

  /// The text with every twelfth word where another one was.
  std::string disturbed(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size() - 1) + 1;
      words.push_back(text.substr(begin, end - begin));
      begin = end;
    }
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
      out += random_() % 12 == 0 ? words[std::min(i + random_() % 9, words.size() - 1)] : words[i];
    return out;
  }

  std::mt19937 random_{11};
  std::string text_;
  std::optional<PackedWords> packed_;
  std::size_t passages_ = 0, arranged_ = 0;
};

TEST_F(LongTexts, OfCorporaAreAlignedLikeTheirWords) {
  const std::filesystem::path corpora = experiments::corpora_folder();
  if (corpora.empty()) GTEST_SKIP() << "no corpora (AKIN_CORPORA)";
  for (const char* const folder : {"en-novels", "ru-novels", "other-lang"}) {
    const auto works = experiments::read_works(corpora, folder);
    std::string text;
    for (int i = 0; text.size() < kLongText; ++i) {
      const std::string& work = works[random_() % works.size()].text;
      text += (i % 2 == 0 ? work : disturbed(work)) + "\n\n";
    }
    ASSERT_NO_FATAL_FAILURE(read(std::move(text)));
    for (const std::size_t length : {30U, 200U, 200U, 200U, 2'000U, 40'000U}) {
      const std::size_t begin = random_() % (kLongText / 3);
      const std::string query(slice_code_points(text_, begin, begin + length));
      expect_same(query);
      expect_same(disturbed(query));
    }
    expect_same(
        "It was the one of the and to in that of the. И он не на то что это и в на не. the of the of and");
  }
  EXPECT_GT(passages_, 100U);
  EXPECT_GT(arranged_, 1U);
}

TEST_F(LongTexts, OfOddCharactersAreAlignedLikeTheirWords) {
  const std::vector<std::string> odd = {" ёжик[1] ",
                                        " «naïve-\nté» ",
                                        " 日本語の文。",
                                        " don´t ",
                                        " т\u2009е\u2009к\u2009с\u2009т ",
                                        " \u202eтокерб\n",
                                        " ﬁ-\u200b",
                                        "—",
                                        "  "};
  const std::vector<std::string> ends = {"\n", "\n\n", "\r\n", " ", "\n    "};
  for (int round = 0; round < 2; ++round) {
    std::string text, quoted;
    for (int i = 0; text.size() < kLongText; ++i) {
      const std::string name = i % 40'000 < 200 ? "s" + std::to_string(random_() % 40) : std::to_string(i);
      std::string line = text_of(name, 1);
      line.insert(line.find(' ', random_() % 20), odd[random_() % odd.size()]);
      text += line + ends[random_() % ends.size()];
      if (i < 200 && random_() % 6 == 0) quoted += line + " ";
    }
    ASSERT_NO_FATAL_FAILURE(read(std::move(text)));
    expect_same(quoted);
  }
  EXPECT_GT(passages_, 4U);
  EXPECT_EQ(arranged_, 2U);
}

}  // namespace
}  // namespace akin::test
