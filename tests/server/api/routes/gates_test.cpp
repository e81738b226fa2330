// Gates over HTTP's handlers: admissions, refusals, and the groups of duplicates.
#include <gmock/gmock.h>

#include <atomic>
#include <random>
#include <thread>

#include "base/time.h"
#include "server/api/write/gate_objects.h"
#include "server/gate/gates.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Gates : public ServiceTest {
 protected:
  Gates() { expect(201, "PUT", "/v1/collections/books"); }

  void set(std::string_view gate) const {
    call("PUT", "/v1/collections/books/gate", kJson, std::string(gate));
  }
  Json admit(std::string_view id, const std::string& text, int status = 201) const {
    return expect(status, "POST", "/v1/collections/books/admissions", kJson,
                  Json{{"id", id}, {"text", text}}.dump());
  }
  Json groups() const { return expect(200, "GET", "/v1/collections/books/duplicate-groups")["groups"]; }
  bool is_stored(const std::string& id) const {
    return call("GET", "/v1/collections/books/documents/" + id).status == 200;
  }
};

TEST_F(Gates, OfThePresetWebHasTheMeasureAndThresholdOfItsPaper) {
  expect(201, "PUT", "/v1/collections/pages", kJson, R"({"scheme":"web"})");
  const struct {
    const char* given;
    const char* measure;
    double threshold;
  } rows[] = {{"{}", "resemblance", 0.5},
              {R"({"threshold":0.6})", "resemblance", 0.6},
              {R"({"measure":"sorensen"})", "sorensen", 0.7}};
  int status = 201;
  for (const auto& row : rows) {
    const Json gate = expect(status, "PUT", "/v1/collections/pages/gate", kJson, row.given);
    EXPECT_EQ(gate["measure"], row.measure) << row.given;
    EXPECT_EQ(gate["threshold"], row.threshold) << row.given;
    status = 200;
  }
}

TEST_F(Gates, RefuseATextWithoutWords) {
  set(R"({"min_characters":2})");
  for (const char* text : {"", " \n", "… — !"}) {
    const Json outcome = admit("a", text, 200);
    EXPECT_EQ(outcome["verdict"], "refused") << text;
    EXPECT_EQ(outcome["reason"], "no_words") << text;
  }
  EXPECT_FALSE(is_stored("a"));
}

TEST_F(Gates, AdmitWhatIsNewAndRefuseWhatReachesTheThreshold) {
  set(R"({"measure":"sorensen","threshold":0.5})");
  EXPECT_EQ(admit("a", sentences(0, 20))["verdict"], "admitted");
  EXPECT_EQ(admit("b", sentences(100, 20))["verdict"], "admitted");
  // 10 of 20 sentences: 9 pairs of 20, Sørensen 0.45.
  const Json below = admit("c", sentences(10, 20));
  EXPECT_EQ(below["verdict"], "admitted");
  EXPECT_EQ(below["nearest"]["similarity"], 0.45);
  EXPECT_EQ(below["duplicates"], 0);
  const Json refused = admit("d", sentences(2, 20), 200);
  EXPECT_EQ(refused["verdict"], "refused");
  EXPECT_EQ(refused["reason"], "duplicate");
  EXPECT_EQ(refused["nearest"]["id"], "a");
  EXPECT_EQ(refused["nearest"]["similarity"], refused["nearest"]["sorensen"]);
  EXPECT_EQ(refused["duplicates"], 2);
  EXPECT_EQ(refused["stored"], nullptr);
  EXPECT_FALSE(is_stored("d"));
}

