// Collections that were built with different dictionaries, side by side in one server.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "index/lmdb/catalog.h"
#include "server/metrics/collections.h"
#include "server/run/dictionary_watch.h"
#include "server/run/task_kinds.h"
#include "tests/server/api/service_fixture.h"
#include "tests/support/earlier_collection.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;

constexpr std::string_view kForms =
    "The zorblings came in and went out. One zorbling stayed here. All zorblings sang. A zorbling slept. "
    "Two zorblings ate bread. No zorbling drank tea. Some zorblings read books. Every zorbling left.";

void await(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(condition());
}

/// The collection "old" knows no words; "new" has all forms of one in a class.
class OutdatedCollections : public ServiceTest {
 protected:
  OutdatedCollections() {
    DictionaryConfig config;
    config.cache = folder_.path() / "cache";
    std::ofstream(folder_.path() / "xx.aff") << "SET UTF-8\n\nSFX A Y 1\nSFX A 0 lings .\n";
    std::ofstream(folder_.path() / "xx.dic") << "2\nzorb/A\nzorbling/A\n";
    const auto dictionaries = std::make_shared<Dictionaries>(
        [this, config](const std::string&) mutable {
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

/// A server without languages of its own, on which a dictionary xx is installed, and one that changes.
class CollectionsOfLanguages : public ServiceTest {
 protected:
  CollectionsOfLanguages() {
    DictionaryConfig config;
    config.cache = folder_.path() / "cache";
    std::ofstream(folder_.path() / "xx.aff") << "SET UTF-8\n\nSFX A Y 1\nSFX A 0 lings .\n";
    write_words("2\nzorb/A\nzorbling/A\n");
    service_.dictionaries = std::make_shared<Dictionaries>(
        [this, config](const std::string& languages) mutable -> Result<std::shared_ptr<const Dictionary>> {
          config.languages.clear();
          if (languages == "xx") config.languages.push_back((folder_.path() / "xx.aff").string());
          if (languages == "xx" || languages.empty()) return Dictionary::open(config);
          return Error{Errc::bad_dictionary, "dictionary '" + languages + "'", "not installed", "install it"};
        },
        "");
    service_.catalog = open_data_folder(folder_.path(), service_.dictionaries, true).value();
    expect(201, "PUT", "/v1/collections/plain", kJson, R"({"scheme":"sentence-pairs"})");
    expect(201, "PUT", "/v1/collections/own", kJson, R"({"scheme":"sentence-pairs","languages":"xx"})");
  }
  void write_words(const std::string& words) const { std::ofstream(folder_.path() / "xx.dic") << words; }

  /// How many documents of the collection share text with one of other forms of the same words.
  [[nodiscard]] Json found(const std::string& collection) const {
    return expect(200, "POST", "/v1/collections/" + collection + "/similar?bound=0", kText,
                  kOtherForms)["total"];
  }

  static constexpr std::string_view kLemmas =
      "The zorb came. One zorb stayed here. All zorb sang. A zorb slept. Two zorb ate bread. Some zorb read.";
  static constexpr std::string_view kOtherForms =
      "The zorblings came. One zorblings stayed here. All zorblings sang. A zorblings slept. Two zorblings "
      "ate bread. "
      "Some zorblings read.";
};

TEST_F(CollectionsOfLanguages, CompareByTheirOwnWhateverReadsAText) {
  EXPECT_EQ(expect(200, "GET", "/v1/collections/own")["languages"], "xx");
  for (const std::string name : {"own", "plain"}) {
    const std::string path = "/v1/collections/" + name;
    expect(201, "PUT", path + "/documents/a", kText, kLemmas);
    EXPECT_EQ(found(name), name == "own" ? 1 : 0);
    const Json check =
        expect(201, "POST", "/v1/checks", kJson, Json{{"text", kOtherForms}, {"collections", {name}}}.dump());
    EXPECT_EQ(check["sources_total"], name == "own" ? 1 : 0) << check.dump();
    ASSERT_TRUE(service_.catalog->reindex(name, "", {}).has_value());
    EXPECT_EQ(found(name), name == "own" ? 1 : 0);
  }
  EXPECT_EQ(expect(200, "GET", "/v1/collections/own")["languages"], "xx");
}

TEST_F(CollectionsOfLanguages, AreAlignedByTheirOwnInOneCheck) {
  const auto words = [&](const Json& collections) {
    const Json body{{"text", kOtherForms}, {"collections", collections}};
    const Json check = expect(201, "POST", "/v1/checks", kJson, body.dump());
    return check["sources_total"] == 1 ? check["sources"][0]["words"] : check;
  };
  expect(201, "PUT", "/v1/collections/a-plain-one");
  expect(201, "PUT", "/v1/collections/ours", kJson, R"({"languages":"xx"})");
  expect(201, "PUT", "/v1/collections/ours/documents/a", kText, kLemmas);
  const Json alone = words({"ours"});
  EXPECT_GT(alone["a"], 0) << alone.dump();
  EXPECT_EQ(words({"a-plain-one", "ours"}), alone);
}

TEST_F(CollectionsOfLanguages, SayHowTextsAreReadThatNameThem) {
  const auto post = [&](const std::string& path, const Json& body) {
    return expect(200, "POST", path, kJson, body.dump());
  };
  const Json texts{{"a", kLemmas}, {"b", kOtherForms}, {"scheme", "sentence-pairs"}};
  const Json one{{"text", "zorb zorblings"}};
  const auto classes = [&](const std::string& query) {
    const Json words = post("/v1/features" + query, one)["sentences"][0]["words"];
    return words[0]["hash"] == words[1]["hash"] ? 1 : 2;
  };
  EXPECT_EQ(post("/v1/compare", texts)["x"], 0);
  EXPECT_EQ(post("/v1/compare?collection=plain", texts)["x"], 0);
  EXPECT_EQ(post("/v1/compare?collection=own", texts)["containment"], 1.0);
  EXPECT_EQ(classes(""), 2);
  EXPECT_EQ(classes("?collection=own"), 1);
  expect(404, "POST", "/v1/features?collection=none", kJson, one.dump());
  for (const std::string name : {"own", "plain"}) {
    const std::string path = "/v1/collections/" + name;
    expect(201, "PUT", path + "/documents/a", kText, kLemmas);
    const double all = name == "own" ? 1.0 : 0.0;
    const Json stored{{"collection", name}, {"id", "a"}};
    EXPECT_EQ(post("/v1/judge", {{"a", {{"text", kOtherForms}}}, {"b", stored}})["criteria"]["sentences"],
              all);
    const Json judged = post(path + "/judge?rule=sentences", {{"document", {{"text", kOtherForms}}}});
    EXPECT_EQ(judged["answer"], name == "own" ? "duplicate" : "new");
  }
}

TEST_F(CollectionsOfLanguages, AreOutdatedByTheirOwnDictionariesAlone) {
  EXPECT_EQ(expect(200, "GET", "/v1/collections/own")["dictionaries"]["outdated"], false);
  write_words("1\nzorb/A\n");
  EXPECT_TRUE(service_.dictionaries->refresh().value());
  EXPECT_EQ(expect(200, "GET", "/v1/collections/own")["dictionaries"]["outdated"], true);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/plain")["dictionaries"]["outdated"], false);
  EXPECT_EQ(service_.catalog->outdated().value().in_use, std::vector<std::string>{"own"});
  ASSERT_TRUE(service_.catalog->reindex("own", "", {}).has_value());
  EXPECT_TRUE(service_.catalog->outdated().value().in_use.empty());
}

TEST_F(CollectionsOfLanguages, AreMadeOfLanguagesThatAreInstalled) {
  const auto refused = [&](int status, const std::string& name, const std::string& languages) {
    return expect(status, "PUT", "/v1/collections/" + name, kJson,
                  Json{{"languages", languages}}.dump())["detail"]
        .get<std::string>();
  };
  EXPECT_THAT(refused(400, "new", "zz"), HasSubstr("field 'languages': dictionary 'zz' not installed"));
  EXPECT_THAT(refused(400, "new", (folder_.path() / "xx.aff").string()),
              HasSubstr("is not a list of languages"));
  EXPECT_THAT(refused(400, "new", "xx,"), HasSubstr("is not a list of languages"));
  expect(404, "GET", "/v1/collections/new");
  EXPECT_THAT(refused(409, "plain", "xx"), HasSubstr("and the languages xx"));
  expect(200, "PUT", "/v1/collections/own", kJson, R"({"scheme":"sentence-pairs","languages":"xx"})");
  expect(200, "PUT", "/v1/collections/own", kJson, R"({"scheme":"sentence-pairs"})");
}

/// "old" and "older" are of an akin with other text rules; "new" is not.
class UnreadableCollections : public ServiceTest {
 protected:
  UnreadableCollections() {
    for (const char* name : {"old", "older"})
      make_with_earlier_rules(*service_.catalog, name, empty_dictionary(), kForms);
    expect(201, "PUT", "/v1/collections/new");
    expect(201, "PUT", "/v1/collections/new/documents/a", kText, kForms);
  }
  [[nodiscard]] Json ready() const {
    return Json::parse(api::Readiness({}, 0).answer(service_.catalog.get()).body);
  }
};

constexpr const char* kReason = "of the text rules, and this akin has version";

TEST_F(UnreadableCollections, AreNamedByReadinessWithReasonAndRemedy) {
  const Json two = ready();
  EXPECT_EQ(two.at("status"), "ready");
  EXPECT_EQ(two.at("outdated_collections"), 0);
  EXPECT_EQ(two.at("unreadable_collections"), (Json{"old", "older"}));
  EXPECT_THAT(
      two.at("note").get<std::string>(),
      AllOf(HasSubstr("2 collections cannot be read, of which 'old': it was made"), HasSubstr(kReason)));
  ASSERT_TRUE(service_.catalog->drop("older").has_value());
  EXPECT_THAT(ready().at("note").get<std::string>(),
              AllOf(HasSubstr("collection 'old' cannot be read: it was made"), HasSubstr(kReason),
                    HasSubstr("; run `akin reindex --collection old` to rebuild it")));
}

TEST_F(UnreadableCollections, HaveTheReasonInTheListAndInEveryAnswer) {
  const Json list = expect(200, "GET", "/v1/collections");
  EXPECT_EQ(list.at("total"), 3);
  for (const Json& one : list.at("collections")) {
    EXPECT_EQ(one.contains("error"), one.at("name") != "new");
    if (one.contains("error")) {
      EXPECT_EQ(one.at("error").at("code"), "mismatch");
      EXPECT_THAT(one.at("error").at("reason").get<std::string>(), HasSubstr(kReason));
    }
  }
  for (const char* path : {"/v1/collections/old", "/v1/collections/old/documents/a"})
    EXPECT_THAT(expect(409, "GET", path).at("reason").get<std::string>(), HasSubstr(kReason));
  EXPECT_EQ(expect(200, "POST", "/v1/similar?bound=0&collections=new", kJson, Json{{"text", kForms}}.dump())
                .at("results")
                .size(),
            1U);
}

TEST_F(UnreadableCollections, AreCountedByAMetric) {
  std::vector<prometheus::MetricFamily> families;
  metrics::append_collections(*service_.catalog, families);
  const auto count = [&](const char* name) {
    const auto family = std::ranges::find(families, name, &prometheus::MetricFamily::name);
    return family == families.end() ? -1 : family->metric.front().gauge.value;
  };
  EXPECT_EQ(count("akin_collections_unreadable"), 2);
  EXPECT_EQ(count("akin_collections_outdated"), 0);
}

TEST_F(UnreadableCollections, AreRebuiltByATaskThatTheListThenShowsAsRead) {
  expect(202, "POST", "/v1/collections/old/reindex");
  await([&] { return ready().at("unreadable_collections") == Json{"older"}; });
  EXPECT_EQ(expect(200, "GET", "/v1/collections/old").at("documents"), 1);
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
  await([&] { return looks > 1; });
  {
    const std::lock_guard lock(mutex);
    EXPECT_THAT(warnings, testing::ElementsAre(HasSubstr("until a reindex: 'old'")));
  }
  EXPECT_TRUE(service_.tasks->list()->empty());
  hour = 4;
  await([&] { return service_.catalog->outdated()->in_use.empty(); });
  const int seen = looks;
  await([&] { return looks > seen + 2; });
  EXPECT_EQ(service_.tasks->list()->size(), 1U);
  EXPECT_EQ(found({{"text", kForms}}), (std::set<std::string>{"new", "old"}));
}

TEST_F(UnreadableCollections, AreInTheLogOnceForEachReasonAndRebuiltAtTheTimeOfDay) {
  std::atomic<int> hour = 3, looks = 0;
  std::mutex mutex;
  std::vector<std::string> warnings;
  const auto warn = [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    warnings.emplace_back(line);
  };
  const auto now = [&] {
    ++looks;
    std::tm time{};
    time.tm_hour = hour;
    return time;
  };
  const api::DictionaryWatch watch(
      service_, {.reindex_at = 4 * 60, .warn = warn, .pause = std::chrono::milliseconds(5), .now = now});
  await([&] { return looks > 2; });
  {
    const std::lock_guard lock(mutex);
    EXPECT_THAT(warnings,
                testing::ElementsAre(AllOf(HasSubstr("cannot be read: collection 'old': it was made"),
                                           HasSubstr(kReason), HasSubstr("akin reindex --collection old"),
                                           HasSubstr("; the same holds for 'older'"))));
  }
  hour = 4;
  await([&] { return service_.catalog->outdated()->unreadable.empty(); });
  expect(200, "GET", "/v1/collections/older/documents/a");
}

}  // namespace
}  // namespace akin::test
