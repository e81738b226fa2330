// What an answer says when nothing was found must be true for the question that was asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;
using testing::Not;

class Hint : public ServiceTest {
 protected:
  void make(const std::string& scheme, std::string_view text) {
    expect(201, "PUT", "/v1/collections/books", kJson, Json{{"scheme", scheme}}.dump());
    expect(201, "PUT", "/v1/collections/books/documents/stored", kJson,
           Json{{"text", text}, {"metadata", {{"year", "1860"}}}}.dump());
  }

  /// The hint of a search that finds nothing; empty if there is none.
  std::string hint(std::string_view text, const std::string& parameters) {
    const Json answer = expect(200, "POST", "/v1/collections/books/similar?" + parameters, kText, text);
    EXPECT_EQ(answer["total"], 0);
    return answer.value("hint", "");
  }
};

TEST_F(Hint, NamesTheShareIfOneWasAsked) {
  make("sentence-pairs", sentences(1, 12));
  const std::string half = sentences(1, 12) + sentences(100, 20);
  EXPECT_EQ(hint(half, "min_containment=0.7"),
            "no document shares more than 3 features and at least 0.7 of all features: a lower share or "
            "bound finds those that share less");
  EXPECT_EQ(hint(half, "bound=0&min_containment=0.7"),
            "no document shares at least 0.7 of all features: a lower share finds those that share less");
}

TEST_F(Hint, NamesTheFilterThatLeavesDocumentsOut) {
  make("sentence-pairs", sentences(1, 12));
  EXPECT_THAT(hint(sentences(1, 12), "bound=3&filter=year%20%3D%20%221900%22"),
              HasSubstr("no document that the filter accepts shares more than 3 features:"));
}

TEST_F(Hint, CountsTheFeaturesThatALimitKeeps) {
  make("sentence-pairs", sentences(1, 12));
  expect(201, "PUT", "/v1/collections/books/documents/twin", kText, sentences(1, 12));
  EXPECT_THAT(hint(sentences(1, 12) + sentences(100, 20), "bound=3&common_limit=1"),
              HasSubstr("shares more than 3 features that at most 1 document has:"));
}

TEST_F(Hint, SpeaksOfCandidatesWhereOnlyThoseAreCompared) {
  make("supershingles(groups=2,size=30)", sentences(1, 12));
  EXPECT_THAT(hint(sentences(6, 30), "bound=3"), HasSubstr("no candidate shares more than 3 features"));
}

TEST_F(Hint, DoesNotDenyTheWordsOfATextWithoutFeatures) {
  make("shingles(w=3,unit=word,sample=mod:1000000)", sentences(1, 12));
  EXPECT_THAT(hint("three short words", "bound=0"), HasSubstr("too short for a sample"));
  EXPECT_THAT(hint("three short words", "bound=0"), Not(HasSubstr("no words")));
  EXPECT_EQ(hint("?! …", "bound=0"), "the text has no words, so it shares none");
}

TEST_F(Hint, DoesNotSayThatAllWasLeftOutIfATierKeepsFeatures) {
  make("tiers(pairs=sentence-pairs,words=shingles(w=2,unit=word))", sentences(1, 12));
  expect(201, "PUT", "/v1/collections/books/documents/twin", kText, sentences(1, 12));
  // The words of a sentence in another order: all pairs of sentences are common, and not all pairs of words.
  const std::string moved = "Betan1 alphan1 gamman1 deltan1 epsilonn1 zeta. " + sentences(2, 11);
  EXPECT_EQ(hint(moved, "tiers=all&bound=60&common_limit=1"), "");
}

}  // namespace
}  // namespace akin::test
