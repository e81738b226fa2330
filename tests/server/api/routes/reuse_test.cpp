// The search for reuse: what a request without bounds finds in a collection of the default scheme, and what a
// check finds there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/gate/gates.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// A poem without full stops: sentence pairs see one sentence in it.
constexpr std::string_view kVerse =
    "the owl and the pussycat went to sea\nin a beautiful pea green boat\n"
    "they took some honey and plenty of money\nwrapped up in a five pound note";
constexpr std::string_view kQuoted =
    "they took some honey and plenty of money wrapped up in a five pound note";

class Reuse : public ServiceTest {
 protected:
  Reuse() {
    expect(201, "PUT", "/v1/collections/books");
    store("verse", kVerse);
    store("other", sentences(100, 12));
  }

  void store(const std::string& id, std::string_view text) {
    const api::Response answer = call("PUT", "/v1/collections/books/documents/" + id, kText, text);
    ASSERT_LT(answer.status, 300) << answer.body;
  }
  Json search(std::string_view text, const std::string& parameters = "") {
    return expect(200, "POST", "/v1/collections/books/similar" + parameters, kText, text);
  }
  static std::vector<std::string> ids(const Json& answer) {
    std::vector<std::string> found;
    for (const Json& result : answer["results"]) found.push_back(result["id"].get<std::string>());
    return found;
  }
  Json check(std::string_view text, Json policy = Json::object()) {
    const Json request = {{"collections", {"books"}}, {"text", text}, {"policy", std::move(policy)}};
    return expect(201, "POST", "/v1/checks", kJson, request.dump());
  }
};

TEST_F(Reuse, FindsAQuotationWithoutSentenceMarksByItsWords) {
  const std::string query = sentences(1, 4) + " " + std::string(kQuoted) + ". " + sentences(5, 4);
  const Json answer = search(query);
  EXPECT_THAT(ids(answer), ElementsAre("verse"));
  const Json& hit = answer["results"][0];
  EXPECT_EQ(hit["tier"], "passages");
  ASSERT_EQ(hit["passages"].size(), 1U);
  const auto begin = hit["passages"][0]["a"][0].get<std::size_t>();
  const auto end = hit["passages"][0]["a"][1].get<std::size_t>();
  EXPECT_EQ(query.substr(begin, end - begin), kQuoted);
  EXPECT_EQ(hit["passages"][0]["words"], 15);
  EXPECT_EQ(hit["words"]["a"], 15);
}

TEST_F(Reuse, ShowsXOverPairsOfEveryHit) {
  const Json answer = search(kQuoted);
  ASSERT_THAT(ids(answer), ElementsAre("verse"));
  const Json& tiers = answer["results"][0]["tiers"];
  EXPECT_EQ(tiers[0]["tier"], "pairs");
  EXPECT_EQ(tiers[0]["x"], 0);
  EXPECT_EQ(tiers[0]["found"], false);
  EXPECT_EQ(tiers[1]["found"], true);
}

TEST_F(Reuse, WithABoundXOverPairsAloneDecides) {
  EXPECT_THAT(ids(search(kQuoted, "?bound=0")), IsEmpty());
  const Json answer = search(sentences(100, 5), "?bound=3");
  EXPECT_THAT(ids(answer), ElementsAre("other"));
  EXPECT_FALSE(answer.contains("tiers"));
  EXPECT_TRUE(answer["results"][0]["passages"][0].contains("features"));
}

TEST_F(Reuse, ListsADocumentOnceThatTwoTiersFind) {
  const Json answer = search(sentences(100, 6));
  EXPECT_EQ(answer["total"], 1);
  EXPECT_THAT(ids(answer), ElementsAre("other"));
  EXPECT_EQ(answer["results"][0]["tier"], "pairs");
  EXPECT_EQ(answer["tiers"][0]["total"], 1);
  EXPECT_EQ(answer["tiers"][1]["total"], 1);
  EXPECT_TRUE(answer["results"][0]["passages"][0].contains("words"));
}

