#include "morph/schemes/tiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/morph/tiny_dictionary.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Dictionary& tier_words() {
  static const auto dictionary = tiny_dictionary("дом кот");
  return *dictionary;
}

std::shared_ptr<const Scheme> scheme(std::string_view spec) { return test::must(make_scheme(spec)); }

FeatureSequence features(std::string_view text, const Scheme& of) {
  return test::must(extract_features(text, tier_words(), of));
}

constexpr std::string_view kTiers = "tiers(pairs=sentence-pairs,single=sentences)";
constexpr std::string_view kTwoSentences = "Дом стоит. Кот спит. Дом стоит.";

TEST(TierScheme, NamesAreAcceptedBack) {
  for (const std::string& spec : {std::string(kTiers), std::string("tier(number=2,of=sentences)")}) {
    EXPECT_EQ(scheme(spec)->name(), spec);
  }
  EXPECT_EQ(scheme(kTiers)->verifying_scheme().name(), "tier(number=1,of=sentence-pairs)");
  EXPECT_FALSE(scheme(kTiers)->generates_candidates());
}

TEST(TierScheme, ATextHasTheFeaturesOfEachTierOneBehindTheOther) {
  const auto all = scheme(kTiers);
  const FeatureSequence together = features(kTwoSentences, *all);
  EXPECT_THAT(together.tier_sizes, ElementsAre(3U, 3U));
  EXPECT_TRUE(are_in_tiers(together.hashes, together.tier_sizes));
  std::vector<Feature> expected;
  for (const Tier& tier : all->tiers()) {
    const FeatureSequence own = features(kTwoSentences, *tier.scheme);
    expected.insert(expected.end(), own.hashes.begin(), own.hashes.end());
  }
  EXPECT_EQ(together.hashes, expected);
  EXPECT_EQ(together.ranges.size(), expected.size());
}

TEST(TierScheme, FeaturesAreEqualExactlyWhereTheSchemesOwnAre) {
  const FeatureSequence plain = features(kTwoSentences, *scheme("sentences"));
  const FeatureSequence tier = features(kTwoSentences, *scheme("tier(number=2,of=sentences)"));
  ASSERT_EQ(plain.hashes.size(), tier.hashes.size());
  for (std::size_t a = 0; a < plain.hashes.size(); ++a) {
    EXPECT_EQ(tier_of(tier.hashes[a]), 1U);
    for (std::size_t b = 0; b < plain.hashes.size(); ++b) {
      EXPECT_EQ(plain.hashes[a] == plain.hashes[b], tier.hashes[a] == tier.hashes[b]);
    }
  }
  EXPECT_EQ(tier.hashes[0], in_tier(plain.hashes[0], 1));
}

TEST(TierScheme, SeedsHaveTheLeadingBitsOfTheirHashAlone) {
  const FeatureSequence plain = features(kTwoSentences, *scheme("winnow(k=2,t=2)"));
  const FeatureSequence tier = features(kTwoSentences, *scheme("tier(number=2,of=winnow(k=2,t=2))"));
  ASSERT_EQ(plain.hashes.size(), tier.hashes.size());
  for (std::size_t at = 0; at < tier.hashes.size(); ++at) {
    EXPECT_EQ(tier.hashes[at], in_tier(plain.hashes[at], 1, kSeedBits));
    EXPECT_LT(static_cast<std::uint64_t>(tier.hashes[at]) - static_cast<std::uint64_t>(first_of_tier(1)),
              std::uint64_t{1} << kSeedBits);
  }
}

TEST(TierScheme, OneTierMayJoinSynonyms) {
  EXPECT_TRUE(scheme("tiers(a=sentences,b=synonyms(of=sentences))")->joins_synonyms());
  EXPECT_FALSE(scheme(kTiers)->joins_synonyms());
  EXPECT_TRUE(make_scheme("synonyms(of=" + std::string(kTiers) + ")").has_error());
}

TEST(TierScheme, SizesThatDoNotFitTheFeaturesAreSeen) {
  const FeatureSequence both = features(kTwoSentences, *scheme(kTiers));
  for (const std::vector<std::uint64_t>& sizes :
       {std::vector<std::uint64_t>{2, 4}, {3, 2}, {3, 4}, {6}, {~std::uint64_t{0}, 7}}) {
    EXPECT_FALSE(are_in_tiers(both.hashes, sizes));
  }
}

TEST(TierScheme, WrongSpecificationsSayWhatIsWrong) {
  const struct {
    std::string_view spec, reason;
  } rows[] = {
      {"tiers", "2 to 4 tiers"},
      {"tiers(a=sentences)", "2 to 4 tiers"},
      {"tiers(a=sentences,b=sentences,c=sentences,d=sentences,e=sentences)", "2 to 4 tiers"},
      {"tiers(A=sentences,b=sentences)", "a tier's name is a letter"},
      {"tiers(all=sentences,b=sentences)", "not 'all'"},
      {"tiers(a=sentences,a=sentences)", "more than once"},
      {"tiers(a=sentences,b=minhash)", "only generates candidates"},
      {"tiers(a=sentences,b=tiers(c=sentences,d=sentences))", "made of tiers itself"},
      {"tiers(a=sentences,b=tier(number=1,of=sentences))", "made of tiers itself"},
      {"tiers(a=sentences,b=nothing)", "there is no such scheme"},
      {"tier(number=5,of=sentences)", "from 1 to 4"},
      {"supershingles(of=tiers(a=sentences,b=sentences))", "tiers"},
  };
  for (const auto& row : rows) {
    const auto made = make_scheme(row.spec);
    ASSERT_TRUE(made.has_error()) << row.spec;
    EXPECT_THAT(made.error().message(), HasSubstr(std::string(row.reason))) << row.spec;
  }
}

TEST(TierScheme, TiersAreFoundByTheirNames) {
  const auto all = scheme(kTiers);
  EXPECT_EQ(*find_tier(*all, "single"), 1U);
  EXPECT_THAT(find_tier(*all, "none").error().remedy, HasSubstr("pairs, single"));
  EXPECT_THAT(find_tier(*scheme("sentences"), "pairs").error().reason, HasSubstr("has no tiers"));
}

}  // namespace
}  // namespace akin
