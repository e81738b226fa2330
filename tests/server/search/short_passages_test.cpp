// Searches for passages under twelve words, beside a comparison of all runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/search/run_search.h"
#include "server/search/search_plan.h"
#include "tests/server/api/service_fixture.h"

namespace akin::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Words = std::vector<unsigned>;

std::string text_of(const Words& words) {
  std::string text;
  for (const unsigned word : words) text += "word" + std::to_string(word) + " ";
  return text;
}

bool share_run(const Words& a, const Words& b, std::size_t words) {
  for (std::size_t i = 0; i + words <= a.size(); ++i) {
    const auto run = a.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::search(b.begin(), b.end(), run, run + static_cast<std::ptrdiff_t>(words)) != b.end())
      return true;
  }
  return false;
}

class ShortPassages : public ::testing::Test {
 protected:
  std::shared_ptr<Collection> make(const std::string& scheme) {
    EXPECT_TRUE(service_.catalog->create("c", scheme).has_value());
    return service_.catalog->get("c").value();
  }

  static SearchResult search(const Collection& collection, std::string_view text,
                             std::optional<std::uint64_t> min_words = {}) {
    Question question;
    question.text = text;
    question.limit = 1'000;
    question.min_words = min_words;
    auto found = api::search(collection, question);
    EXPECT_TRUE(found.has_value()) << found.error().reason;
    return std::move(found->result);
  }

  /// More documents than may have common text, with a number for each # in their text.
  static void put_numbered(Collection& collection, const std::string& text) {
    std::vector<std::string> texts;
    for (int i = 0; i < 1'100; ++i) {
      texts.emplace_back();
      for (const char c : text) texts.back() += c == '#' ? std::to_string(i) : std::string(1, c);
    }
    std::vector<SourceChange> changes;
    changes.reserve(texts.size());
    for (const std::string& one : texts) changes.push_back({.document = {one, "", "", one}});
    ASSERT_TRUE(collection.write(changes, WriteMode::all).has_value());
  }

  static std::vector<std::string> ids(const SearchResult& result) {
    std::vector<std::string> ids;
    ids.reserve(result.hits.size());
    for (const Hit& hit : result.hits) ids.push_back(hit.document.id);
    return ids;
  }

  test::TemporaryFolder folder_;
  api::Service service_ = test::open_service(folder_.path());
};

class EveryRun : public ShortPassages, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Schemes, EveryRun, ::testing::Values("library", "quotations", "paper"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(EveryRun, OfFourWordsIsFound) {
  const auto collection = make(GetParam());
  std::mt19937 random(5);
  std::vector<Words> documents(80);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    documents[i].resize(20 + random() % 200);
    for (unsigned& word : documents[i]) word = static_cast<unsigned>(random() % 14);
    ASSERT_TRUE(collection->put({std::to_string(i), "", "", text_of(documents[i])}).has_value());
  }
  std::size_t all = 0;
  for (int round = 0; round < 200; ++round) {
    Words query(14);
    std::iota(query.begin(), query.end(), 0U);
    std::ranges::shuffle(query, random);
    const bool is_short = round % 2 == 0;
    query.resize(is_short ? 4 + random() % 8 : 12 + random() % 3);
    const std::uint64_t least = is_short ? 4 : 4 + random() % 3;
    const SearchResult found =
        search(*collection, text_of(query), is_short ? std::nullopt : std::optional(least));
    std::set<std::string> expected;
    for (std::size_t i = 0; i < documents.size(); ++i)
      if (share_run(query, documents[i], least)) expected.insert(std::to_string(i));
    all += expected.size();
    for (const Hit& hit : found.hits) {
      // In a longer text, twelve scattered words are a passage too.
      EXPECT_TRUE(hit.words->a >= 12 || expected.contains(hit.document.id)) << round;
      expected.erase(hit.document.id);
    }
    EXPECT_THAT(expected, IsEmpty()) << round;
  }
  EXPECT_GT(all, 100U);
}

TEST_F(ShortPassages, TheRarestRunComesFirstAndOfEqualOnesTheLongest) {
  const auto collection = make("quotations");
  for (const char* id : {"a", "b", "c"})
    ASSERT_TRUE(collection->put({id, "", "", "and then there was once upon a time a king"}).has_value());
  ASSERT_TRUE(collection->put({"rare", "", "", "the lonely grey heron stood there"}).has_value());
  ASSERT_TRUE(collection->put({"longer", "", "", "why it rained on friday evening"}).has_value());
  const SearchResult found =
      search(*collection, "once upon a time the lonely grey heron rained on friday evening");
  EXPECT_THAT(ids(found).size(), 0U);  // 12 words: passages of 12 words are looked for
  EXPECT_THAT(ids(search(*collection, "once upon a time the lonely grey heron stood")),
              ElementsAre("rare", "a", "b", "c"));
  EXPECT_THAT(ids(search(*collection, "the lonely grey heron it rained on friday evening")),
              ElementsAre("longer", "rare"));
}