TEST_F(Reuse, LeavesOutWhatSharesASeedAndNoPassage) {
  store("chance", sentences(300, 3) + " owls took some honey and plenty of bread.");
  const Json answer = search(kQuoted, "?tiers=passages");
  EXPECT_THAT(ids(answer), ElementsAre("verse"));
  EXPECT_GE(answer["alignment"]["candidates"], 1);
  EXPECT_EQ(answer["alignment"]["candidates"], answer["alignment"]["aligned"]);
}

TEST_F(Reuse, LeavesOutWhatIsAlmostNothingOfEitherTextAndInThreeWorks) {
  const std::string notice = " this text was prepared by volunteers of the library from a scanned page. ";
  store("first", sentences(1000, 900) + notice);
  store("second", sentences(3000, 900) + notice);
  const std::string another = sentences(5000, 900) + notice;
  EXPECT_THAT(ids(search(another)), UnorderedElementsAre("first", "second"));
  store("third", sentences(7000, 900) + notice);
  EXPECT_THAT(ids(search(another)), IsEmpty());
  EXPECT_THAT(ids(search(another, "?tiers=passages")), UnorderedElementsAre("first", "second", "third"));
}

TEST_F(Reuse, EvidenceMayBeFeaturesOrLeftOut) {
  const Json features = search(sentences(100, 6), "?include=features");
  EXPECT_TRUE(features["results"][0]["passages"][0].contains("features"));
  EXPECT_FALSE(search(sentences(100, 6), "?include=measures")["results"][0].contains("passages"));
  const Json aligned = search(sentences(100, 6), "?bound=3&include=aligned");
  EXPECT_TRUE(aligned["results"][0]["passages"][0].contains("words"));
}

TEST_F(Reuse, SaysWhyNothingCouldBeFound) {
  EXPECT_THAT(search("three short words")["hint"].get<std::string>(), HasSubstr("at least 4 words"));
  EXPECT_THAT(search("?! …")["hint"].get<std::string>(), HasSubstr("no words"));
  EXPECT_THAT(search(sentences(1, 3), "?bound=3")["hint"].get<std::string>(), HasSubstr("cannot share"));
  EXPECT_FALSE(search(sentences(1, 30)).contains("hint"));
}

TEST_F(Reuse, WithoutTextsSeedsAreCountedAndNotAligned) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"store_text":false})");
  const std::string long_verse = sentences(1, 12);
  call("PUT", "/v1/collections/bare/documents/a", kText, long_verse);
  const Json answer = expect(200, "POST", "/v1/collections/bare/similar", kText, long_verse);
  EXPECT_THAT(ids(answer), ElementsAre("a"));
  EXPECT_EQ(answer["tiers"][1]["bound"], 3);
  EXPECT_EQ(answer["tiers"][1]["verified"], false);
  EXPECT_TRUE(answer["results"][0]["passages"][0].contains("features"));
}

TEST_F(Reuse, FindsTheSameInSeveralCollections) {
  expect(201, "PUT", "/v1/collections/more");
  call("PUT", "/v1/collections/more/documents/copy", kText, kVerse);
  const Json answer = expect(200, "POST", "/v1/similar?collections=books,more", kText, kQuoted);
  EXPECT_EQ(answer["total"], 2);
  EXPECT_THAT(ids(answer), ElementsAre("verse", "copy"));
  EXPECT_EQ(answer["results"][1]["passages"][0]["words"], 15);
}

TEST_F(Reuse, ACheckCountsAlignedPassages) {
  const Json found = check(sentences(1, 2) + " " + std::string(kQuoted) + ".");
  ASSERT_EQ(found["sources"].size(), 1U);
  EXPECT_EQ(found["sources"][0]["id"], "verse");
  EXPECT_EQ(found["sources"][0]["tier"], "passages");
  EXPECT_EQ(found["sources"][0]["x"], 0);
  EXPECT_EQ(found["letters"]["found"], 58);  // of the quotation
  EXPECT_EQ(found["verdict"], "refuse");
  EXPECT_EQ(found["index"][0]["candidates"], found["index"][0]["aligned"]);
}

