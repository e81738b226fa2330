// The words that are kept beside texts: always those of the text.
#include "index/store/kept_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/codec/word_codes.h"
#include "index/search/tier_search.h"
#include "tests/support/long_text_fixture.h"

namespace akin::test {
namespace {

using testing::IsEmpty;

class WordsOfLongTexts : public LongTextTest {};

TEST_F(WordsOfLongTexts, AreThoseOfTheText) {
  const std::string& text = text_in_parts();
  put(*collection_, "long", text);
  put(*collection_, "short", text_of("cats", 3));
  EXPECT_EQ(must(must(collection_->snapshot())->text("long")), text);
  expect_words("long", text);
  EXPECT_EQ(kept("short"), must(encode_codes_of(text_of("cats", 3), *plain_))) << "a byte a word";
  EXPECT_THAT(verify(*collection_), IsEmpty());
  EXPECT_EQ(must(collection_->verify_deep({}, {})), 0U);
}

TEST_F(WordsOfLongTexts, AreThoseOfATextWhoseFeaturesAreGiven) {
  const std::string& text = text_in_parts();
  const FeatureSequence features = must(collection_->analyze_tiers(text));
  must(collection_->write({{{.document = {.id = "long", .text = text}, .features = &features}}},
                          WriteMode::all));
  expect_words("long", text);
}

TEST_F(WordsOfLongTexts, GoWithTheText) {
  put(*collection_, "long", text_in_parts());
  const std::string other = "Иначе. " + long_text(std::size_t{4} << 20U);
  put(*collection_, "long", other);
  expect_words("long", other);
  put(*collection_, "long", "Short.");
  EXPECT_EQ(kept("long"), must(encode_codes_of("Short.", *plain_)));
  put(*collection_, "long", other);
  must(collection_->remove({"long"}));
  EXPECT_THAT(verify(*collection_), IsEmpty()) << "no words without a document";
}

TEST(CodesOfWords, AreNotMoreThanTheBytesOfTheText) {
  const std::string codes = "....ab";
  EXPECT_TRUE(check_kept_words(codes, 2, "document 'a'").has_value());
  EXPECT_EQ(check_kept_words(codes, 1, "document 'a'").error().code, Errc::corrupt);
  EXPECT_EQ(check_kept_words("...", 2, "document 'a'").error().what, "document 'a'");
}

TEST_F(WordsOfLongTexts, AreThoseOfTheDictionaryOfAReindex) {
  const std::string& text = text_in_parts();
  put(*collection_, "long", text);
  const std::string before = *kept("long");
  collection_ = nullptr;
  reopen(other_);
  must(catalog_->reindex("c", "", {}));
  collection_ = must(catalog_->get("c"));
  expect_words("long", text);
  EXPECT_NE(*kept("long"), before);
  EXPECT_FALSE(must(decode_kept_words(before, text.size(), *other_, "long"))) << "of the other dictionary";
}

TEST_F(WordsOfLongTexts, AlignTheTextAsIfItWereReadWhole) {
  const std::string& text = text_in_parts();
  put(*collection_, "long", text);
  const std::size_t middle = text.find('\n', 3'000'000) + 1;
  const std::string query =
      text.substr(middle, 600) + " и другое слово. " + text.substr(middle + 2'000'000, 900);
  const auto aligner = must(TextAligner::of(query, must(read_words(query, *plain_)), plain_));
  const AlignedText whole = must(aligner->align(text, ChangeDetail::counted));
  ASSERT_FALSE(whole.passages.empty());
  const std::unique_ptr<Snapshot> snapshot = must(collection_->snapshot());
  Hit hit;
  hit.document = must(snapshot->find("long")).value();
  must(align_hit(*snapshot, *aligner, hit));
  ASSERT_EQ(hit.passages.size(), whole.passages.size());
  for (std::size_t i = 0; i < whole.passages.size(); ++i) {
    EXPECT_EQ(hit.passages[i].a, whole.passages[i].a);
    EXPECT_EQ(hit.passages[i].b, whole.passages[i].b);
    EXPECT_EQ(hit.passages[i].changes, whole.passages[i].changes);
  }
  EXPECT_EQ(hit.words->b, whole.words.b);
}

TEST_F(WordsOfLongTexts, StayWithATextThatIsCompacted) {
  const std::string& text = text_in_parts();
  put(*collection_, "long", text);
  const std::string before = *kept("long");
  collection_ = nullptr;
  must(catalog_->compact("c", {}));
  collection_ = must(catalog_->get("c"));
  EXPECT_EQ(kept("long"), before);
  EXPECT_EQ(must(must(collection_->snapshot())->text("long")), text);
  EXPECT_THAT(verify(*collection_), IsEmpty());
}

}  // namespace
}  // namespace akin::test