TEST_F(Gates, ListTheNearestDocumentsOfARefusalWithTheirPassages) {
  for (const char* measure : {"sorensen", "words"}) {
    set(Json{{"measure", measure}, {"threshold", 0.7}}.dump());
    for (int i = 0; i < 7; ++i) {  // each shares less with the copy below
      call("PUT", "/v1/collections/books/documents/d" + std::to_string(i), kText, sentences(i, 20));
    }
    const Json refused = admit("copy", sentences(0, 20), 200);
    std::vector<std::string> ids;
    for (const Json& one : refused["similar"]) ids.push_back(one["id"].get<std::string>());
    EXPECT_THAT(ids, ElementsAre("d0", "d1", "d2", "d3", "d4")) << measure;
    EXPECT_EQ(refused["similar"][0]["similarity"], refused["nearest"]["similarity"]);
    const Json& passage = refused["similar"][1]["passages"][0];
    EXPECT_EQ(passage["a"][1], sentences(0, 20).size() - (measure[0] == 'w' ? 2 : 1));
    EXPECT_EQ(passage.contains("words"), measure[0] == 'w');
    const Json admitted = admit("new", sentences(100, 20));
    EXPECT_THAT(admitted["similar"], IsEmpty());
    call("DELETE", "/v1/collections/books/documents/new");
  }
}

