// The scheme synonyms(of=SCHEME): words that the dictionary counts as one.
#include "morph/schemes/joined_synonyms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/dict/tiny_pair.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

using testing::HasSubstr;

constexpr std::string_view kAff = "SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n";
constexpr std::string_view kDic = "house/S\nhome/S\ncottage/S\nstand/S\ncat/S\nhere\n";

class JoinedSynonyms : public testing::Test {
 protected:
  JoinedSynonyms() {
    DictionaryConfig config = files_.config({files_.write("en", kAff, kDic)});
    without_ = test::TinyDictionaries::open(config);
    config.synonyms = {files_.write_file("own.txt", "house home cottage\n").string()};
    with_ = test::TinyDictionaries::open(config);
  }

  static FeatureSequence features(std::string_view text, const Dictionary& dictionary,
                                  std::string_view scheme) {
    return test::must(extract_features(text, dictionary, *test::must(make_scheme(scheme))));
  }

  test::TinyDictionaries files_;
  std::shared_ptr<const Dictionary> without_, with_;
};

constexpr std::string_view kText = "Here stands a house. The cats stand. Houses and a home.";
constexpr std::string_view kEdited = "Here stands a cottage. The cats stand. Homes and a house.";
const std::vector<std::string> kJoinable = {"sentence-pairs", "sentences", "shingles(w=2)",
                                            "shingles(w=3,order=sorted,stop=en,sample=mod:2,count=set)",
                                            "shingles(w=2,sample=min:4)"};

TEST_F(JoinedSynonyms, NamesAreCanonicalAndAcceptedBack) {
  const std::string shingles = "shingles(w=2,unit=lemma,order=kept,stop=kept,sample=all,count=multiset)";
  const struct {
    std::string spec, name;
  } rows[] = {{"synonyms", "synonyms(of=sentence-pairs)"},
              {"synonyms(of=sentences)", "synonyms(of=sentences)"},
              {"synonyms(of=shingles(w=2))", "synonyms(of=" + shingles + ")"},
              {"minhash(k=4,of=synonyms(of=shingles(w=2)))",
               "minhash(k=4,minima=bins,of=synonyms(of=" + shingles + "))"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_value()) << scheme.error().message();
    EXPECT_EQ((*scheme)->name(), row.name);
    EXPECT_EQ((*make_scheme(row.name))->name(), row.name);
    EXPECT_TRUE((*scheme)->joins_synonyms());
  }
}

TEST_F(JoinedSynonyms, OfWhatHasNoClassesAreRefusedWithTheReason) {
  const struct {
    std::string_view spec, reason;
  } rows[] = {{"synonyms(of=paper-2009)", "not made of the words' classes"},
              {"synonyms(of=shingles(unit=word))", "not made of the words' classes"},
              {"synonyms(of=shingles(unit=letter))", "not made of the words' classes"},
              {"synonyms(of=minhash)", "supershingles(of=synonyms(of=shingles))"},
              {"synonyms(of=synonyms)", "joins synonyms itself"},
              {"synonyms(of=nothing)", "no such scheme"},
              {"synonyms(w=5)", "the parameters are of"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_error()) << row.spec;
    EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
    EXPECT_THAT(scheme.error().reason, HasSubstr(row.reason));
  }
}

TEST_F(JoinedSynonyms, LeaveFeaturesAsTheyAreWhereAWordIsExchangedForItsSynonym) {
  for (const std::string& scheme : kJoinable) {
    const auto original = features(kText, *with_, scheme);
    EXPECT_NE(features(kEdited, *with_, scheme).hashes, original.hashes) << scheme;
    const std::string joining = std::string("synonyms(of=").append(scheme).append(")");
    const auto joined = features(kText, *with_, joining);
    EXPECT_EQ(features(kEdited, *with_, joining).hashes, joined.hashes) << scheme;
    EXPECT_EQ(joined.words, original.words);
    EXPECT_FALSE(joined.hashes.empty());
  }
}

TEST_F(JoinedSynonyms, ChangeNothingWhereNoWordHasOne) {
  const std::string_view text = "Here stand the cats. A cat stands here.";
  for (const std::string& scheme : kJoinable) {
    const auto plain = features(text, *with_, scheme);
    const auto joined = features(text, *with_, std::string("synonyms(of=").append(scheme).append(")"));
    EXPECT_EQ(joined.hashes, plain.hashes) << scheme;
    EXPECT_EQ(joined.ranges.size(), plain.ranges.size());
    for (std::size_t i = 0; i < plain.ranges.size(); ++i) {
      EXPECT_EQ(joined.ranges[i].begin, plain.ranges[i].begin);
      EXPECT_EQ(joined.ranges[i].end, plain.ranges[i].end);
    }
  }
}

TEST_F(JoinedSynonyms, TouchNoOtherScheme) {
  for (const std::string scheme : {"sentence-pairs", "sentences", "paper-2009", "shingles", "minhash(k=8)"}) {
    EXPECT_EQ(features(kText, *with_, scheme).hashes, features(kText, *without_, scheme).hashes) << scheme;
    EXPECT_EQ(*features_fingerprint(**make_scheme(scheme), *with_), without_->fingerprint());
  }
}

TEST_F(JoinedSynonyms, NeedADictionaryThatHasThem) {
  for (const std::string_view spec : {"synonyms", "minhash(of=synonyms(of=shingles))"}) {
    const auto scheme = *make_scheme(spec);
    EXPECT_EQ(*features_fingerprint(*scheme, *with_), with_->synonym_fingerprint());
    const auto refused = extract_features(kText, *without_, *scheme);
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::unsupported);
    EXPECT_THAT(refused.error().reason, HasSubstr("none are configured"));
    EXPECT_THAT(refused.error().remedy, HasSubstr("--synonyms ru"));
  }
}

TEST_F(JoinedSynonyms, TellTheHashThatAWordAddsUp) {
  struct Sums : SentenceSink {
    void on_sentence(const Sentence& sentence) override {
      for (const Word& word : sentence.words) sum += scheme->word_hash(word, *dictionary);
    }
    const Scheme* scheme = nullptr;
    const Dictionary* dictionary = nullptr;
    std::uint64_t sum = 0;
  } sums;
  const auto scheme = *make_scheme("synonyms(of=sentences)");
  sums.scheme = scheme.get();
  sums.dictionary = with_.get();
  ASSERT_TRUE(scan_text("Here stands a cottage.", *with_, sums));
  EXPECT_EQ(features("Here stands a home.", *with_, "synonyms(of=sentences)").hashes.front(),
            Feature{sums.sum});
}

}  // namespace
}  // namespace akin
