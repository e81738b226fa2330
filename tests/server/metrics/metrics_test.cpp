// What /metrics reports, and what decides the answer of /readyz.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "index/lmdb/catalog.h"
#include "index/search/word_cache.h"
#include "server/api/health.h"
#include "server/metrics/metrics.h"
#include "server/run/expiry.h"
#include "tests/server/api/failing_catalog.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kCount = "akin_http_request_duration_seconds_count";

TEST(Metrics, CountsRequestsByRouteMethodAndStatus) {
  metrics::Metrics counted("1");
  for (int time = 0; time < 3; ++time) counted.answered({.route = "/livez", .method = "GET", .status = 200});
  counted.answered({.route = "/livez", .method = "GET", .status = 404});
  EXPECT_THAT(counted.text(),
              AllOf(HasSubstr(std::string(kCount) + R"({method="GET",route="/livez",status="200"} 3)"),
                    HasSubstr(std::string(kCount) + R"({method="GET",route="/livez",status="404"} 1)")));
}

TEST(Metrics, ClientsCannotMakeNewSeries) {
  metrics::Metrics counted("1");
  for (const char* method : {"BREW", "PROPFIND", "\"\n"})
    counted.answered({.route = "", .method = method, .status = 405});
  const std::string text = counted.text();
  EXPECT_THAT(text, HasSubstr(std::string(kCount) + R"({method="other",route="none",status="405"} 3)"));
  EXPECT_THAT(text, Not(HasSubstr("BREW")));
}

TEST(Metrics, ThreadsCountTogether) {
  metrics::Metrics counted("1");
  constexpr int kThreads = 4;
  constexpr int kEach = 1000;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        for (int time = 0; time < kEach; ++time) {
          counted.answered({.route = "/a", .method = "PUT", .status = 200, .bytes_in = 2});
          counted.rejected("queue_full");
        }
      });
    }
  }
  EXPECT_THAT(counted.text(),
              AllOf(HasSubstr(std::string(kCount) + R"({method="PUT",route="/a",status="200"} 4000)"),
                    HasSubstr(R"(akin_http_requests_rejected_total{reason="queue_full"} 4000)"),
                    HasSubstr("akin_http_request_body_bytes_total 8000")));
}