TEST_F(Gates, KeepWhatTheyRefusedAndForWhichDocuments) {
  set(R"({"threshold":0.7,"min_characters":20})");
  admit("stored", sentences(0, 20));
  std::vector<Json> answers = {admit("copy", sentences(0, 20), 200), admit("short", "Tea.", 200),
                               admit("copy", sentences(1, 19), 200)};
  call("DELETE", "/v1/collections/books/documents/stored");
  std::string cursor;
  for (int i = 2; i >= 0; --i) {  // the newest first
    const Json page = expect(200, "GET", "/v1/collections/books/refusals?limit=1&cursor=" + cursor);
    EXPECT_EQ(page["refusals"][0]["outcome"], answers[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(parse_time(page["refusals"][0]["time"].get<std::string>()));
    EXPECT_EQ(page["next"].is_null(), i == 0);
    if (i > 0) cursor = page["next"].get<std::string>();
  }
  EXPECT_EQ(answers[0]["similar"][0]["passages"].size(), 1U);
  expect(400, "GET", "/v1/collections/books/refusals?cursor=after:x");
  call("DELETE", "/v1/collections/books");
  expect(201, "PUT", "/v1/collections/books");
  EXPECT_THAT(expect(200, "GET", "/v1/collections/books/refusals")["refusals"], IsEmpty());
}

TEST_F(Gates, ForgetTheRefusalsThatNameAnErasedDocument) {
  gate::Refusals refusals(service_.state);
  const auto refusal = [](const char* id, const char* similar) {
    return Json{{"id", id}, {"similar", {{{"id", similar}, {"passages", Json::array()}}}}};
  };
  ASSERT_TRUE(
      refusals.keep("books", {refusal("a", "b"), refusal("c", "a"), refusal("c", "b"), refusal("b", "c")})
          .has_value());
  ASSERT_TRUE(refusals.keep("other", {refusal("a", "b")}).has_value());
  ASSERT_TRUE(refusals.forget_document("books", "a").has_value());
  std::vector<Json> left;
  for (const gate::Refusal& one : refusals.list("books", 0, 10).value()) left.push_back(one.outcome);
  EXPECT_THAT(left, ElementsAre(refusal("b", "c"), refusal("c", "b")));
  EXPECT_EQ(refusals.list("other", 0, 10).value().size(), 1U);
}

TEST_F(Gates, KeepTheNewestThousandRefusalsOfACollectionAndLongOnesWithoutPassages) {
  gate::Refusals refusals(service_.state);
  const Json small = {{"id", "a"}, {"similar", {{{"id", "b"}, {"passages", {1, 2}}}}}};
  Json large = small;
  large["similar"][0]["passages"] = std::string(gate::kMostOutcomeBytes, 'x');
  ASSERT_TRUE(refusals.keep("other", {small}).has_value());
  ASSERT_TRUE(refusals.keep("books", std::vector<Json>(gate::kMostRefusals, small)).has_value());
  ASSERT_TRUE(refusals.keep("books", {small, large}).has_value());
  const auto kept = refusals.list("books", 0, 2 * gate::kMostRefusals).value();
  ASSERT_EQ(kept.size(), gate::kMostRefusals);
  EXPECT_EQ(kept.front().number, gate::kMostRefusals + 2);
  EXPECT_EQ(kept.back().number, 3U);
  EXPECT_EQ(kept[0].outcome, (Json{{"id", "a"}, {"similar", {{{"id", "b"}}}}}));
  EXPECT_EQ(kept[1].outcome, small);
  EXPECT_EQ(refusals.list("other", 0, 10).value().size(), 1U);
}

struct AtThreshold {
  const char* measure;
  double similarity;  ///< of 20 sentences to 40 that begin with them: 19 pairs of 20, of 40
};

class GateMeasures : public Gates, public ::testing::WithParamInterface<AtThreshold> {};

TEST_P(GateMeasures, RefuseAtTheVerySimilarityThatIsToldAndNotJustOverIt) {
  const auto& [measure, similarity] = GetParam();
  const auto gate = [&](double threshold) {
    set(Json{{"measure", measure}, {"threshold", threshold}}.dump());
    return admit("b", sentences(0, 20), 200);
  };
  set(R"({})");
  admit("a", sentences(0, 40));
  const Json refused = gate(similarity);
  EXPECT_EQ(refused["verdict"], "refused");
  EXPECT_EQ(refused["nearest"]["similarity"], similarity);
  set(Json{{"measure", measure}, {"threshold", similarity + 1e-6}}.dump());
  EXPECT_EQ(admit("b", sentences(0, 20))["verdict"], "admitted");
}
INSTANTIATE_TEST_SUITE_P(All, GateMeasures,
                         ::testing::Values(AtThreshold{"sorensen", 2.0 * 19 / 60},
                                           AtThreshold{"resemblance", 19.0 / 41},
                                           AtThreshold{"containment", 19.0 / 20},
                                           AtThreshold{"contained", 19.0 / 40},
                                           AtThreshold{"either", 19.0 / 20}));

class GatesOverSamples : public Gates {
 protected:
  GatesOverSamples() {
    expect(200, "DELETE", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books", kJson,
           Json{{"scheme", "shingles(w=2,unit=word,sample=min:160)"}}.dump());
  }
};

TEST_F(GatesOverSamples, DecideByTheResemblanceThatASampleGives) {
  for (const char* measure : {"resemblance", "sorensen"}) {
    set(Json{{"measure", measure}, {"threshold", 0.5}}.dump());
    const int from = measure[0] == 'r' ? 0 : 1000;
    EXPECT_EQ(admit(std::string("a-") + measure, sentences(from, 20))["verdict"], "admitted");
    const Json refused = admit("copy", sentences(from, 20), 200);
    EXPECT_EQ(refused["verdict"], "refused");
    EXPECT_EQ(refused["nearest"]["similarity"], 1.0);
    EXPECT_EQ(refused["nearest"]["containment"], nullptr);
  }
}

TEST_F(GatesOverSamples, RefuseWhatASampleDoesNotGive) {
  for (const char* gate : {R"({"measure":"containment"})", R"({"measure":"contained"})",
                           R"({"measure":"either"})", R"({"survivor":"containing"})"}) {
    const Json error = expect(409, "PUT", "/v1/collections/books/gate", kJson, gate);
    EXPECT_THAT(error.dump(), HasSubstr("resemblance or sorensen")) << gate;
  }
}

TEST(LeastContainment, ShutsOutNothingThatReachesTheThreshold) {
  using enum gate::Measure;
  for (const gate::Measure measure : {sorensen, resemblance, containment, contained, either}) {
    for (std::uint64_t a = 1; a < 150; ++a) {
      for (std::uint64_t x = 1; x <= a; ++x) {
        const Overlap whole_of_b{x, a, x};  // the easiest to reach
        const double threshold = gate::similarity(measure, whole_of_b);
        ASSERT_LE(gate::least_containment(measure, threshold), whole_of_b.containment()) << a << " " << x;
      }
    }
  }
}

TEST_F(Gates, KeepLengthsBetweenTheirLimits) {
  const std::string text = sentences(0, 5);
  const auto length = text.size();  // ASCII
  set(Json{{"min_characters", length + 1}}.dump());
  EXPECT_EQ(admit("a", text, 200)["reason"], "too_short");
  set(Json{{"max_characters", length - 1}}.dump());
  EXPECT_EQ(admit("a", text, 200)["reason"], "too_long");
  set(Json{{"min_characters", length}, {"max_characters", length}}.dump());
  EXPECT_EQ(admit("a", text)["verdict"], "admitted");
}

TEST_F(Gates, PutDuplicatesIntoAGroupUntilItIsFull) {
  set(R"({"action":"group","quota":3})");
  EXPECT_EQ(admit("a", sentences(0, 20))["group"], nullptr);
  const Json second = admit("b", sentences(0, 20));
  EXPECT_EQ(second["verdict"], "grouped");
  const Json third = admit("c", sentences(1, 20));
  EXPECT_EQ(third["group"], second["group"]);
  const Json fourth = admit("d", sentences(0, 20), 200);
  EXPECT_EQ(fourth["verdict"], "refused");
  EXPECT_EQ(fourth["reason"], "group_full");
  EXPECT_EQ(fourth["group"], second["group"]);
  const Json all = groups();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0]["documents"].get<std::vector<std::string>>(), ElementsAre("a", "b", "c"));
  // A removed document makes room.
  expect(200, "DELETE", "/v1/collections/books/documents/b");
  EXPECT_EQ(admit("d", sentences(0, 20))["group"], second["group"]);
  EXPECT_THAT(groups()[0]["documents"].get<std::vector<std::string>>(), ElementsAre("a", "c", "d"));
}