TEST_F(ShortPassages, OfARunThatManyDocumentsHaveTheBestAreListed) {
  const auto collection = make("");
  put_numbered(*collection, "of tale # once upon a time there was nothing");
  ASSERT_TRUE(collection->put({"rare", "", "", "the lonely grey heron stood there"}).has_value());
  const SearchResult found = search(*collection, "once upon a time the lonely grey heron");
  EXPECT_EQ(ids(found).front(), "rare");
  EXPECT_FALSE(found.counted);
  EXPECT_EQ(found.common->words, 4U);
  EXPECT_EQ(found.common->documents, 1'101U);
  EXPECT_TRUE(found.common->listed);
}

TEST_F(ShortPassages, SeedsThatManyDocumentsShareHideNoRun) {
  const auto collection = make("");
  put_numbered(*collection, "lonely x# grey x# stood there");  // a seed has two gaps
  ASSERT_TRUE(collection->put({"run", "", "", "the lonely old grey heron stood there"}).has_value());
  const SearchResult found = search(*collection, "lonely old grey heron stood there");
  EXPECT_THAT(ids(found), ElementsAre("run"));
  EXPECT_TRUE(found.counted);
  EXPECT_FALSE(found.common.has_value());
}

TEST_F(ShortPassages, OfALongerTextThatAsksForThemSeedsDecide) {
  const auto collection = make("");
  ASSERT_TRUE(collection->put({"a", "", "", "the lonely grey heron stood there"}).has_value());
  Question question;
  question.min_words = 4;
  for (const int sentences : {30, 200}) {
    const std::string text = test::sentences(1, sentences) + "See the lonely grey heron.";
    question.text = text;
    auto found = api::search(*collection, question);
    ASSERT_TRUE(found.has_value());
    const bool is_short = found->plan.aligner->words() <= kMostRunWords;
    EXPECT_EQ(is_short, sentences == 30);
    EXPECT_EQ(found->result.total, is_short ? 1U : 0U);
    EXPECT_EQ(not_found_hint(found->plan, found->result).empty(), is_short);
  }
}

TEST_F(ShortPassages, TheHintNamesThoseThatAreNotLookedForInALargeCollection) {
  const auto collection = make("");
  Question question;
  question.text = "the lonely grey heron stood there";
  auto found = api::search(*collection, question);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(not_found_hint(found->plan, found->result), "");
  found->result.by_seeds_alone = true;
  EXPECT_EQ(
      not_found_hint(found->plan, found->result),
      "exact runs of 4 to 9 words may be missed in a collection so large: the preset quotations finds them");
}

TEST_F(ShortPassages, AStoredSentenceOfSevenWordsFindsItsText) {
  const auto collection = make("");
  ASSERT_TRUE(
      collection
          ->put({"tale", "", "",
                 "A hungry fox walked along. Nobody saw where the old crow flew. It had found some cheese."})
          .has_value());
  const SearchResult found = search(*collection, "Nobody saw where the old crow flew.");
  EXPECT_THAT(ids(found), ElementsAre("tale"));
  EXPECT_GT(found.hits.front().overlap.b_features, 0U);
}

TEST_F(ShortPassages, LongerPassagesAreAskedForByTheirWordsWhateverTheirShare) {
  const auto collection = make("");
  const std::string passage = test::sentences(1, 3);
  // In three works the passage is common.
  for (const int work : {1, 2, 3}) {
    const std::string own = test::sentences(10'000 * work, 3'000);
    ASSERT_TRUE(collection->put({"host" + std::to_string(work), "", "", own + passage}).has_value());
  }
  const std::string text = test::sentences(90'000, 3'000) + passage;
  EXPECT_THAT(ids(search(*collection, text)), IsEmpty());
  EXPECT_THAT(ids(search(*collection, text, 12)), UnorderedElementsAre("host1", "host2", "host3"));
  EXPECT_THAT(ids(search(*collection, text, 1'000)), IsEmpty());
}

TEST_F(ShortPassages, TheFewestWordsAreFourToAThousand) {
  const auto collection = make("");
  for (const std::uint64_t words : {3U, 1'001U}) {
    Question question;
    question.text = "any text";
    question.min_words = words;
    EXPECT_EQ(api::search(*collection, question).error().code, Errc::invalid_argument);
  }
}

TEST_F(ShortPassages, WithABoundNothingIsAligned) {
  Question question;
  question.text = "any text";
  question.bound = 0;
  question.min_words = 12;
  EXPECT_THAT(api::search(*make(""), question).error().reason, HasSubstr("aligns no texts"));
}

}  // namespace
}  // namespace akin::api
