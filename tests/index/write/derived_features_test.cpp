#include "index/write/derived_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/codec/encoding.h"
#include "index/codec/sequence_codec.h"
#include "tests/index/write/derived_features_fixture.h"

namespace akin::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Those of a program that has learnt to count otherwise.
Result<FeatureSequence> other_words_of(std::string_view text) {
  Result<FeatureSequence> sequence = words_of(text);
  ++sequence->ranges.back().end;
  return sequence;
}

TEST_F(DerivedFeatures, AreThoseThatWereGiven) {
  put_text("a", worded("cat", 100));
  const FeatureSequence given = must(words_of(worded("cat", 100)));
  const FeatureSequence read = must(features("a"));
  EXPECT_EQ(read.hashes, given.hashes);
  EXPECT_EQ(read.ranges, given.ranges);
  EXPECT_EQ(read.words, 100U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(DerivedFeatures, AreNotStored) {
  put_text("a", worded("cat", 1000));
  open();
  const Error error = features("a").error();
  EXPECT_EQ(error.code, Errc::unsupported);
  EXPECT_THAT(error.remedy, HasSubstr("dictionaries"));
}

TEST_F(DerivedFeatures, OfFewWordsOrALongTextAreStored) {
  put_text("few", worded("cat", 7));
  put_text("long", worded("cat", 1000) + std::string(kMostDerivedText, 'x'));
  open();
  EXPECT_THAT(must(features("few")).hashes, SizeIs(7));
  EXPECT_THAT(must(features("long")).hashes, SizeIs(1000));
}

TEST_F(DerivedFeatures, OfDocumentsStoredBeforeAreRead) {
  open();
  put_text("before", worded("cat", 100));
  derive_by(words_of);
  put_text("after", worded("dog", 100));
  EXPECT_EQ(must(features("before")).hashes, must(words_of(worded("cat", 100))).hashes);
  EXPECT_EQ(must(features("after")).hashes, must(words_of(worded("dog", 100))).hashes);
  open();
  EXPECT_TRUE(features("before").has_value());
  EXPECT_TRUE(features("after").has_error());
}

TEST_F(DerivedFeatures, GiveTheEvidenceOfASearch) {
  put_text("a", worded("cat", 100));
  put_text("b", worded("dog", 100));
  const SearchResult result = must(search_for("other words " + worded("cat", 50)));
  ASSERT_THAT(result.hits, SizeIs(1));
  EXPECT_EQ(result.hits[0].overlap.x, 50U);
  ASSERT_THAT(result.hits[0].passages, SizeIs(1));
  EXPECT_EQ(result.hits[0].passages[0].b,
            (TextRange{0, static_cast<std::uint32_t>(worded("cat", 50).size())}));
}

TEST_F(DerivedFeatures, ThatAreNotThoseThatWereGivenAreDamage) {
  put_text("a", worded("cat", 100));
  reopen_deriving_by(other_words_of);
  for (const Error& error : {features("a").error(), search_for(worded("cat", 100)).error()}) {
    EXPECT_EQ(error.code, Errc::corrupt);
    EXPECT_THAT(error.reason, HasSubstr("the dictionary or akin differs"));
    EXPECT_THAT(error.remedy, HasSubstr("akin reindex"));
  }
}

TEST_F(DerivedFeatures, OfATextThatCannotBeAnalysedAreDamage) {
  put_text("a", worded("cat", 100));
  reopen_deriving_by([](std::string_view) -> Result<FeatureSequence> {
    return Error{Errc::invalid_utf8, "text", "it is not UTF-8", ""};
  });
  EXPECT_EQ(features("a").error().code, Errc::corrupt);
  EXPECT_THAT(features("a").error().reason, HasSubstr("it is not UTF-8"));
}

TEST_F(DerivedFeatures, LeaveNothingOfDocumentsThatAreReplacedOrRemoved) {
  for (const char* name : {"a", "b", "c"}) put_text(name, worded(name, 100));
  put_text("a", worded("new", 50));
  must(store_->remove({"b"}));
  EXPECT_THAT(verify(), IsEmpty());
  must(store_->flush_and_merge(true));
  EXPECT_EQ(stats().tombstones, 0U);
  EXPECT_EQ(stats().postings, 150U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST(DerivedSequence, ComesBackAsItWas) {
  const FeatureSequence sequence = must(words_of("one two two three"));
  const std::optional<StoredSequence> stored =
      decode_sequence(encode_derived(sequence, count_features(sequence.hashes)));
  ASSERT_TRUE(stored && stored->derived);
  EXPECT_EQ(stored->features(), 4U);
  EXPECT_EQ(stored->derived->digest, digest_of(sequence));
  EXPECT_EQ(stored->derived->postings.postings, 3U);
  EXPECT_THAT(stored->sequence.hashes, IsEmpty());
  EXPECT_EQ(stored->sequence.words, 4U);
  EXPECT_EQ(stored->sequence.code_points, 17U);
}

TEST(DerivedSequence, TruncatedAnywhereIsRefused) {
  const FeatureSequence sequence = must(words_of("one two two three"));
  const std::string bytes = encode_derived(sequence, count_features(sequence.hashes));
  const auto sealed = [](std::string body) {
    append_checksum(body);
    return body;
  };
  ASSERT_TRUE(decode_sequence(sealed(bytes.substr(0, bytes.size() - kChecksumBytes))));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode_sequence(bytes.substr(0, length))) << length;
    if (length < bytes.size() - kChecksumBytes) {
      EXPECT_FALSE(decode_sequence(sealed(bytes.substr(0, length)))) << length;
    }
  }
  EXPECT_FALSE(decode_sequence(sealed(bytes.substr(0, bytes.size() - kChecksumBytes) + '\0')));
}

TEST(DerivedSequence, DigestDependsOnEveryPart) {
  FeatureSequence sequence = must(words_of("one two"));
  sequence.alerts.push_back({});
  std::vector<std::uint64_t> digests = {digest_of(sequence)};
  const auto change = [&](const std::function<void(FeatureSequence&)>& by) {
    FeatureSequence changed = sequence;
    by(changed);
    digests.push_back(digest_of(changed));
  };
  change([](FeatureSequence& one) { std::swap(one.hashes[0], one.hashes[1]); });
  change([](FeatureSequence& one) { ++one.ranges[0].begin; });
  change([](FeatureSequence& one) { ++one.ranges[1].end; });
  change([](FeatureSequence& one) { one.alerts[0].kind = AlertKind::mixed_script; });
  change([](FeatureSequence& one) { one.alerts[0].range = {0, 1}; });
  change([](FeatureSequence& one) { one.alerts.clear(); });
  change([](FeatureSequence& one) { ++one.sentences; });
  change([](FeatureSequence& one) { ++one.words; });
  change([](FeatureSequence& one) { ++one.code_points; });
  std::ranges::sort(digests);
  EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end());
}

}  // namespace
}  // namespace akin::test