TEST_F(Gates, TellARepeatedAdmissionAgainAndStoreNothing) {
  set(R"({"action":"group"})");
  admit("a", sentences(0, 20));
  const Json first = admit("b", sentences(0, 20));
  const Json again = admit("b", sentences(0, 20));
  EXPECT_EQ(again["verdict"], "grouped");
  EXPECT_EQ(again["reason"], first["reason"]);
  EXPECT_EQ(again["group"], first["group"]);
  EXPECT_EQ(again["stored"], first["stored"]);
  const Json original = admit("a", sentences(0, 20));
  EXPECT_EQ(original["verdict"], "admitted");
  EXPECT_EQ(original["reason"], nullptr);
  EXPECT_EQ(original["group"], first["group"]);
  EXPECT_EQ(admit("b", sentences(50, 20), 409)["code"], "already_exists");
}

TEST_F(Gates, GroupsAreSplitByPersonsAndStaySplit) {
  set(R"({"action":"group","quota":4})");
  for (const char* id : {"a", "b", "c"}) admit(id, sentences(0, 20));
  const auto group = groups()[0]["id"].get<std::string>();
  const std::string split = "/v1/collections/books/duplicate-groups/" + group + "/split";
  const Json parts = expect(201, "POST", split, kJson, R"({"documents":["c"]})");
  EXPECT_EQ(parts["group"]["id"], group);
  EXPECT_THAT(parts["group"]["documents"].get<std::vector<std::string>>(), ElementsAre("a", "b"));
  EXPECT_THAT(parts["split_off"]["documents"].get<std::vector<std::string>>(), ElementsAre("c"));
  // Of equals the one with the least id is the nearest.
  EXPECT_EQ(admit("d", sentences(0, 20))["group"], group);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/duplicate-groups/" + group)["documents"].size(), 3U);
  expect(400, "POST", split, kJson, R"({"documents":["c"]})");
  expect(400, "POST", split, kJson, R"({"documents":[]})");
  expect(400, "POST", split, kJson, R"({"documents":["a","b","d"]})");
  expect(404, "POST", "/v1/collections/books/duplicate-groups/none/split", kJson, R"({"documents":["a"]})");
}

