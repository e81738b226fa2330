// Long texts: stored in parts, with their words, and always the same as if they were read as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text_codec.h"
#include "index/codec/encoding.h"
#include "index/codec/stored_text.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/long_text_fixture.h"

namespace akin::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(StoredText, ComesBackWholeAndInAnyStretch) {
  for (const std::string& text : {std::string(), std::string("ы"), text_in_parts()}) {
    const std::string stored = encode_text(text).value();
    EXPECT_EQ(StoredText::of(stored, text.size(), "text").value().take().value(), text);
    StoredText parts = StoredText::of(stored, text.size(), "text").value();
    EXPECT_EQ(parts.size(), text.size());
    for (std::size_t begin = 0; begin < text.size(); begin += text.size() / 7 + 1) {
      const std::size_t end = std::min(begin + 100'000, text.size());
      EXPECT_EQ(parts.read(begin, end).value(), std::string_view(text).substr(begin, end - begin));
    }
    EXPECT_EQ(parts.read().value(), text);
    EXPECT_EQ(std::move(parts).take().value(), text);
  }
}

TEST(StoredText, IsOneFrameUnlessItHasParts) {
  const std::string shorter = text_in_parts().substr(0, kWholeText);
  EXPECT_EQ(encode_text(shorter).value(), compress_text(shorter).value());
  EXPECT_EQ(encode_text(text_in_parts()).value().front(), 2);
}

TEST(StoredText, OfWhichOnePartIsDamagedHasTheOthers) {
  const std::string& text = text_in_parts();
  std::string stored = encode_text(text).value();
  stored.back() = static_cast<char>(stored.back() ^ 1);
  StoredText parts = StoredText::of(stored, text.size(), "document 'a'").value();
  EXPECT_EQ(parts.read(7, 2'000'000).value(), std::string_view(text).substr(7, 2'000'000 - 7));
  const Error error = parts.read(text.size() - 1, text.size()).error();
  EXPECT_EQ(error.code, Errc::corrupt);
  EXPECT_EQ(error.what, "document 'a'");
  EXPECT_EQ(std::move(parts).take().error().code, Errc::corrupt);
}

TEST(StoredText, ThatIsCutOrOfAnotherLengthIsRefused) {
  const std::string& text = text_in_parts();
  const std::string stored = encode_text(text).value();
  const auto refuses = [&](std::string_view bytes, std::uint64_t size) {
    Result<StoredText> parts = StoredText::of(bytes, size, "text");
    return parts.has_error() || std::move(*parts).take().has_error();
  };
  EXPECT_TRUE(refuses(stored, text.size() - 1));
  EXPECT_TRUE(refuses(stored, text.size() + 1));
  EXPECT_TRUE(refuses(stored + "x", text.size()));
  for (std::size_t size = 0; size < stored.size(); size += size < 64 ? 1 : stored.size() / 50)
    EXPECT_TRUE(refuses(std::string_view(stored).substr(0, size), text.size())) << size;
}

TEST(StoredText, HasNoBytesBeyondItsEnd) {
  StoredText text(std::string("abc"));
  EXPECT_EQ(text.read(1, 4).error().code, Errc::corrupt);
  EXPECT_EQ(text.read(2, 1).error().code, Errc::corrupt);
}

class LongText : public LongTextTest {
 protected:
  /// What verify finds after a change of the tables.
  std::vector<std::string> verify_after(
      const std::function<Result<void>(lmdb::WriteTxn&, const Tables&)>& change) {
    collection_ = nullptr;
    change_tables("c", change);
    collection_ = must(catalog_->get("c"));
    return verify(*collection_);
  }
};

TEST_F(LongText, WhoseWordsAreDamagedIsFoundByVerify) {
  put(*collection_, "long", text_in_parts());
  const std::string words = *kept("long");
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) {
                return txn.put(tables.files, words_key(DocNumber{0}), words.substr(0, words.size() - 1));
              }),
              Contains(HasSubstr("the words that are kept of its text cannot be decoded")));
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
                AKIN_CHECK(txn.put(tables.files, words_key(DocNumber{0}), words));
                return txn.put(tables.files, words_key(DocNumber{7}), words);
              }),
              Contains(HasSubstr("there is a list of words without a record")));
}

TEST_F(LongText, WhoseWordsAreThoseOfAnotherIsFoundByDeepVerify) {
  put(*collection_, "a", text_in_parts());
  put(*collection_, "b", text_in_parts().substr(text_in_parts().find('\n') + 1));
  const std::string other = *kept("b");
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) {
                return txn.put(tables.files, words_key(DocNumber{0}), other);
              }),
              ElementsAre("document 'a': its text has other words than those that are kept"));
}

}  // namespace
}  // namespace akin::test