TEST_F(Reuse, ACheckSaysHowManyWordsAreNeeded) {
  const Json reason = check("Eleven words are too few for this check to find anything.")["reasons"][0];
  EXPECT_EQ(reason["kind"], "too_short");
  EXPECT_EQ(reason["words"], 11);
  EXPECT_EQ(reason["needed_words"], 12);
}

TEST_F(Reuse, ACheckSearchesTheTiersOfItsPolicy) {
  EXPECT_THAT(check(kQuoted, {{"tiers", {"pairs"}}})["sources"], IsEmpty());
  EXPECT_EQ(check(kQuoted, {{"tiers", {"passages"}}})["sources"].size(), 1U);
  const Json request = {{"collections", {"books"}}, {"text", kQuoted}, {"policy", {{"tiers", {"words"}}}}};
  EXPECT_THAT(expect(400, "POST", "/v1/checks", kJson, request.dump())["detail"].get<std::string>(),
              HasSubstr("'words'"));
}

TEST_F(Reuse, ACheckCountsNoPassageUnderThePolicysLength) {
  EXPECT_THAT(check(kQuoted, {{"min_passage_words", 16}})["sources"], IsEmpty());
  EXPECT_EQ(check(kQuoted, {{"min_passage_words", 15}})["sources"].size(), 1U);
}

TEST_F(Reuse, ACheckCountsExactRunsIfItsPolicyAsksForThem) {
  expect(201, "PUT", "/v1/collections/verses", kJson, Json({{"scheme", "quotations"}}).dump());
  const std::string target = "/v1/collections/verses/documents/verse";
  ASSERT_EQ(call("PUT", target, kText, kVerse).status, 201);
  const std::string text = sentences(1, 6) + " They took some honey, and plenty of milk. " + sentences(7, 6);
  const auto sources_of = [&](unsigned words) {
    const Json request = {
        {"collections", {"verses"}}, {"text", text}, {"policy", {{"min_passage_words", words}}}};
    return expect(201, "POST", "/v1/checks", kJson, request.dump())["sources"].size();
  };
  EXPECT_EQ(sources_of(12), 0U);
  EXPECT_EQ(sources_of(8), 0U);
  EXPECT_EQ(sources_of(7), 1U);
}

TEST_F(Reuse, AShortTextIsSearchedForExactRuns) {
  const Json answer = search("some honey and plenty of money wrapped");
  EXPECT_EQ(answer["passage_words"], 4);
  EXPECT_THAT(ids(answer), ElementsAre("verse"));
}

TEST_F(Reuse, TheFewestWordsOfAPassageMayBeAskedFor) {
  EXPECT_THAT(ids(search(kQuoted, "?min_words=15")), ElementsAre("verse"));
  EXPECT_THAT(ids(search(kQuoted, "?min_words=16")), IsEmpty());
  expect(400, "POST", "/v1/collections/books/similar?min_words=3", kText, kQuoted);
}

TEST_F(Reuse, WordsInExcludedPartsMatchNothing) {
  const std::string text = sentences(1, 6) + " \"" + std::string(kQuoted) + "\" " + sentences(7, 6);
  EXPECT_EQ(check(text)["sources"].size(), 1U);
  EXPECT_THAT(check(text, {{"exclude", {{"quotations", true}}}})["sources"], IsEmpty());
}

TEST_F(Reuse, TwoTextsAreAlignedUnlessFeaturesAreAskedFor) {
  const Json texts = {{"a", kQuoted}, {"b", kVerse}};
  const Json aligned = expect(200, "POST", "/v1/compare?include=aligned", kJson, texts.dump());
  EXPECT_EQ(aligned["words"]["a_share"], 1.0);
  ASSERT_EQ(aligned["passages"].size(), 1U);
  EXPECT_THAT(expect(200, "POST", "/v1/compare?include=features", kJson, texts.dump())["passages"],
              IsEmpty());
  expect(400, "POST", "/v1/compare?include=all", kJson, texts.dump());
}