TEST_F(Gates, GroupsAreListedInPages) {
  set(R"({"action":"group"})");
  for (int i = 0; i < 5; ++i) {
    admit("a" + std::to_string(i), sentences(i * 100, 20));
    admit("b" + std::to_string(i), sentences(i * 100, 20));
  }
  std::vector<std::string> seen;
  std::string cursor;
  for (;;) {
    const Json page = expect(200, "GET", "/v1/collections/books/duplicate-groups?limit=2&cursor=" + cursor);
    EXPECT_EQ(page["total"], 5);
    for (const Json& group : page["groups"]) seen.push_back(group["documents"][0].get<std::string>());
    if (page["next"].is_null()) break;
    cursor = page["next"].get<std::string>();
  }
  EXPECT_THAT(seen, UnorderedElementsAre("a0", "a1", "a2", "a3", "a4"));
}

/// A stored document, then a new one that shares 10 of its sentences or more.
struct Rivals {
  const char* name;
  const char* survivor;
  std::string stored, added;
  bool replaces;
};

class GateSurvivors : public Gates {
 protected:
  /// The same sentences and features; more characters.
  std::string spaced(int first, int count) const {
    std::string text = sentences(first, count);
    return text + std::string(30, ' ') + "…";
  }
};

TEST_F(GateSurvivors, AreChosenByTheirRuleAndEqualsStay) {
  const std::string twenty = sentences(0, 20);
  const std::string forty = sentences(0, 40);
  const std::vector<Rivals> rows = {
      {"first", "first", twenty, forty, false},
      {"longer", "longer", twenty, forty, true},
      {"not longer", "longer", forty, twenty, false},
      {"equally long", "longer", twenty, twenty, false},
      {"longer by white space", "longer", twenty, spaced(0, 20), true},
      {"containing", "containing", twenty, forty, true},
      {"contained", "containing", forty, twenty, false},
      {"of as many features", "containing", twenty, spaced(0, 20), false},
  };
  for (const Rivals& row : rows) {
    set(Json{{"measure", "either"}, {"threshold", 0.5}, {"survivor", row.survivor}}.dump());
    admit("stored", row.stored);
    const Json told = admit("added", row.added, row.replaces ? 201 : 200);
    EXPECT_EQ(told["verdict"], row.replaces ? "admitted" : "refused") << row.name;
    EXPECT_EQ(told["reason"], "duplicate") << row.name;
    EXPECT_EQ(told["duplicates"], 1) << row.name;
    EXPECT_EQ(told["replaced"], row.replaces ? Json{"stored"} : Json::array()) << row.name;
    EXPECT_EQ(told["nearest"]["id"], "stored") << row.name;
    EXPECT_EQ(is_stored("stored"), !row.replaces) << row.name;
    EXPECT_EQ(is_stored("added"), row.replaces) << row.name;
    call("DELETE", "/v1/collections/books/documents/stored");
    call("DELETE", "/v1/collections/books/documents/added");
  }
}

TEST_F(GateSurvivors, WinAgainstEveryDuplicateOrAreRefused) {
  set(R"({"measure":"either","threshold":0.5,"survivor":"longer"})");
  admit("ten", sentences(0, 10));
  admit("thirty", sentences(100, 30));
  // Longer than one of its duplicates, shorter than the other.
  const Json refused = admit("fifteen", sentences(0, 8) + sentences(100, 10), 200);
  EXPECT_EQ(refused["duplicates"], 2);
  EXPECT_THAT(refused["replaced"], IsEmpty());
  EXPECT_TRUE(is_stored("ten"));
  // Longer than both: it takes the place of both.
  const Json admitted = admit("fifty", sentences(0, 10) + sentences(100, 40));
  EXPECT_THAT(admitted["replaced"].get<std::vector<std::string>>(), UnorderedElementsAre("ten", "thirty"));
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents")["total"], 1);
}

