// The audit log: that a changed, removed or forged entry is found and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "base/sha256.h"
#include "server/audit/audit_log.h"
#include "server/audit/erasure.h"
#include "server/json/strict_json.h"
#include "server/state/copy_state.h"
#include "tests/support/temporary_folder.h"

namespace akin::audit {
namespace {

using state::Table;
using testing::ElementsAre;
using testing::IsEmpty;

class AuditTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 1; i <= 6; ++i) add("document " + std::to_string(i));
  }
  void add(const std::string& about) {
    Event event{.by = {.kind = "person", .id = "anna", .name = "Anna", .address = "192.0.2.1"},
                .action = "document.read",
                .about = about};
    EXPECT_TRUE(record(*state_, event).has_value());
  }
  [[nodiscard]] Verified verified() const { return verify(*state_).value(); }
  [[nodiscard]] std::string key(std::size_t number) const {
    return state_->list(Table::audit, "", "", 100).value().at(number - 1).key;
  }
  [[nodiscard]] std::string line(std::size_t number) const { return lines(*state_, number - 1, 1)->front(); }

  const test::TemporaryFolder folder_;
  const std::shared_ptr<state::State> state_ = state::State::open(folder_.path()).value();
};

TEST_F(AuditTest, AnUntouchedLogVerifies) {
  const Verified whole = verified();
  EXPECT_EQ(whole.entries, 6U);
  EXPECT_THAT(whole.problems, IsEmpty());
  EXPECT_EQ(whole.head, json::parse_json(line(6))->at("hash").get<std::string>());
}

TEST_F(AuditTest, AnEntrySaysWhoWhenWhatAndFromWhere) {
  const json::Json entry = json::parse_json(line(2)).value();
  EXPECT_EQ(entry["number"], 2);
  EXPECT_EQ(entry["by"]["id"], "anna");
  EXPECT_EQ(entry["address"], "192.0.2.1");
  EXPECT_EQ(entry["action"], "document.read");
  EXPECT_EQ(entry["about"], "document 2");
  EXPECT_EQ(entry["previous"], json::parse_json(line(1))->at("hash"));
}

TEST_F(AuditTest, AnActThatIsKilledIsRecorded) {
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    const auto own = state::State::open(folder_.path() / "own").value();
    const auto killed = record_and_do(
        own.get(), {.by = {}, .action = "document.deleted", .about = "books/one"}, []() -> Result<void> {
          kill(getpid(), SIGKILL);
          return {};
        });
    _exit(killed.has_value() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto after = state::State::open(folder_.path() / "own").value();
  const auto found = lines(*after, 0, 10).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(json::parse_json(found.front())->at("about"), "books/one");
}

TEST_F(AuditTest, AnActThatFailsIsFollowedByItsError) {
  const auto failed =
      record_and_do(state_.get(), {.by = {}, .action = "document.deleted", .about = "books/one"}, [] {
        return Result<void>(Error{Errc::disk_full, "books", "full", ""});
      });
  EXPECT_EQ(failed.error().code, Errc::disk_full);
  ASSERT_EQ(verified().entries, 8U);
  EXPECT_EQ(json::parse_json(line(7))->at("details"), json::Json::object());
  EXPECT_EQ(json::parse_json(line(8))->at("details"), json::Json({{"failed", "disk_full"}}));
}

TEST_F(AuditTest, AHashIsThatOfTheLineWithoutIt) {
  std::string bare = line(3);
  const std::size_t at = bare.rfind(",\"hash\":");
  const std::string hash = bare.substr(at + 9, 64);
  bare = bare.substr(0, at) + "}";
  EXPECT_EQ(sha256_hex(bare), hash);
}

TEST_F(AuditTest, EveryChangedByteIsFound) {
  const std::string whole = line(3), at = key(3);
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    std::string changed = whole;
    changed[byte] = static_cast<char>(changed[byte] ^ 1);
    ASSERT_TRUE(state_->put(Table::audit, at, changed).has_value());
    EXPECT_FALSE(verified().problems.empty()) << byte;
  }
  ASSERT_TRUE(state_->put(Table::audit, at, whole).has_value());
  EXPECT_THAT(verified().problems, IsEmpty());
}

