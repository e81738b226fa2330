// Work on whole collections that is asked for over HTTP.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;

class Operations : public ServiceTest {
 protected:
  Operations() {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/a", kText, sentences(1, 20));
    expect(201, "PUT", "/v1/collections/books/documents/b", kText, sentences(1, 10));
  }
  api::Json ended(std::string_view target, std::string_view body = {}) const {
    const auto begun = expect(202, "POST", target, body.empty() ? std::string_view() : kJson, body);
    const std::string id = begun["id"].get<std::string>();
    for (;;) {
      const auto task = expect(200, "GET", "/v1/tasks/" + id);
      if (task["status"] != "queued" && task["status"] != "running") return task;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::string result(const api::Json& task) const {
    return call("GET", "/v1/tasks/" + task["id"].get<std::string>() + "/result").body;
  }
};

TEST_F(Operations, ReindexChangesTheScheme) {
  const auto task = ended("/v1/collections/books/reindex", R"({"scheme":"sentences"})");
  EXPECT_EQ(task["status"], "done");
  EXPECT_EQ(task["documents"], (api::Json{{"done", 2}, {"total", 2}}));
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books")["scheme"], "sentences");
}

TEST_F(Operations, ReindexNeedsTexts) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"store_text":false})");
  EXPECT_THAT(expect(409, "POST", "/v1/collections/bare/reindex")["detail"].get<std::string>(),
              HasSubstr("'bare'"));
}

TEST_F(Operations, CompactionLeavesTheDocuments) {
  const auto task = ended("/v1/collections/books/compact");
  EXPECT_EQ(task["status"], "done");
  EXPECT_GT(api::Json::parse(result(task))["bytes_before"], 0);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books")["documents"], 2);
}

TEST_F(Operations, GroupsAreFound) {
  EXPECT_EQ(result(ended("/v1/collections/books/groups", R"({"bound":3})")),
            "{\"size\":2,\"ids\":[\"a\",\"b\"]}\n");
}

TEST_F(Operations, BackupIsMadeWhereTheServerSays) {
  std::filesystem::create_directories(folder_.path() / "backups");
  const auto task = ended("/v1/backups", R"({"name":"monday"})");
  EXPECT_EQ(task["status"], "done") << task;
  EXPECT_EQ(task["collection"], nullptr);
  EXPECT_EQ(api::Json::parse(result(task))["documents"], 2);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "backups" / "monday" / "akin-backup.json"));
  const auto entry = expect(200, "GET", "/v1/audit")["entries"][0];
  EXPECT_EQ(entry["action"], "backup.made");
  EXPECT_EQ(entry["about"], "monday");
}

TEST_F(Operations, BackupsNameLeadsNowhereElse) {
  for (const char* name : {"..", "../x", "/tmp/x", "a/b", ""}) {
    const api::Json body = {{"name", name}};
    EXPECT_EQ(call("POST", "/v1/backups", kJson, body.dump()).status, 400) << name;
  }
}

}  // namespace
}  // namespace akin::test