TEST_F(GateSurvivors, DoNotBringBackWhatTheLosersHadBeaten) {
  set(R"({"measure":"containment","threshold":0.5,"survivor":"longer"})");
  admit("middle", sentences(0, 20));
  admit("short", sentences(15, 4) + sentences(300, 1), 200);
  // A chain: "last" and "short" share nothing.
  EXPECT_EQ(admit("last", sentences(0, 12) + sentences(200, 10))["replaced"], Json{"middle"});
  EXPECT_FALSE(is_stored("short"));
  EXPECT_EQ(admit("short", sentences(15, 4) + sentences(300, 1))["verdict"], "admitted");
}

TEST_F(GateSurvivors, AreToldAgainAndTheLosersStayOut) {
  set(R"({"measure":"either","survivor":"longer"})");
  admit("a", sentences(0, 20));
  const Json first = admit("b", sentences(0, 40));
  const Json again = admit("b", sentences(0, 40));
  EXPECT_EQ(again["stored"], first["stored"]);
  EXPECT_THAT(again["replaced"], IsEmpty());
  EXPECT_EQ(admit("a", sentences(0, 20), 200)["nearest"]["id"], "b");
}

TEST_F(GateSurvivors, OfManyThatComeAtOnceTheLongestIsLeft) {
  for (const char* survivor : {"longer", "containing"}) {
    set(Json{{"measure", "either"}, {"threshold", 0.5}, {"survivor", survivor}}.dump());
    constexpr int kClients = 64;
    std::atomic<int> replaced = 0, admitted = 0;
    std::vector<std::jthread> clients;
    for (int client = 0; client < kClients; ++client) {
      clients.emplace_back([&, client] {
        // Each begins as all do, and is longer than those before.
        const auto answer =
            call("POST", "/v1/collections/books/admissions", kJson,
                 Json{{"id", std::to_string(client)}, {"text", sentences(0, 10 + client)}}.dump());
        const Json told = Json::parse(answer.body);
        if (told.value("verdict", "") == "admitted") ++admitted;
        replaced += static_cast<int>(told["replaced"].size());
      });
    }
    clients.clear();
    const Json left = expect(200, "GET", "/v1/collections/books/documents")["documents"];
    ASSERT_EQ(left.size(), 1U) << survivor;
    EXPECT_EQ(left[0]["id"], std::to_string(kClients - 1)) << survivor;
    // Whatever came in went out again, but for the last.
    EXPECT_EQ(replaced, admitted - 1) << survivor;
    expect(200, "DELETE", "/v1/collections/books/documents/" + std::to_string(kClients - 1));
  }
}

TEST_F(GateSurvivors, NeverTakeAwayWhatWasPutMeanwhile) {
  set(R"({"measure":"either","threshold":0.5,"survivor":"longer"})");
  // One that puts past the gate, again and again, what those who come through the gate replace.
  const std::string fresh = sentences(500, 20);
  for (int round = 0; round < 20; ++round) {
    admit("a", sentences(0, 20));
    std::jthread putting([&] {
      call("PUT", "/v1/collections/books/documents/a", kJson, Json{{"text", fresh}}.dump());
    });
    admit("b", sentences(0, 40));
    putting.join();
    // Whichever was first: the text that was put last under this id is there.
    EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/a?include=text")["text"], fresh);
    call("DELETE", "/v1/collections/books/documents/a");
    call("DELETE", "/v1/collections/books/documents/b");
  }
}

