// All pairs over HTTP: a task from its start to its result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/ascii.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class PairsTask : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    put("whole", sentences(1, 20));
    put("half", sentences(1, 10));
    put("other", sentences(100, 20));
    put("copy", sentences(100, 20));
  }
  void put(const std::string& id, const std::string& text) const {
    expect(201, "PUT", "/v1/collections/books/documents/" + id, kText, text);
  }
  std::string start(std::string_view body) const {
    return expect(202, "POST", "/v1/collections/books/pairs", kJson, body)["id"].get<std::string>();
  }
  api::Json ended(const std::string& id) const {
    for (;;) {
      const auto task = expect(200, "GET", "/v1/tasks/" + id);
      if (task["status"] != "queued" && task["status"] != "running") return task;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::string result(const std::string& id, const std::string& query = "") const {
    return call("GET", "/v1/tasks/" + id + "/result" + query).body;
  }
};

TEST_F(PairsTask, IsAcceptedWithItsPlace) {
  const auto response = call("POST", "/v1/collections/books/pairs", kJson, R"({"bound":3})");
  EXPECT_EQ(response.status, 202);
  const auto task = api::Json::parse(response.body);
  EXPECT_THAT(task["id"].get<std::string>(), MatchesRegex("task-[0-9a-f]{16}"));
  EXPECT_EQ(task["type"], "pairs");
  EXPECT_EQ(task["collection"], "books");
  EXPECT_EQ(task["status"], "queued");
  EXPECT_THAT(response.headers,
              ::testing::Contains(::testing::Pair("Location", "/v1/tasks/" + task["id"].get<std::string>())));
}

TEST_F(PairsTask, TellsWhenItBeganAndEnded) {
  const auto task = ended(start(R"({"bound":3})"));
  EXPECT_EQ(task["status"], "done");
  EXPECT_EQ(task["progress"], 1.0);
  EXPECT_EQ(task["error"], nullptr);
  for (const char* time : {"created", "started", "finished"}) {
    EXPECT_THAT(task[time].get<std::string>(),
                MatchesRegex("20..-[01].-[0-3].T[0-2].:[0-5].:[0-5].\\.[0-9][0-9][0-9]Z"));
  }
}

TEST_F(PairsTask, ResultIsOnePairALine) {
  const std::string id = start(R"({"min_containment":0.9,"tier":"pairs"})");
  EXPECT_EQ(ended(id)["result_lines"], 2);
  const auto response = call("GET", "/v1/tasks/" + id + "/result");
  EXPECT_THAT(response.headers, ::testing::Contains(::testing::Pair("X-Total-Count", "2")));
  EXPECT_THAT(response.headers,
              ::testing::Contains(::testing::Pair("Content-Type", "application/x-ndjson; charset=utf-8")));
  EXPECT_EQ(response.body,
            "{\"a\":\"half\",\"b\":\"whole\",\"x\":9,\"containment\":0.9,\"contained\":0.45,"
            "\"resemblance\":0.42857142857142855}\n"
            "{\"a\":\"copy\",\"b\":\"other\",\"x\":20,\"containment\":1.0,\"contained\":1.0,"
            "\"resemblance\":1.0}\n");
}

TEST_F(PairsTask, WithoutABoundPairsAreThoseOfASearchForReuse) {
  std::string copy;  // one word in six is another: no sentence is shared
  for (int i = 1; i <= 20; ++i) copy += "Other " + sentences(i, 1).substr(sentences(i, 1).find(' ') + 1);
  put("edited", copy);
  const std::string id = start("{}");
  EXPECT_EQ(ended(id)["parameters"]["reuse"], true);
  EXPECT_EQ(ended(id)["result_lines"], 4);
  const std::string lines = result(id);
  const auto pair = api::Json::parse(split(lines, '\n').at(2));
  EXPECT_EQ(pair["a"], "edited");
  EXPECT_EQ(pair["b"], "whole");
  EXPECT_EQ(pair["x"], 0);
  EXPECT_GT(pair["words"]["a_share"], 0.8);
}

TEST_F(PairsTask, WithoutABoundACollectionWithoutTextsNeedsACondition) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"store_text":false})");
  EXPECT_THAT(call("POST", "/v1/collections/bare/pairs", kJson, "{}").body, HasSubstr("at least one"));
}

