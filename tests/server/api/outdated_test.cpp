// Collections that were built with different dictionaries, side by side in one server.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "index/lmdb/catalog.h"
#include "server/api/dictionary_watch.h"
#include "server/api/task_kinds.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;

constexpr std::string_view kForms =
    "The zorblings came in and went out. One zorbling stayed here. All zorblings sang. A zorbling slept. "
    "Two zorblings ate bread. No zorbling drank tea. Some zorblings read books. Every zorbling left.";

/// The collection "old" knows no words; "new" has all forms of one in a class.
class OutdatedCollections : public ServiceTest {
 protected:
  OutdatedCollections() {
    DictionaryConfig config;
    config.cache = folder_.path() / "cache";
    std::ofstream(folder_.path() / "xx.aff") << "SET UTF-8\n\nSFX A Y 1\nSFX A 0 lings .\n";
    std::ofstream(folder_.path() / "xx.dic") << "2\nzorb/A\nzorbling/A\n";
    const auto dictionaries = std::make_shared<Dictionaries>(
        [this, config]() mutable {
          config.languages.clear();
          if (updated_) config.languages.push_back((folder_.path() / "xx.aff").string());
          return Dictionary::open(config);
        },
        "xx");
    service_.dictionaries = dictionaries;
    service_.catalog = open_data_folder(folder_.path(), dictionaries, true).value();
    expect(201, "PUT", "/v1/collections/old");
    expect(201, "PUT", "/v1/collections/old/documents/a", kText, kForms);
    updated_ = true;
    EXPECT_TRUE(dictionaries->refresh().value());
    expect(201, "PUT", "/v1/collections/new");
    expect(201, "PUT", "/v1/collections/new/documents/a", kText, kForms);
  }

  [[nodiscard]] std::set<std::string> found(const Json& query) const {
    const Json answer = expect(200, "POST", "/v1/similar?bound=0&collections=old,new", kJson, query.dump());
    std::set<std::string> names;
    for (const Json& one : answer.at("results"))
      if (one.at("contained") == 1.0) names.insert(one.at("collection").get<std::string>());
    return names;
  }

  bool updated_ = false;
};

TEST_F(OutdatedCollections, AnalyseAQueryEachWithTheirOwnDictionaries) {
  EXPECT_EQ(found({{"text", kForms}}), (std::set<std::string>{"new", "old"}));
  EXPECT_EQ(found({{"collection", "old"}, {"id", "a"}}), (std::set<std::string>{"new"}));
  EXPECT_EQ(found({{"collection", "new"}, {"id", "a"}}), (std::set<std::string>{"old"}));
}

TEST_F(OutdatedCollections, CheckATextEachWithTheirOwnDictionaries) {
  const Json both = expect(201, "POST", "/v1/checks", kJson,
                           Json{{"text", kForms}, {"collections", {"old", "new"}}}.dump());
  EXPECT_EQ(both.at("sources_total"), 2);
  EXPECT_THAT(both.at("fingerprint").get<std::string>(), HasSubstr(","));
  const Json one =
      expect(201, "POST", "/v1/checks", kJson, Json{{"text", kForms}, {"collections", {"old"}}}.dump());
  EXPECT_EQ(one.at("sources_total"), 1);
  EXPECT_EQ(one.at("fingerprint"), expect(200, "GET", "/v1/collections/old").at("fingerprint"));
}

TEST_F(OutdatedCollections, ExcludeATemplateFromBoth) {
  const Json policy{{"exclude", {{"templates", {{{"text", kForms}}}}}}};
  const Json answer =
      expect(201, "POST", "/v1/checks", kJson,
             Json{{"text", kForms}, {"collections", {"old", "new"}}, {"policy", policy}}.dump());
  EXPECT_EQ(answer.at("letters").at("compared"), 0);
}

TEST_F(OutdatedCollections, AreAnnounced) {
  const Json old = expect(200, "GET", "/v1/collections/old").at("dictionaries");
  const Json fresh = expect(200, "GET", "/v1/collections/new");
  EXPECT_EQ(old.at("outdated"), true);
  EXPECT_EQ(old.at("configured_fingerprint"), fresh.at("fingerprint"));
  EXPECT_EQ(fresh.at("dictionaries").at("outdated"), false);
  const Json ready = Json::parse(api::Readiness({}, 0).answer(service_.catalog.get()).body);
  EXPECT_EQ(ready.at("status"), "ready");
  EXPECT_EQ(ready.at("outdated_collections"), 1);
  EXPECT_THAT(ready.at("note").get<std::string>(),
              HasSubstr("collection 'old' was built with other dictionaries"));
}

TEST_F(OutdatedCollections, AreRebuiltOnceAtTheTimeOfDay) {
  service_.tasks = tasks::Tasks::open(service_.state, folder_.path() / "more-tasks",
                                      api::task_kinds(service_.catalog, service_.state, {}))
                       .value();
  std::atomic<int> hour = 3;
  std::atomic<int> looks = 0;
  std::mutex mutex;
  std::vector<std::string> warnings;
  const api::DictionaryWatch watch(service_, {.reindex_at = 4 * 60,
                                              .warn =
                                                  [&](std::string_view line) {
                                                    const std::lock_guard lock(mutex);
                                                    warnings.emplace_back(line);
                                                  },
                                              .pause = std::chrono::milliseconds(5),
                                              .now =
                                                  [&] {
                                                    ++looks;
                                                    std::tm time{};
                                                    time.tm_hour = hour;
                                                    return time;
                                                  }});
  const auto await = [](const auto& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(condition());
  };
  await([&] { return looks > 1; });
  {
    const std::lock_guard lock(mutex);
    EXPECT_THAT(warnings, testing::ElementsAre(HasSubstr("until a reindex: 'old'")));
  }
  EXPECT_TRUE(service_.tasks->list()->empty());
  hour = 4;
  await([&] { return service_.catalog->outdated()->empty(); });
  const int seen = looks;
  await([&] { return looks > seen + 2; });
  EXPECT_EQ(service_.tasks->list()->size(), 1U);
  EXPECT_EQ(found({{"text", kForms}}), (std::set<std::string>{"new", "old"}));
}

}  // namespace
}  // namespace akin::test