TEST_F(Gates, ManyAtATimeAreDecidedAsOneAfterAnother) {
  expect(201, "PUT", "/v1/collections/twin");
  for (const char* gate :
       {R"({"threshold":0.5})", R"({"measure":"either","threshold":0.3,"survivor":"longer"})",
        R"({"measure":"contained","threshold":0.4,"survivor":"containing"})",
        R"({"threshold":0.4,"action":"group","quota":2})", R"({"min_characters":300,"threshold":0.9})"}) {
    // Stretches of one long text, here and there, and now and then an id that was there.
    std::mt19937 random(2009);
    std::vector<std::string> ids, texts;
    for (int i = 0; i < 120; ++i) {
      ids.push_back(std::to_string(random() % 100));
      texts.push_back(sentences(static_cast<int>(random() % 150), static_cast<int>(random() % 20)));
    }
    std::vector<Json> told[2];
    for (int together = 0; together < 2; ++together) {
      const std::string name = together == 1 ? "books" : "twin";
      call("PUT", "/v1/collections/" + name + "/gate", kJson, gate);
      const auto collection = service_.catalog->get(name).value();
      std::vector<FeatureSequence> features;
      for (const std::string& text : texts) features.push_back(collection->analyze(text).value());
      std::vector<gate::Submission> submissions;
      for (std::size_t i = 0; i < ids.size(); ++i)
        submissions.push_back({{ids[i], "", "", texts[i]}, &features[i]});
      const auto tell = [&](const std::vector<Result<gate::Admission>>& outcomes) {
        for (const auto& outcome : outcomes) {
          Json one = outcome.has_error() ? Json(outcome.error().reason) : api::admission_object("", *outcome);
          if (one.is_object()) {  // what no two collections have in common
            one["stored"] = one["stored"].is_null();
            one["group"] = one["group"].is_null();
          }
          told[together].push_back(std::move(one));
        }
      };
      if (together == 1) {
        tell(service_.gates->admit_all(*collection, submissions).value());
      } else {
        for (const gate::Submission& one : submissions)
          tell(service_.gates->admit_all(*collection, {one}).value());
      }
    }
    EXPECT_EQ(told[0], told[1]) << gate;
    for (const char* name : {"books", "twin"}) {
      expect(200, "DELETE", "/v1/collections/" + std::string(name));
      expect(201, "PUT", "/v1/collections/" + std::string(name));
    }
  }
}

TEST_F(Gates, OfManyCopiesThatComeAtOnceOneIsAdmitted) {
  set(R"({})");
  constexpr int kClients = 64;
  std::atomic<int> admitted = 0;
  std::vector<std::jthread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] {
      // The same sentences, each client's in an order of its own: no two texts are equal.
      const std::string text = sentences(client, kClients - client) + sentences(0, client);
      const auto answer = call("POST", "/v1/collections/books/admissions", kJson,
                               Json{{"id", "copy-" + std::to_string(client)}, {"text", text}}.dump());
      if (Json::parse(answer.body).value("verdict", "") == "admitted") ++admitted;
    });
  }
  clients.clear();
  EXPECT_EQ(admitted, 1);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents")["total"], 1);
}

TEST_F(Gates, OfManyCopiesThatComeToSeveralServersOneIsAdmitted) {
  set(R"({})");
  std::vector<std::unique_ptr<gate::Gates>> servers;
  for (int server = 0; server < 8; ++server) servers.push_back(std::make_unique<gate::Gates>(service_.state));
  const auto collection = service_.catalog->get("books").value();
  std::atomic<int> admitted = 0;
  std::vector<std::jthread> clients;
  for (std::size_t client = 0; client < 32; ++client) {
    clients.emplace_back([&, client] {
      const std::string id = std::to_string(client);
      const auto outcome =
          servers[client % servers.size()]->admit(*collection, {id, "", "", sentences(0, 30)});
      if (outcome.has_value() && outcome->decision == gate::Decision::admitted) ++admitted;
    });
  }
  clients.clear();
  EXPECT_EQ(admitted, 1);
}