TEST_F(Reuse, PassagesSayHowManyWordsWereChanged) {
  std::string edited(kVerse);
  edited.replace(edited.find("plenty of"), 9, "a great deal of");
  const Json found = search(edited);
  EXPECT_EQ(found["results"][0]["passages"][0]["changed_words"], (Json{{"replaced", 3}}));
  EXPECT_EQ(check(edited)["sources"][0]["passages"][0]["changed_words"], (Json{{"replaced", 3}}));
  EXPECT_EQ(search(kVerse)["results"][0]["passages"][0]["changed_words"], Json::object());
}

TEST_F(Reuse, AComparisonListsTheChanges) {
  std::string edited(kVerse);
  edited.replace(edited.find("green "), 6, "");
  const Json texts = {{"a", kVerse}, {"b", edited}};
  const Json compared = expect(200, "POST", "/v1/compare?include=aligned", kJson, texts.dump());
  const Json& changes = compared["passages"][0]["changes"];
  const auto place = kVerse.find("green");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0]["kind"], "left_out");
  EXPECT_EQ(changes[0]["a"], (Json{place, place + 5}));
  EXPECT_EQ(changes[0]["b"], (Json{place - 1, place - 1}));
}

/// With every tenth word replaced: most sentences are touched, and no two of them in a row are not.
std::string edited(const std::string& text) {
  std::string copy, word;
  int number = 0;
  for (const char c : text) {
    word += c;
    if (c != ' ') continue;
    copy += ++number % 10 == 0
                ? "other" + std::to_string(number) + (word.find('.') != std::string::npos ? ". " : " ")
                : word;
    word.clear();
  }
  return copy + word;
}

TEST_F(Reuse, AComparisonSaysWhatASearchSays) {
  const std::string copy = edited(sentences(100, 12));
  const Json hit = search(copy)["results"][0];
  const Json texts = {{"a", copy}, {"b", sentences(100, 12)}};
  const Json compared = expect(200, "POST", "/v1/compare", kJson, texts.dump());
  EXPECT_EQ(hit["id"], "other");
  EXPECT_EQ(compared["x"], compared["tiers"][0]["x"]);
  for (const char* field : {"tier", "tiers", "words"}) EXPECT_EQ(compared[field], hit[field]) << field;
  EXPECT_EQ(compared["passages"][0]["a"], hit["passages"][0]["a"]);
  EXPECT_EQ(compared["passages"][0]["words"], hit["passages"][0]["words"]);
}

TEST_F(Reuse, AComparisonSaysThatASearchWouldNotFindIt) {
  const Json texts = {{"a", sentences(100, 12)}, {"b", sentences(200, 12)}};
  const Json compared = expect(200, "POST", "/v1/compare", kJson, texts.dump());
  EXPECT_EQ(compared["tier"], nullptr);
  EXPECT_EQ(compared["tiers"].size(), 2U);
  EXPECT_EQ(compared["words"]["a_share"], 0.0);
}

TEST_F(Reuse, AComparisonByFeaturesAloneIsAskedForByScheme) {
  const Json texts = {{"a", sentences(100, 12)}, {"b", sentences(100, 12)}, {"scheme", "sentence-pairs"}};
  const Json compared = expect(200, "POST", "/v1/compare", kJson, texts.dump());
  EXPECT_EQ(compared["x"], 12);
  EXPECT_FALSE(compared.contains("tiers"));
  EXPECT_EQ(compared["passages"][0]["features"], 12);
}

TEST_F(Reuse, AGateByWordsRefusesWhatSharesPassages) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, R"({"measure":"words","threshold":0.5})");
  const auto admit = [&](std::string_view id, std::string_view text) {
    const Json request = {{"id", id}, {"text", text}};
    return json::Json::parse(call("POST", "/v1/collections/books/admissions", kJson, request.dump()).body);
  };
  const Json refused = admit("copy", std::string(kQuoted) + ". One more sentence of its own.");
  EXPECT_EQ(refused["verdict"], "refused");
  EXPECT_EQ(refused["nearest"]["id"], "verse");
  EXPECT_EQ(refused["nearest"]["x"], 0);
  EXPECT_EQ(refused["nearest"]["words"]["a"], 15);
  EXPECT_EQ(refused["nearest"]["similarity"], refused["nearest"]["words"]["a_share"]);
  EXPECT_EQ(admit("own", sentences(3000, 9))["verdict"], "admitted");
}