TEST_F(AuditTest, AChangedEntryIsNamed) {
  std::string changed = line(3);
  changed.replace(changed.find("document 3"), 10, "document 9");
  ASSERT_TRUE(state_->put(Table::audit, key(3), changed).has_value());
  EXPECT_THAT(verified().problems, ElementsAre("entry 3 was changed"));
}

TEST_F(AuditTest, AForgedEntryDoesNotFollowTheOneBefore) {
  std::string forged = line(3);
  forged.replace(forged.find("document 3"), 10, "document 9");
  forged = forged.substr(0, forged.rfind(",\"hash\":"));
  forged += ",\"hash\":\"" + sha256_hex(forged + "}") + "\"}";
  ASSERT_TRUE(state_->put(Table::audit, key(3), forged).has_value());
  EXPECT_THAT(verified().problems, ElementsAre("entry 4 does not follow the one before it"));
}

TEST_F(AuditTest, MissingEntriesAreNamed) {
  ASSERT_TRUE(state_->erase(Table::audit, key(2)).value());
  ASSERT_TRUE(state_->erase(Table::audit, key(2)).value());  // that was the third
  EXPECT_THAT(verified().problems, ElementsAre("entries 2 to 3 are missing"));
}

TEST_F(AuditTest, AMissingEndIsFound) {
  ASSERT_TRUE(state_->erase(Table::audit, key(6)).value());
  EXPECT_THAT(verified().problems, ElementsAre("entries 6 to 6 are missing"));
}

TEST_F(AuditTest, AnEmptyLogVerifies) {
  ASSERT_TRUE(state_->erase_all(Table::audit, "").has_value());
  EXPECT_EQ(verified().entries, 0U);
  EXPECT_THAT(verified().problems, IsEmpty());
}

TEST_F(AuditTest, EntriesOfManyThreadsMakeOneChain) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i)
    writers.emplace_back([&] {
      for (int j = 0; j < 10; ++j) add("x");
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(verified().entries, 86U);
  EXPECT_THAT(verified().problems, IsEmpty());
}

TEST_F(AuditTest, ACopyOfTheStateHasTheLogAndGoesOn) {
  const test::TemporaryFolder other;
  const auto to = state::State::open(other.path()).value();
  ASSERT_TRUE(state::copy_state(*state_, *to).has_value());
  ASSERT_TRUE(record(*to, {{}, "x", ""}).has_value());
  EXPECT_EQ(verify(*to)->entries, 7U);
  EXPECT_THAT(verify(*to)->problems, IsEmpty());
}

TEST_F(AuditTest, APlaceWithALogOfItsOwnKeepsIt) {
  const test::TemporaryFolder other;
  const auto to = state::State::open(other.path()).value();
  ASSERT_TRUE(record(*to, {{}, "x", ""}).has_value());
  ASSERT_TRUE(state::copy_state(*state_, *to).has_value());
  EXPECT_EQ(verify(*to)->entries, 1U);
}

TEST_F(AuditTest, AnErasedEntryKeepsItsNumberAndHashAndTheLogVerifies) {
  const json::Json before = json::parse_json(line(3)).value();
  const auto erased = erase_entries(
      *state_, [](const json::Json& entry) { return entry["about"] == "document 3"; }, {.kind = "command"});
  EXPECT_EQ(erased.value(), 1U);
  const json::Json after = json::parse_json(line(3)).value();
  for (const char* kept : {"number", "time", "action", "previous", "hash"})
    EXPECT_EQ(after[kept], before[kept]);
  EXPECT_EQ(line(3).find("anna"), std::string::npos);
  EXPECT_EQ(line(3).find("192.0.2.1"), std::string::npos);
  EXPECT_THAT(verified().problems, IsEmpty());
  EXPECT_EQ(verified().entries, 7U);
}

TEST_F(AuditTest, NobodyErasesAnEntryBehindTheLogsBack) {
  std::string forged = line(3);
  ASSERT_TRUE(
      erase_entries(*state_, [](const json::Json& entry) { return entry["about"] == "document 2"; }, {}));
  json::Json entry = json::parse_json(forged).value();
  entry["by"] = nullptr;
  entry["address"] = entry["about"] = "";
  entry["details"] = {{"erased", true}};
  ASSERT_TRUE(state_->put(Table::audit, key(3), entry.dump()).has_value());
  EXPECT_THAT(verified().problems, ElementsAre("entry 3 was changed"));
}

}  // namespace
}  // namespace akin::audit
