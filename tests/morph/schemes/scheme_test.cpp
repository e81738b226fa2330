#include "morph/schemes/scheme.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "morph/schemes/windows_1251.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

const Dictionary& scheme_words() {
  static const auto dictionary = tiny_dictionary("дом/дома дом/дому домой/дому ток сток");
  return *dictionary;
}

FeatureSequence features(std::string_view text, std::string_view scheme) {
  return test::must(extract_features(text, scheme_words(), *test::must(make_scheme(scheme))));
}

WordClass word_class(std::string_view word) {
  WordFolder folder;
  return scheme_words().classify(folder.fold(word));
}

std::uint64_t wh(std::string_view word) { return word_class(word).hash; }

TEST(Scheme, NamesAreCanonicalAndAcceptedBack) {
  const struct {
    std::string_view spec, name;
  } rows[] = {
      {"sentence-pairs", "sentence-pairs"},
      {"sentences", "sentences"},
      {"paper-2009", "paper-2009(ids=plain)"},
      {"paper-2009(ids=plain)", "paper-2009(ids=plain)"},
      {"paper-2009(ids=squared)", "paper-2009(ids=squared)"},
      {kComparisonScheme, "sentence-pairs"},
      {"library",
       "tiers(pairs=sentence-pairs,passages=winnow(k=4,t=10,unit=lemma,order=any,shape=101011,stop=last))"},
      {"paper", "tiers(pairs=sentence-pairs,passages=winnow(k=4,t=8,unit=lemma,order=any,stop=last))"},
      {"news", "tiers(pairs=sentence-pairs,passages=winnow(k=6,t=18,unit=lemma,order=any,stop=last))"},
      {kDefaultScheme,
       "tiers(pairs=sentence-pairs,passages=winnow(k=4,t=10,unit=lemma,order=any,shape=101011,stop=last))"}};
  for (const auto& row : rows) {
    const auto scheme = make_scheme(row.spec);
    ASSERT_TRUE(scheme.has_value()) << row.spec;
    EXPECT_EQ((*scheme)->name(), row.name);
    EXPECT_TRUE(make_scheme((*scheme)->name()).has_value());
  }
}

TEST(Scheme, UnknownNamesAreRefusedWithTheKnownOnes) {
  for (const std::string_view spec : {"", "sentence", "papers", "Sentences", "sentences "}) {
    const auto scheme = make_scheme(spec);
    ASSERT_TRUE(scheme.has_error()) << spec;
    EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
    for (const std::string_view known : {"sentence-pairs", "sentences", "paper-2009(ids=plain)",
                                         "paper-2009(ids=squared)", "shingles(w=5"}) {
      EXPECT_NE(scheme.error().remedy.find(known), std::string::npos);
    }
  }
}

TEST(Scheme, UnknownParametersAreRefusedWithTheKnownOnes) {
  const auto scheme = make_scheme("paper-2009(ids=cubed)");
  ASSERT_TRUE(scheme.has_error());
  EXPECT_EQ(scheme.error().code, Errc::invalid_argument);
  EXPECT_NE(scheme.error().reason.find("plain, squared"), std::string::npos);
}

TEST(Scheme, FeaturesOfZeroOneTwoAndThreeSentences) {
  const std::string_view text = "Дом стоит.  Ток идет! Дома нет?";
  const std::uint64_t a = wh("дом") + wh("стоит");
  const std::uint64_t b = wh("ток") + wh("идет");
  const std::uint64_t c = wh("дома") + wh("нет");
  using Features = std::vector<Feature>;
  using Ranges = std::vector<TextRange>;
  for (const std::string_view scheme : {"sentence-pairs", "sentences", "paper-2009"}) {
    EXPECT_TRUE(features("", scheme).hashes.empty());
    EXPECT_TRUE(features(" — …\n\n", scheme).hashes.empty());
  }
  EXPECT_EQ(features("Дом стоит.", "sentence-pairs").hashes, Features{Feature{a}});
  EXPECT_EQ(features(" Дом стоит.", "sentence-pairs").ranges, (Ranges{{1, 11}}));
  EXPECT_EQ(features(text, "sentence-pairs").hashes, (Features{Feature{a + b}, Feature{b + c}, Feature{c}}));
  EXPECT_EQ(features(text, "sentence-pairs").ranges, (Ranges{{0, 21}, {12, 31}, {22, 31}}));
  EXPECT_EQ(features(text, "sentences").hashes, (Features{Feature{a}, Feature{b}, Feature{c}}));
  EXPECT_EQ(features(text, "sentences").ranges, (Ranges{{0, 10}, {12, 21}, {22, 31}}));
}