TEST_F(Reuse, AGateWithoutAMeasureFindsWhatASearchFinds) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, "{}");
  const auto admit = [&](std::string_view id, std::string_view text) {
    const Json request = {{"id", id}, {"text", text}};
    return json::Json::parse(call("POST", "/v1/collections/books/admissions", kJson, request.dump()).body);
  };
  const Json refused = admit("edited", edited(sentences(100, 12)));
  EXPECT_EQ(refused["gate"]["measure"], "words");
  EXPECT_EQ(refused["verdict"], "refused");
  EXPECT_EQ(refused["nearest"]["id"], "other");
  EXPECT_LT(refused["nearest"]["sorensen"], 0.5);
  EXPECT_EQ(refused["nearest"]["similarity"], refused["nearest"]["words"]["a_share"]);
}

TEST_F(Reuse, AGateWithoutAMeasureFindsWhatOnlySentencesShow) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, "{}");
  struct Row {
    const char *name, *stored, *added;
  };
  for (const Row& row :
       {Row{"too short for passages", "a crow sat on a tree.", "a crow sat on a tree."},
        Row{"moved words", "a fox saw some grapes today. they hung on a high trellis. she jumped up to them.",
            "today some grapes a fox saw. a high trellis they hung on. up to them she jumped."}}) {
    store("stored", row.stored);
    const Json request = {{"id", "added"}, {"text", row.added}};
    const Json refused = expect(200, "POST", "/v1/collections/books/admissions", kJson, request.dump());
    EXPECT_EQ(refused["verdict"], "refused") << row.name;
    EXPECT_EQ(refused["nearest"]["similarity"], 1.0) << row.name;
    EXPECT_EQ(refused["nearest"]["sorensen"], 1.0) << row.name;
  }
}

TEST_F(Reuse, AGateWithoutAMeasureTakesSorensenWhereNothingCanBeAligned) {
  const char* const collections[] = {R"({"store_text":false})", R"({"scheme":"sentence-pairs"})",
                                     R"x({"scheme":"shingles(w=2,unit=word,sample=min:160)"})x"};
  for (std::size_t i = 0; i < std::size(collections); ++i) {
    const std::string path = "/v1/collections/c" + std::to_string(i);
    expect(201, "PUT", path, kJson, collections[i]);
    EXPECT_EQ(expect(201, "PUT", path + "/gate", kJson, "{}")["measure"], "sorensen") << collections[i];
  }
}

TEST_F(Reuse, AGateByWordsComparesWhatIsAdmittedTogether) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, R"({"measure":"words","threshold":0.5})");
  const auto collection = service_.catalog->get("books").value();
  const std::string first =
      "seven wise men of gotham went to sea in a bowl and if the bowl had been stronger";
  const std::string second =
      "they say seven wise men of gotham went to sea in a bowl and if the bowl had been";
  const FeatureSequence features_of_first = collection->analyze(first).value();
  const FeatureSequence features_of_second = collection->analyze(second).value();
  const auto outcomes =
      service_.gates
          ->admit_all(*collection, {{{.id = "first", .text = first}, &features_of_first},
                                    {{.id = "second", .text = second}, &features_of_second}})
          .value();
  EXPECT_EQ(outcomes[0]->decision, gate::Decision::admitted);
  EXPECT_EQ(outcomes[1]->decision, gate::Decision::refused);
}

TEST_F(Reuse, AGateByWordsNeedsTextsThatCanBeAligned) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"store_text":false})");
  EXPECT_THAT(expect(409, "PUT", "/v1/collections/bare/gate", kJson, R"({"measure":"words"})")["detail"]
                  .get<std::string>(),
              HasSubstr("cannot be aligned"));
}

TEST_F(Reuse, ACollectionIsMadeByThePurposeOfItsScheme) {
  const Json made = expect(201, "PUT", "/v1/collections/essays", kJson, R"({"scheme":"paper"})");
  EXPECT_THAT(made["scheme"].get<std::string>(), HasSubstr("winnow(k=4,t=8"));
}

}  // namespace
}  // namespace akin::test
