// What watches find, and what they give back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <new>
#include <random>
#include <thread>

#include "tests/server/watch/watch_fixture.h"
#include "tests/support/failure_warnings.h"

namespace akin::test {
namespace {

using api::Json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class WatchesOf : public WatchServiceTest {};

TEST_F(WatchesOf, DocumentOverTheBoundIsAnEvent) {
  put_watch("w", {{"text", sentences(1, 6)}, {"bound", 4}});
  put_document("small", sentences(1, 5));  // four pairs in common
  put_document("large", sentences(1, 6));
  const Json event = page_of(1)["events"][0];
  EXPECT_THAT(found_by("w"), ElementsAre("large"));
  EXPECT_EQ(event["watch"], "w");
  EXPECT_EQ(event["collection"], "books");
  EXPECT_EQ(event["document"]["id"], "large");
  EXPECT_EQ(event["x"], 6);
  EXPECT_EQ(event["containment"], 1.0);
  EXPECT_EQ(event["passages"].size(), 1U);
  EXPECT_EQ(event["passages_total"], 1);
  EXPECT_EQ(event["delivery"].dump(),
            R"({"state":"none","attempts":0,"last_error":null,"next_attempt":null})");
  EXPECT_EQ(event, expect(200, "GET", "/v1/collections/books/events/" + event["id"].get<std::string>()));
}

TEST_F(WatchesOf, WithoutBoundsAPassageIsEnough) {
  const std::string quoted = "they took some honey and plenty of money wrapped up in a five pound note";
  const Json made = put_watch("w", {{"text", quoted}});
  EXPECT_EQ(made["reuse"], true);
  put_watch("bound", {{"text", quoted}, {"bound", 0}});
  put_document("none", sentences(1, 6));
  put_document("seed", sentences(20, 3) + " he took some honey and plenty of bread.");
  put_document("quote", sentences(1, 3) + " " + quoted + ". " + sentences(4, 3));
  put_document("pairs", quoted + ".");
  EXPECT_THAT(found_by("w"), ElementsAre("quote", "pairs"));
  EXPECT_THAT(found_by("bound"), ElementsAre("pairs"));
  const Json events = page()["events"];
  for (const Json& event : events) {
    if (event["document"]["id"] != "quote") continue;
    EXPECT_EQ(event["tier"], "passages");
    EXPECT_EQ(event["x"], 0);
    EXPECT_EQ(event["passages"][0]["words"], 15);
  }
}

/// Random texts of few different sentences, so that they share much and repeat themselves.
TEST_F(WatchesOf, EventsSayWhatASearchForTheTextWouldSay) {
  std::mt19937 random(7);
  const auto text = [&] {
    std::string made;
    for (auto left = random() % 12; left > 0; --left) made += sentences(static_cast<int>(random() % 6), 1);
    return made;
  };
  std::map<std::string, Json> watches;
  for (int i = 0; i < 30; ++i) {
    Json fields = {{"text", sentences(i % 6, 1) + text()},
                   {"bound", random() % 5},
                   {"min_containment", double(random() % 3) / 4}};
    put_watch("w" + std::to_string(i), fields);
    watches["w" + std::to_string(i)] = fields;
  }
  for (int i = 0; i < 40; ++i) put_document("d" + std::to_string(i), text());
  static_cast<void>(found_by("w0"));
  for (const auto& [name, fields] : watches) {
    const auto found = expect(200, "POST",
                              "/v1/collections/books/similar?limit=1000&bound=" + fields["bound"].dump() +
                                  "&min_containment=" + fields["min_containment"].dump(),
                              kText, fields["text"].get<std::string>());
    std::map<std::string, Json> expected, told;
    for (const auto& hit : found["results"]) {
      expected[hit["id"].get<std::string>()] = {hit["x"], hit["containment"], hit["contained"],
                                                hit["features"], hit["passages"]};
    }
    const Json events = page("?limit=1000&watch=" + name);
    for (const auto& event : events["events"]) {
      told[event["document"]["id"].get<std::string>()] = {event["x"], event["containment"],
                                                          event["contained"], event["document"]["features"],
                                                          event["passages"]};
    }
    EXPECT_EQ(told, expected) << name;
  }
}

TEST_F(WatchesOf, NewWatchBeginsAtThePresent) {
  put_document("before", sentences(1, 6));
  put_watch("w", {{"text", sentences(1, 6)}});
  put_document("after", sentences(1, 6));
  EXPECT_THAT(found_by("w"), ElementsAre("after"));
}

TEST_F(WatchesOf, WatchSinceTheBeginningFindsWhatIsThereOnce) {
  for (int i = 0; i < 11; ++i) put_document("d" + std::to_string(10 + i), sentences(1, 6));
  put_watch("other", {{"text", sentences(1, 6)}});
  put_watch("w", {{"text", sentences(1, 6)}, {"since", "beginning"}});
  put_document("later", sentences(1, 6));
  EXPECT_THAT(found_by("other"), ElementsAre("later"));
  page_when([&](const Json&) {
    return expect(200, "GET", "/v1/collections/books/watches/w")["catching_up"] == false;
  });
  auto found = found_by("w");
  std::ranges::sort(found);
  EXPECT_THAT(found, ElementsAre("d10", "d11", "d12", "d13", "d14", "d15", "d16", "d17", "d18", "d19", "d20",
                                 "later"));
}

TEST_F(WatchesOf, ReplacedDocumentIsFoundAgain) {
  put_watch("w", {{"text", sentences(1, 6)}});
  put_document("d", sentences(1, 6));
  const Json first = page_of(1);
  put_document("d", sentences(1, 6));
  const Json both = page_of(2);
  EXPECT_NE(both["events"][0]["id"], both["events"][1]["id"]);
  EXPECT_EQ(both["events"][0], first["events"][0]);
}

TEST_F(WatchesOf, WatchOfADocumentDoesNotFindThatDocument) {
  put_document("original", sentences(1, 6));
  EXPECT_EQ(put_watch("w", {{"id", "original"}})["document"], "original");
  put_document("original", sentences(1, 6));
  put_document("copy", sentences(1, 6));
  EXPECT_THAT(found_by("w"), ElementsAre("copy"));
}

TEST_F(WatchesOf, FilterSaysWhichDocumentsCount) {
  put_watch("w", {{"text", sentences(1, 6)}, {"filter", R"(id = "b" OR id = "c")"}});
  for (const char* id : {"a", "b", "c"}) put_document(id, sentences(1, 6));
  EXPECT_THAT(found_by("w"), ElementsAre("b", "c"));
}

TEST_F(WatchesOf, DisabledWatchFindsNothingUntilItIsEnabled) {
  put_watch("w", {{"text", sentences(1, 6)}, {"enabled", false}});
  put_document("a", sentences(1, 6));
  EXPECT_THAT(found_by("w"), IsEmpty());
  put_watch("w", {{"text", sentences(1, 6)}});
  put_document("b", sentences(1, 6));
  page_when([&](const Json&) { return page("?watch=w")["total"] == 1; });
  EXPECT_EQ(page("?watch=w")["events"][0]["document"]["id"], "b");
}

TEST_F(WatchesOf, ReplacedWatchGoesOnWhereTheFormerOneWas) {
  watch::Options slow = quick_options();
  slow.follow.poll = std::chrono::hours(1);
  start(slow);
  put_watch("w", {{"text", sentences(1, 6)}});
  // Another process writes, without notice; then the watch is replaced, which wakes.
  ASSERT_TRUE(service_.catalog->get("books").value()->put({"d", "", "", sentences(1, 6)}).has_value());
  put_watch("w", {{"text", sentences(1, 6)}, {"description", "new"}});
  EXPECT_EQ(page_of(1)["events"][0]["document"]["id"], "d");
}

TEST_F(WatchesOf, DocumentsOfOtherProcessesAreFoundByPolling) {
  put_watch("w", {{"text", sentences(1, 6)}});
  ASSERT_TRUE(service_.catalog->get("books").value()->put({"d", "T", "", sentences(1, 6)}).has_value());
  EXPECT_EQ(page_of(1)["events"][0]["document"]["title"], "T");
}

TEST_F(WatchesOf, WhatWasStoredWhileNobodyWatchedIsFoundAtTheNextStart) {
  put_watch("w", {{"text", sentences(1, 6)}});
  service_.watches.reset();
  for (int i = 0; i < 9; ++i) put_document("d" + std::to_string(i), sentences(1, 6));
  start(quick_options());
  EXPECT_EQ(page_of(9)["total"], 9);
}

TEST_F(WatchesOf, ReindexWithAnotherSchemeChangesWhatIsShared) {
  put_watch("w", {{"text", sentences(1, 6)}, {"bound", 5}});
  ASSERT_TRUE(service_.catalog->reindex("books", "sentences", {}).has_value());
  put_document("d", sentences(4, 3) + sentences(1, 3));  // six sentences, four pairs
  EXPECT_EQ(page_of(1)["events"][0]["x"], 6);
}

TEST_F(WatchesOf, DroppedCollectionTakesItsWatchesAlong) {
  put_watch("w", {{"text", sentences(1, 6)}});
  put_document("d", sentences(1, 6));
  static_cast<void>(page_of(1));
  expect(200, "DELETE", "/v1/collections/books");
  expect(404, "GET", "/v1/collections/books/watches");
  expect(201, "PUT", "/v1/collections/books");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/watches")["total"], 0);
  EXPECT_EQ(page()["total"], 0);
}

TEST_F(WatchesOf, PagesOfWatchesListEachOnce) {
  for (const char* name : {"a", "b", "c"}) put_watch(name, {{"text", sentences(1, 6)}});
  const Json first = expect(200, "GET", "/v1/collections/books/watches?limit=2");
  EXPECT_EQ(first["total"], 3);
  EXPECT_EQ(first["next"], "after:b");
  EXPECT_EQ(first["trouble"], nullptr);
  const Json last = expect(200, "GET", "/v1/collections/books/watches?limit=2&cursor=after:b");
  ASSERT_EQ(last["watches"].size(), 1U);
  EXPECT_EQ(last["watches"][0]["name"], "c");
  EXPECT_EQ(last["next"], nullptr);
}

TEST_F(WatchesOf, PagesOfEventsGiveEachOnceAndACursorForLater) {
  put_watch("w", {{"text", sentences(1, 6)}});
  for (int i = 0; i < 3; ++i) put_document("d" + std::to_string(i), sentences(1, 6));
  static_cast<void>(page_of(3));
  const Json first = page("?limit=2");
  EXPECT_EQ(first["more"], true);
  EXPECT_EQ(first["missed"], 0);
  const Json last = page("?limit=2&cursor=" + first["next"].get<std::string>());
  EXPECT_EQ(last["events"].size(), 1U);
  EXPECT_EQ(last["more"], false);
  put_document("d3", sentences(1, 6));
  static_cast<void>(page_of(4));
  const Json later = page("?cursor=" + last["next"].get<std::string>());
  EXPECT_EQ(later["events"][0]["document"]["id"], "d3");
}

TEST_F(WatchesOf, ReaderIsToldHowManyEventsItMissed) {
  watch::Options few = quick_options();
  few.follow.retention.events = 2;
  few.follow.trim = std::chrono::milliseconds(1);
  start(few);
  put_watch("w", {{"text", sentences(1, 6)}});
  for (int i = 0; i < 5; ++i) put_document("d" + std::to_string(i), sentences(1, 6));
  const Json page = page_when([](const Json& now) { return now["missed"] == 3; });
  EXPECT_EQ(page["total"], 2);
  EXPECT_EQ(page["oldest"], page["events"][0]["created"]);
}

TEST_F(WatchesOf, WatchGivesItsTextBackButNotItsSecret) {
  put_watch("w",
            {{"text", "One. Two."}, {"webhook", {{"url", "https://example.org/x"}, {"secret", kSecret}}}});
  const Json watch = expect(200, "GET", "/v1/collections/books/watches/w");
  EXPECT_EQ(watch["text"], "One. Two.");
  EXPECT_EQ(watch["webhook"].dump(), R"({"url":"https://example.org/x"})");
  EXPECT_FALSE(expect(200, "GET", "/v1/collections/books/watches/w?include=record").contains("text"));
  EXPECT_THAT(call("GET", "/v1/collections/books/watches").body, Not(HasSubstr("whsec")));
}

TEST_F(WatchesOf, SecretIsKeptAsLongAsTheUrlIs) {
  const Json with = {{"text", "One."}, {"webhook", {{"url", "https://example.org/x"}, {"secret", kSecret}}}};
  const auto without = [](const char* url) {
    return Json{{"text", "One."}, {"webhook", {{"url", url}}}}.dump();
  };
  expect(400, "PUT", "/v1/collections/books/watches/w", kJson, without("https://example.org/x"));
  put_watch("w", with);
  expect(200, "PUT", "/v1/collections/books/watches/w", kJson, without("https://example.org/x"));
  expect(400, "PUT", "/v1/collections/books/watches/w", kJson, without("https://example.org/y"));
}

TEST_F(WatchesOf, DeletedWatchIsGoneAndItsEventsStay) {
  put_watch("w", {{"text", sentences(1, 6)}});
  put_document("d", sentences(1, 6));
  static_cast<void>(page_of(1));
  EXPECT_EQ(expect(200, "DELETE", "/v1/collections/books/watches/w").dump(),
            R"({"name":"w","deleted":true})");
  expect(404, "GET", "/v1/collections/books/watches/w");
  expect(404, "DELETE", "/v1/collections/books/watches/w");
  EXPECT_EQ(page()["total"], 1);
}

/// A text that is watched before it is stored is not told of itself.
TEST_F(WatchesOf, WatchOfATextDoesNotFindItUnderTheIdThatIsGiven) {
  EXPECT_EQ(put_watch("w", {{"text", sentences(1, 6)}, {"id", "thesis"}})["document"], "thesis");
  put_document("thesis", sentences(1, 6));
  put_document("copy", sentences(1, 6));
  EXPECT_THAT(found_by("w"), ElementsAre("copy"));
}

struct BadWatch {
  const char* body;
  const char* named;
};

TEST_F(WatchesOf, WatchesBeyondTheirMemoryAreRefusedOrNotMatched) {
  expect(201, "PUT", "/v1/collections/other");
  put_watch("w", {{"text", sentences(1, 100)}, {"bound", 3}});
  const std::string path = "/v1/collections/other/watches/w";
  const std::string same = Json{{"text", sentences(1, 100)}, {"bound", 3}}.dump();
  expect(201, "PUT", path, kJson, same);
  watch::Options little = quick_options();
  little.follow.memory = 3 * watch::Journal::memory_of_watch(sentences(1, 100).size()) / 2;
  start(little);
  const Json refused = expect(413, "PUT", "/v1/collections/books/watches/v", kJson, same);
  EXPECT_THAT(refused["reason"].get<std::string>(), HasSubstr("for watches"));
  const auto trouble = [&](const std::string& collection) {
    return expect(200, "GET", "/v1/collections/" + collection + "/watches")["trouble"];
  };
  put_document("d", sentences(1, 10));
  EXPECT_EQ(page_of(1)["events"][0]["document"]["id"], "d");  // of the first collection
  call("PUT", "/v1/collections/other/documents/d", kText, sentences(1, 10));
  page_when([&](const Json&) { return !trouble("other").is_null(); });
  EXPECT_THAT(trouble("other").dump(), HasSubstr("more than the"));
  EXPECT_TRUE(trouble("books").is_null());
  expect(200, "DELETE", "/v1/collections/books/watches/w");
  page_when([&](const Json&) { return expect(200, "GET", "/v1/collections/other/events")["total"] == 1; });
}

TEST_F(WatchesOf, BadRequestsAreNamed) {
  expect(201, "PUT", "/v1/collections/books/documents/empty", kText, "");
  const BadWatch rows[] = {
      {R"({})", "neither 'text' nor 'id'"},
      {R"({"text":"a","id":""})", "id"},
      {R"({"text":""})", "has no word"},
      {R"({"text":" - \n"})", "has no word"},
      {R"({"id":"empty"})", "has no word"},
      {R"({"text":"a","bound":-1})", "bound"},
      {R"({"text":"a","min_containment":2})", "min_containment"},
      {R"({"text":"a","filter":"author ="})", "filter"},
      {R"({"text":"a","since":"yesterday"})", "since"},
      {R"({"text":"a","enabled":1})", "enabled"},
      {R"({"text":"a","webhook":"https://example.org"})", "webhook"},
      {R"({"text":"a","webhook":{"secret":"x"}})", "url"},
      {R"({"text":"a","webhook":{"url":"ftp://example.org","secret":"x"}})", "neither http nor https"},
      {R"({"text":"a","webhook":{"url":"https://example.org","secret":"x"}})", "webhook.secret"},
      {R"({"text":"a","webhook":{"url":"https://example.org","more":1}})", "more"},
      {R"({"text":"a","colour":"red"})", "colour"},
  };
  for (const BadWatch& row : rows) {
    const auto answer = call("PUT", "/v1/collections/books/watches/w", kJson, row.body);
    EXPECT_EQ(answer.status, 400) << row.body;
    EXPECT_THAT(answer.body, HasSubstr(row.named));
  }
  expect(404, "PUT", "/v1/collections/books/watches/w", kJson, R"({"id":"none"})");
  expect(404, "PUT", "/v1/collections/none/watches/w", kJson, R"({"text":"a"})");
  expect(400, "PUT", "/v1/collections/books/watches/-w", kJson, R"({"text":"a"})");
  expect(413, "PUT", "/v1/collections/books/watches/w", kJson,
         Json{{"text", std::string((1U << 20U) + 1, 'a')}}.dump());
  expect(400, "GET", "/v1/collections/books/events?cursor=1");
  expect(400, "GET", "/v1/collections/books/events?watch=%00");
  expect(400, "GET", "/v1/collections/books/events?watch=");
  expect(404, "GET", "/v1/collections/books/events/" + std::string(600, 'e'));
  expect(404, "GET", "/v1/collections/books/watches/" + std::string(600, 'e'));
}

/// Watches whose collections cannot be read for a while.
class WatchesInTrouble : public WatchServiceTest {
 protected:
  enum class Trouble { none, error, exception };

  WatchesInTrouble() = default;
  ~WatchesInTrouble() override { service_.watches.reset(); }  // ends the thread that warns

  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    const auto open = [this, arrivals = watch::arrivals_of(service_.catalog)](
                          const std::string& collection) -> Result<std::unique_ptr<watch::Arrivals>> {
      if (trouble_ == Trouble::error) return Error{Errc::io, "data.mdb", "the disk is broken", "replace it"};
      if (trouble_ == Trouble::exception) throw std::bad_alloc();
      return arrivals(collection);
    };
    service_.watches = watch::Watches::open(service_.state, open, quick_options()).value();
  }
  void await_another_failure() const {
    const std::uint64_t before = failures_of(Round::watches);
    while (failures_of(Round::watches) == before) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  FailureWarnings warnings_;
  std::atomic<Trouble> trouble_ = Trouble::none;
};

TEST_F(WatchesInTrouble, CountAndWarnAndFindEverythingOnceItIsOver) {
  put_watch("w", {{"text", sentences(1, 6)}, {"bound", 0}});
  put_document("before", sentences(1, 6));
  static_cast<void>(page_of(1));
  trouble_ = Trouble::error;
  put_document("meanwhile", sentences(1, 6));
  await_another_failure();
  await_another_failure();
  EXPECT_THAT(FailureWarnings::lines(),
              ElementsAre(testing::AllOf(HasSubstr("'watches' failed"), HasSubstr("the disk is broken"))));
  EXPECT_THAT(expect(200, "GET", "/v1/collections/books/watches")["trouble"].dump(),
              HasSubstr("the disk is broken"));
  trouble_ = Trouble::exception;
  await_another_failure();
  await_another_failure();
  EXPECT_EQ(FailureWarnings::lines().size(), 2U) << "another error";
  EXPECT_EQ(page()["total"], 1);
  trouble_ = Trouble::none;
  EXPECT_THAT(found_by("w"), ElementsAre("before", "meanwhile"));
  EXPECT_TRUE(expect(200, "GET", "/v1/collections/books/watches")["trouble"].is_null());
}

}  // namespace
}  // namespace akin::test
