// Long texts: stored in parts, with their words, and always the same as if they were read as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text_codec.h"
#include "index/encoding.h"
#include "index/kept_words.h"
#include "index/lmdb/format.h"
#include "index/lmdb/tables.h"
#include "index/stored_text.h"
#include "index/tier_search.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A text of `bytes` bytes, with letters of two bytes, all of whose stretches differ.
std::string long_text(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) {
    text += "Слово номер " + std::to_string(i) + " стоит в строке " + std::to_string(i % 7919) + ".\n";
    if (i % 10 == 0) text += '\n';
  }
  return text;
}

const std::string& text_of_six_parts() {
  static const std::string text = long_text((std::size_t{5} << 20U) + 12'345);
  return text;
}

TEST(StoredText, ComesBackWholeAndInAnyStretch) {
  for (const std::string& text : {std::string(), std::string("ы"), text_of_six_parts()}) {
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

TEST(StoredText, IsOneFrameUnlessItIsLong) {
  const std::string shorter = text_of_six_parts().substr(0, kLongText);
  EXPECT_EQ(encode_text(shorter).value(), compress_text(shorter).value());
  EXPECT_EQ(encode_text(text_of_six_parts()).value().front(), 2);
}

TEST(StoredText, OfWhichOnePartIsDamagedHasTheOthers) {
  const std::string& text = text_of_six_parts();
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
  const std::string& text = text_of_six_parts();
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

class LongText : public CatalogTest {
 protected:
  LongText() : collection_(must(catalog_->create("c", std::string(kDefaultScheme)))) {}

  [[nodiscard]] std::optional<std::string> kept(const std::string& id) const {
    const std::unique_ptr<Snapshot> snapshot = must(collection_->snapshot());
    const auto words = must(snapshot->kept_words(id));
    return words ? std::optional(std::string(*words)) : std::nullopt;
  }
  /// Whether the kept words are those of the text.
  void expect_words(const std::string& id, const std::string& text) const {
    const auto bytes = kept(id);
    ASSERT_TRUE(bytes);
    const auto words = must(decode_kept_words(*bytes, text.size(), collection_->dictionary(), id));
    ASSERT_TRUE(words);
    EXPECT_TRUE(words->is_same(must(PackedWords::of(text, collection_->dictionary()))));
  }
  /// What verify finds after a change of the table of texts.
  std::vector<std::string> verify_after(
      const std::function<Result<void>(lmdb::WriteTxn&, const Tables&)>& change) {
    collection_ = nullptr;
    catalog_ = nullptr;
    {
      lmdb::Env env = must(lmdb::Env::open(data_ / "collections" / "c" / "gen-1", table_specs(), {}, false));
      const Tables tables = tables_of(env);
      must(env.write([&](lmdb::WriteTxn& txn) { return change(txn, tables); }));
    }
    reopen();
    collection_ = must(catalog_->get("c"));
    return verify(*collection_);
  }

  std::shared_ptr<Collection> collection_;
};

TEST_F(LongText, IsKeptWithItsWords) {
  const std::string& text = text_of_six_parts();
  put(*collection_, "long", text);
  put(*collection_, "short", text_of("cats", 3));
  EXPECT_EQ(must(must(collection_->snapshot())->text("long")), text);
  expect_words("long", text);
  EXPECT_FALSE(kept("short"));
  EXPECT_THAT(verify(*collection_), IsEmpty());
  EXPECT_EQ(must(collection_->verify_deep({}, {})), 0U);
}

TEST_F(LongText, IsKeptWithItsWordsWhenItsFeaturesAreGiven) {
  const std::string& text = text_of_six_parts();
  const FeatureSequence features = must(collection_->analyze_tiers(text));
  must(collection_->write({{{.document = {.id = "long", .text = text}, .features = &features}}},
                          WriteMode::all));
  expect_words("long", text);
}

TEST_F(LongText, TakesItsWordsWithIt) {
  put(*collection_, "long", text_of_six_parts());
  const std::string other = "Иначе. " + long_text(std::size_t{4} << 20U);
  put(*collection_, "long", other);
  expect_words("long", other);
  put(*collection_, "long", "Short.");
  EXPECT_FALSE(kept("long"));
  put(*collection_, "long", other);
  must(collection_->remove({"long"}));
  EXPECT_THAT(verify(*collection_), IsEmpty()) << "no words without a document";
}

TEST_F(LongText, HasTheWordsOfTheDictionaryThatItIsReindexedWith) {
  const std::string& text = text_of_six_parts();
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

TEST_F(LongText, IsAlignedAsIfItWereReadWhole) {
  const std::string& text = text_of_six_parts();
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

TEST_F(LongText, InAnIndexOfAnEarlierFormatIsOneFrameWithoutWords) {
  const auto findings = verify_after([](lmdb::WriteTxn& txn, const Tables& tables) {
    std::string stamp(format::kMagic);
    append_u32(stamp, format::kFirstWithParts - 1);
    return txn.put(tables.meta, format::kFormatEntry, stamp);
  });
  EXPECT_THAT(findings, IsEmpty());
  const std::string& text = text_of_six_parts();
  put(*collection_, "long", text);
  EXPECT_EQ(must(must(collection_->snapshot())->text("long")), text);
  EXPECT_FALSE(kept("long"));
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
                AKIN_TRY(const auto stored, txn.get(tables.texts, document_key(DocNumber{0})));
                EXPECT_NE(stored->front(), 2);
                return {};
              }),
              IsEmpty());
  must(catalog_->reindex("c", "", {}));
  collection_ = must(catalog_->get("c"));
  expect_words("long", text);
}

TEST_F(LongText, WhoseWordsAreDamagedIsFoundByVerify) {
  put(*collection_, "long", text_of_six_parts());
  const std::string words = *kept("long");
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) {
                return txn.put(tables.texts, words_key(DocNumber{0}), words.substr(0, words.size() - 1));
              }),
              Contains(HasSubstr("the words that are kept of its text cannot be decoded")));
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
                AKIN_CHECK(txn.put(tables.texts, words_key(DocNumber{0}), words));
                return txn.put(tables.texts, words_key(DocNumber{7}), words);
              }),
              Contains(HasSubstr("there is a list of words without a record")));
}

TEST_F(LongText, WhoseWordsAreThoseOfAnotherIsFoundByDeepVerify) {
  put(*collection_, "a", text_of_six_parts());
  put(*collection_, "b", text_of_six_parts().substr(text_of_six_parts().find('\n') + 1));
  const std::string other = *kept("b");
  EXPECT_THAT(verify_after([&](lmdb::WriteTxn& txn, const Tables& tables) {
                return txn.put(tables.texts, words_key(DocNumber{0}), other);
              }),
              ElementsAre("document 'a': its text has other words than those that are kept"));
}

}  // namespace
}  // namespace akin::test