TEST(Scheme, CountsComeFromTheScan) {
  const FeatureSequence all = features("Дом cтоит. Нет!", "sentences");
  EXPECT_EQ(all.sentences, 2U);
  EXPECT_EQ(all.words, 3U);
  EXPECT_EQ(all.code_points, 15U);
  EXPECT_EQ(all.alert_counts[AlertKind::mixed_script], 1U);
  ASSERT_EQ(all.alerts.size(), 1U);
  EXPECT_EQ(all.alerts[0].kind, AlertKind::mixed_script);
}

std::uint32_t paper_wh(std::string_view word, bool squared) {
  std::uint32_t sum = 0;
  const WordClass found = word_class(word);
  if (found.form != WordClass::kNoForm) {
    for (const std::uint32_t id : scheme_words().lemma_ids(found.form)) sum += squared ? id * id : id;
    return sum;
  }
  for (const char32_t c : to_utf32(word)) {
    const std::uint32_t code = windows_1251(c);
    sum += code * code * code * code;
  }
  return sum;
}

TEST(Paper2009, SumsAllBaseFormsIdsOrTheirSquares) {
  ASSERT_EQ(scheme_words().lemma_ids(word_class("дому").form).size(), 2U);
  for (const bool squared : {false, true}) {
    const FeatureSequence got =
        features("Дому! Ток.", squared ? "paper-2009(ids=squared)" : "paper-2009(ids=plain)");
    const std::uint32_t a = paper_wh("дому", squared);
    const std::uint32_t b = paper_wh("ток", squared);
    EXPECT_EQ(got.hashes, (std::vector<Feature>{Feature{a + b}, Feature{b}}));
  }
}

TEST(Paper2009, UnknownWordsSumFourthPowersOfTheirCodesModulo2To32) {
  // я is 255 in windows-1251, the word's other letters 0xf9 and 0x62; α is not in the page.
  const auto fourth = [](std::uint32_t n) { return n * n * n * n; };
  EXPECT_EQ(features("Яяя", "paper-2009").hashes, std::vector<Feature>{Feature{3 * fourth(255)}});
  EXPECT_EQ(features("щ", "paper-2009").hashes, std::vector<Feature>{Feature{fourth(0xf9)}});
  EXPECT_EQ(features("B", "paper-2009").hashes, std::vector<Feature>{Feature{fourth(0x62)}});
  EXPECT_EQ(features("α", "paper-2009").hashes, std::vector<Feature>{Feature{fourth('?')}});
}

TEST(Paper2009, SumsWrapAroundIn32BitsAndAreZeroExtended) {
  const std::string sentence = "яяяяяяяя яяяяяяяя! ";
  for (const Feature feature : features(sentence + sentence, "paper-2009").hashes) {
    EXPECT_LT(static_cast<std::uint64_t>(feature), std::uint64_t{1} << 32U);
  }
  const std::uint32_t one = 16 * (255U * 255U * 255U * 255U);
  EXPECT_EQ(features(sentence + sentence, "paper-2009").hashes,
            (std::vector<Feature>{Feature{one + one}, Feature{one}}));
}

}  // namespace
}  // namespace akin