TEST_F(PairsTask, CommonLimitLeavesOutWhatMoreDocumentsHave) {
  put("copy-2", sentences(100, 20));
  const std::string id = start(R"({"bound":0,"common_limit":2})");
  EXPECT_EQ(ended(id)["parameters"]["common_limit"], 2);
  EXPECT_EQ(result(id),
            "{\"a\":\"half\",\"b\":\"whole\",\"x\":9,\"containment\":0.9,\"contained\":0.45,"
            "\"resemblance\":0.42857142857142855}\n");
}

TEST_F(PairsTask, ResultComesInPages) {
  const std::string id = start(R"({"bound":0})");
  ended(id);
  const auto first = call("GET", "/v1/tasks/" + id + "/result?limit=1");
  const auto next =
      std::ranges::find(first.headers, "X-Next-Cursor", [](const auto& one) { return one.first; });
  ASSERT_NE(next, first.headers.end());
  const auto second = call("GET", "/v1/tasks/" + id + "/result?limit=1&cursor=" + next->second);
  EXPECT_EQ(first.body + second.body, result(id));
  EXPECT_THAT(second.headers, Not(::testing::Contains(::testing::Key("X-Next-Cursor"))));
}

TEST_F(PairsTask, MemoryLeavesTheResultAsItIs) {
  const std::string much = start(R"({"bound":0})");
  const std::string little = start(R"({"bound":0,"memory":"1M"})");
  ended(much);
  ended(little);
  EXPECT_EQ(result(much), result(little));
}

TEST_F(PairsTask, IsListed) {
  const std::string first = start(R"({"bound":0})");
  const std::string second = start(R"({"min_resemblance":1})");
  ended(second);
  const auto list = expect(200, "GET", "/v1/tasks");
  EXPECT_EQ(list["total"], 2);
  EXPECT_EQ(list["tasks"][0]["id"], first);
  EXPECT_EQ(list["tasks"][1]["id"], second);
}

TEST_F(PairsTask, IsListedInPagesAndByWhatItIs) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(start(R"({"bound":0})"));
  for (const std::string& id : ids) ended(id);
  std::vector<std::string> listed;
  std::string path = "/v1/tasks?limit=2";
  for (std::size_t pages = 1; pages <= 3; ++pages) {
    const auto page = expect(200, "GET", path);
    for (const auto& task : page["tasks"]) listed.push_back(task["id"].get<std::string>());
    ASSERT_EQ(page["next"].is_null(), pages == 3);
    if (pages == 3) break;
    path = "/v1/tasks?limit=2&cursor=" + page["next"].get<std::string>();
    expect(200, "DELETE", "/v1/tasks/" + listed.back());  // the cursor does not need its task
    EXPECT_EQ(expect(200, "GET", path)["total"], 5 - pages);
  }
  EXPECT_EQ(listed, ids);
  EXPECT_EQ(expect(200, "GET", "/v1/tasks?type=pairs&collection=books")["total"], 3);
  EXPECT_EQ(expect(200, "GET", "/v1/tasks?type=backup")["total"], 0);
  EXPECT_EQ(expect(200, "GET", "/v1/tasks?collection=none")["total"], 0);
  EXPECT_EQ(expect(200, "GET", "/v1/tasks?status=failed")["total"], 0);
  for (const char* wrong : {"status=ended", "type=search", "cursor=x", "limit=0"})
    expect(400, "GET", std::string("/v1/tasks?") + wrong);
}

TEST_F(PairsTask, DeletedWhenDoneItIsForgotten) {
  const std::string id = start(R"({"bound":0})");
  ended(id);
  EXPECT_EQ(expect(200, "DELETE", "/v1/tasks/" + id)["deleted"], true);
  expect(404, "GET", "/v1/tasks/" + id);
  expect(404, "GET", "/v1/tasks/" + id + "/result");
}

TEST_F(PairsTask, WithoutTasksTheServiceSaysSo) {
  service_.tasks = nullptr;
  const auto response = call("GET", "/v1/tasks");
  EXPECT_EQ(response.status, 404);
  EXPECT_THAT(response.body, HasSubstr("they are disabled"));
}

}  // namespace
}  // namespace akin::test