TEST(Metrics, TellsOfTheProcess) {
  const std::string text = metrics::Metrics("1.2.3").text();
  for (const char* name : {"process_start_time_seconds", "process_resident_memory_bytes", "process_open_fds",
                           "process_cpu_seconds_total", R"(akin_build_info{version="1.2.3"} 1)"}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
}

/// The figure's value; fails the test where there is none.
double figure(const std::string& text, const std::string& name) {
  const auto at = text.find("\n" + name + " ");
  EXPECT_NE(at, std::string::npos) << name << " is not in\n" << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

class MetricsOfService : public ServiceTest {
 protected:
  MetricsOfService() {
    service_.metrics = std::make_shared<metrics::Metrics>("1");
    service_.metrics->watch(service_.catalog);
  }
};

TEST_F(MetricsOfService, TellOpenCollections) {
  expect(201, "PUT", "/v1/collections/c", kJson, R"({"scheme":"sentence-pairs"})");
  expect(201, "PUT", "/v1/collections/c/documents/a", kText, sentences(1, 10));
  const api::Response answer = call("GET", "/metrics");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at(0).second, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(answer.body, AllOf(HasSubstr(R"(akin_collection_documents{collection="c"} 1)"),
                                 HasSubstr(R"(akin_collection_features{collection="c"} 10)"),
                                 HasSubstr(R"(akin_collection_recent_postings{collection="c"} 10)"),
                                 HasSubstr(R"(akin_collection_runs{collection="c"} 1)")));
}

TEST_F(MetricsOfService, TellHowFullACollectionsStoreIs) {
  expect(201, "PUT", "/v1/collections/c", kJson, R"({"scheme":"sentence-pairs"})");
  expect(201, "PUT", "/v1/collections/c/documents/a", kText, sentences(1, 10));
  const std::string text = call("GET", "/metrics").body;
  const double used = figure(text, R"(akin_collection_map_used_bytes{collection="c"})");
  EXPECT_GT(used, 0);
  EXPECT_LE(used, figure(text, R"(akin_collection_map_bytes{collection="c"})"));
  EXPECT_EQ(figure(text, R"(akin_collection_runs{collection="c"})"), 1);
  EXPECT_EQ(figure(text, R"(akin_collection_recent_postings{collection="c"})"), 10);
  EXPECT_EQ(figure(text, R"(akin_collection_dead_documents{collection="c"})"), 0);
  EXPECT_EQ(figure(text, R"(akin_collection_merging{collection="c"})"), 0);
}

TEST_F(MetricsOfService, TellWhatKeptFilesTake) {
  expect(201, "PUT", "/v1/collections/c", kJson, R"({"store_file":true})");
  expect(201, "PUT", "/v1/collections/none");
  const std::string page = "<p>" + std::string(5'000, 'a') + " A page.";
  expect(201, "PUT", "/v1/collections/c/documents/a", "text/html", page);
  expect(201, "PUT", "/v1/collections/none/documents/a", "text/html", page);
  const std::string text = call("GET", "/metrics").body;
  const auto bytes = static_cast<double>(page.size());
  EXPECT_EQ(figure(text, R"(akin_collection_file_bytes{collection="c"})"), bytes);
  EXPECT_LT(figure(text, R"(akin_collection_file_stored_bytes{collection="c"})"), bytes / 10);
  EXPECT_EQ(text.find(R"(akin_collection_file_bytes{collection="none"})"), std::string::npos);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/c").at("file_bytes"), page.size());
  EXPECT_FALSE(expect(200, "GET", "/v1/collections/none").contains("file_bytes"));
}

TEST_F(MetricsOfService, CountChecksByVerdict) {
  expect(201, "PUT", "/v1/collections/c");
  for (int i = 0; i < 2; ++i)
    expect(201, "POST", "/v1/checks", kJson,
           R"({"collections":["c"],"text":"The cat sat on the mat. It slept."})");
  const std::string text = call("GET", "/metrics").body;
  double all = 0;
  for (const char* verdict : {"pass", "review", "refuse"}) {
    const std::string series = std::string(R"(akin_checks_total{verdict=")") + verdict + R"("})";
    if (text.find(series) != std::string::npos) all += figure(text, series);
  }
  EXPECT_EQ(all, 2);
}

TEST_F(MetricsOfService, TellTasksByStatus) {
  expect(201, "PUT", "/v1/collections/c");
  const auto task = expect(202, "POST", "/v1/collections/c/pairs", kJson, R"({"bound":0})");
  const std::string place = "/v1/tasks/" + task.at("id").get<std::string>();
  while (expect(200, "GET", place).at("status") != "done")
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::string text = call("GET", "/metrics").body;
  EXPECT_EQ(figure(text, R"(akin_tasks{status="done"})"), 1);
  for (const char* none : {"queued", "running", "failed", "cancelled", "interrupted"})
    EXPECT_EQ(figure(text, std::string(R"(akin_tasks{status=")") + none + R"("})"), 0) << none;
}

TEST_F(MetricsOfService, TellHowOftenWordsWereKept) {
  expect(201, "PUT", "/v1/collections/c");
  const auto counts = [this] {
    const std::string text = call("GET", "/metrics").body;
    std::vector<double> values;
    for (const char* name : {"akin_words_total", "akin_words_missed_total", "akin_words_unknown_total",
                             "akin_words_resolved_total"})
      values.push_back(figure(text, name));
    return values;
  };
  const std::string text = "Herons migrate silently, abide aloft nightly.";
  const auto before = counts();
  expect(201, "PUT", "/v1/collections/c/documents/a", kText, text);
  const auto first = counts();
  const double words = first.at(0) - before.at(0);
  const double missed = first.at(1) - before.at(1);
  EXPECT_GT(missed, 0);
  EXPECT_GE(words, missed) << "each scheme looks words up, the first one misses them";
  const double unknown = first.at(2) - before.at(2);
  EXPECT_GT(unknown, 0);
  EXPECT_GE(missed, unknown) << "the second scheme's look-up of a word finds what the first one remembered";
  EXPECT_GE(first.at(3) - before.at(3), unknown);
  expect(201, "PUT", "/v1/collections/c/documents/b", kText, text);
  const auto second = counts();
  EXPECT_EQ(second.at(0) - first.at(0), words);
  EXPECT_EQ(second.at(1), first.at(1));
  EXPECT_EQ(second.at(2), first.at(2));
  EXPECT_EQ(second.at(3), first.at(3));
}

TEST_F(MetricsOfService, TellWhatIsKeptOfStoredTexts) {
  WordCache::of_process().set_limit(1U << 30U);
  const auto values = [this] {
    const std::string text = call("GET", "/metrics").body;
    return std::tuple(figure(text, "akin_word_cache_hits_total"),
                      figure(text, "akin_word_cache_misses_total"), figure(text, "akin_word_cache_bytes"));
  };
  const auto [hits, misses, bytes] = values();
  expect(201, "PUT", "/v1/collections/c");
  const std::string text = sentences(1, 40);
  expect(201, "PUT", "/v1/collections/c/documents/a", kText, text);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(call("POST", "/v1/collections/c/similar", kText, text).body, HasSubstr(R"("id":"a")"));
    const auto [later_hits, later_misses, later_bytes] = values();
    EXPECT_EQ(later_misses, misses + 1);
    if (i == 1) {
      EXPECT_GT(later_hits, hits + 1);
    }
    EXPECT_GT(later_bytes, bytes + 2 * 40);
  }
  WordCache::of_process().set_limit(0);
  EXPECT_EQ(std::get<2>(values()), 0);
}

TEST_F(MetricsOfService, TellWhichBackgroundWorkFailed) {
  const auto failures = [this] {
    return figure(call("GET", "/metrics").body, R"(akin_background_failures_total{round="expiry"})");
  };
  const double before = failures();
  api::Expiry::sweep(service_);
  EXPECT_EQ(failures(), before);
  const auto catalog = service_.catalog;
  service_.catalog = failing_catalog(service_.dictionaries->configured().value(),
                                     Error{Errc::io, "disk", "it cannot be read", "replace it"});
  api::Expiry::sweep(service_);
  service_.catalog = catalog;
  EXPECT_EQ(failures(), before + 1);
}

TEST_F(MetricsOfService, OpenNoCollection) {
  expect(201, "PUT", "/v1/collections/c");
  service_.catalog = open_data_folder(folder_.path(), service_.dictionaries, false).value();
  service_.metrics->watch(service_.catalog);
  EXPECT_THAT(call("GET", "/metrics").body, HasSubstr("akin_collections_open 0"));
  EXPECT_TRUE(service_.catalog->open_now().empty());
}

TEST(WithoutMetrics, ThereIsNothingToTell) {
  const TemporaryFolder folder;
  EXPECT_EQ(api::handle(open_service(folder.path()),
                        {.method = "GET", .target = "/metrics", .content_type = "", .body = ""})
                .status,
            404);
}

/// The checks by name: whether each is passed.
std::string checks(const api::Response& answer) {
  std::string told;
  const api::Json object = api::Json::parse(answer.body);
  for (const auto& check : object["checks"])
    told += check["name"].get<std::string>() + (check["ok"].get<bool>() ? "+ " : "- ");
  return told;
}

class Ready : public ServiceTest {};

TEST_F(Ready, WhenAllIsWell) {
  const auto answer = api::Readiness(folder_.path(), 1).answer(service_.catalog.get());
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(checks(answer), "open+ accepting+ disk+ ");
}

TEST_F(Ready, NotWhileOpening) {
  const auto answer = api::Readiness(folder_.path(), 1).answer(nullptr);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(checks(answer), "open- accepting+ disk+ ");
  EXPECT_THAT(answer.body, HasSubstr("opening"));
}

TEST_F(Ready, NotWhileDraining) {
  api::Readiness readiness(folder_.path(), 1);
  readiness.set_draining();
  const auto answer = readiness.answer(service_.catalog.get());
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(checks(answer), "open+ accepting- disk+ ");
}

TEST_F(Ready, NotOnAFullDisk) {
  const auto answer = api::Readiness(folder_.path(), ~std::uint64_t{0}).answer(service_.catalog.get());
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(checks(answer), "open+ accepting+ disk- ");
  EXPECT_THAT(answer.body, HasSubstr("disk of the data folder"));
}

TEST_F(Ready, FolderThatIsNotYetMadeLiesOnItsParentsDisk) {
  EXPECT_EQ(checks(api::Readiness(folder_.path() / "a" / "b", 1).answer(nullptr)), "open- accepting+ disk+ ");
}

}  // namespace
}  // namespace akin::test