TEST_F(Gates, LookAtEveryDocumentThatMayBeADuplicate) {
  // A thousand that share more than the duplicate does, and hold much else.
  const auto collection = service_.catalog->get("books").value();
  constexpr std::size_t kLarge = 1000;
  std::vector<std::string> ids, texts;
  for (std::size_t i = 0; i < kLarge; ++i) {
    ids.push_back(std::to_string(i));
    texts.push_back(sentences(0, 10) + sentences(static_cast<int>(1000 + 20 * i), 20));
  }
  std::vector<SourceDocument> large;
  for (std::size_t i = 0; i < kLarge; ++i) large.push_back({ids[i], "", "", texts[i]});
  ASSERT_TRUE(collection->put_all(large).has_value());
  ASSERT_TRUE(collection->put({"small", "", "", sentences(0, 6)}).has_value());
  set(R"({"measure":"contained","threshold":0.8})");
  const Json refused = admit("new", sentences(0, 20), 200);
  EXPECT_EQ(refused["nearest"]["id"], "small");
  EXPECT_EQ(refused["duplicates"], 1);
}

TEST_F(Gates, OfManyCopiesAGroupTakesAsManyAsItsQuota) {
  set(R"({"action":"group","quota":5})");
  std::atomic<int> stored = 0;
  std::vector<std::jthread> clients;
  for (int client = 0; client < 64; ++client) {
    clients.emplace_back([&, client] {
      const auto answer = call("POST", "/v1/collections/books/admissions", kJson,
                               Json{{"id", std::to_string(client)}, {"text", sentences(0, 30)}}.dump());
      if (answer.status == 201) ++stored;
    });
  }
  clients.clear();
  EXPECT_EQ(stored, 5);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0]["documents"].size(), 5U);
}

TEST_F(Gates, GoWithTheirCollection) {
  set(R"({"action":"group"})");
  admit("a", sentences(0, 20));
  admit("b", sentences(0, 20));
  expect(200, "DELETE", "/v1/collections/books");
  expect(201, "PUT", "/v1/collections/books");
  expect(404, "GET", "/v1/collections/books/gate");
  EXPECT_THAT(groups(), IsEmpty());
  EXPECT_THAT(admit("a", "A text.", 404)["detail"].get<std::string>(),
              HasSubstr("PUT /v1/collections/books/gate"));
}

TEST_F(Gates, AreSetReadAndRemoved) {
  const Json gate =
      expect(201, "PUT", "/v1/collections/books/gate", kJson, R"({"measure":"either","quota":7})");
  EXPECT_EQ(gate["threshold"], 0.7);
  EXPECT_EQ(expect(200, "PUT", "/v1/collections/books/gate", kJson, gate.dump()), gate);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/gate"), gate);
  expect(200, "DELETE", "/v1/collections/books/gate");
  expect(404, "DELETE", "/v1/collections/books/gate");
}

TEST_F(Gates, ThatCannotBeAreRefusedByName) {
  struct Row {
    const char* body;
    const char* named;
  };
  for (const Row& row :
       {Row{R"({"measure":"jaccard"})", "sorensen, resemblance"}, Row{R"({"threshold":0})", "threshold"},
        Row{R"({"threshold":1.5})", "threshold"}, Row{R"({"action":"ask"})", "refuse, group"},
        Row{R"({"quota":0})", "quota"}, Row{R"({"quota":10001})", "quota"},
        Row{R"({"survivor":"best"})", "first, longer, containing"},
        Row{R"({"survivor":"longer","action":"group"})", "survivor"},
        Row{R"({"min_characters":9,"max_characters":8})", "min_characters"}, Row{R"({"more":1})", "more"}}) {
    EXPECT_THAT(
        expect(400, "PUT", "/v1/collections/books/gate", kJson, row.body)["detail"].get<std::string>(),
        HasSubstr(row.named));
  }
}

}  // namespace
}  // namespace akin::test
