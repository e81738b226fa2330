// A server that is cut off without a word: an error in bounded time, never half an answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>

#include "tests/index/pg/fault_fixture.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

enum class Cut { cable, silence };

/// A database that may be cut off.
class NetworkTest : public testing::TestWithParam<Cut> {
 protected:
  void SetUp() override {
    if (!network_.is_there()) GTEST_SKIP() << "network namespaces cannot be made here";
  }

  /// `limits`: settings of the connections.
  void make(const std::string& limits) {
    distant_ = std::make_unique<DistantServer>(network_);
    pool_ = std::make_shared<pg::Pool>(distant_->far() + limits);
    store_ = must(pg::PgStore::create(pool_, {"test-scheme", "fingerprint", "ru,en"}));
    std::vector<MadeDocument> made;
    for (std::uint64_t i = 0; i < 60; ++i) {
      const Values values = random_.values(80);
      expected_[numbered("d", i)] = values;
      made.emplace_back(numbered("d", i), values);
    }
    std::vector<NewDocument> views;
    views.reserve(made.size());
    for (const MadeDocument& one : made) views.push_back(one.view());
    must(store_->put_all(views));
  }

  void cut() { GetParam() == Cut::cable ? network_.cut() : network_.silence(); }

  Result<std::vector<std::string>> search() {
    const FeatureSequence sequence = make_sequence(query_);
    SearchRequest request;
    request.query = &sequence;
    request.bound = 0;
    request.limit = 1'000'000;
    AKIN_TRY(const std::unique_ptr<Snapshot> view, store_->snapshot());
    AKIN_TRY(const SearchResult result, view->search(request));
    std::vector<std::string> hits;
    for (const Hit& hit : result.hits) hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
    std::ranges::sort(hits);
    return hits;
  }

  Result<void> put() {
    std::vector<MadeDocument> made;
    for (std::uint64_t i = 0; i < 20; ++i) made.emplace_back(numbered("d", i), expected_[numbered("d", i)]);
    std::vector<NewDocument> views;
    views.reserve(made.size());
    for (const MadeDocument& one : made) views.push_back(one.view());
    AKIN_CHECK(store_->put_all(views));
    return {};
  }

  template <class Do>
  static void expect_error(const char* doing, seconds limit, const Do& act) {
    const auto start = steady_clock::now();
    const auto refused = act();
    const std::chrono::duration<double> took = steady_clock::now() - start;
    ASSERT_TRUE(refused.has_error()) << doing;
    EXPECT_TRUE(refused.error().code == Errc::unavailable || refused.error().code == Errc::timed_out)
        << refused.error().message();
    EXPECT_LT(took, limit) << doing;
    std::printf("%s: %.1f s: %s\n", doing, took.count(), refused.error().message().c_str());
  }

  /// After a failed attempt to connect, a pool pauses for as long as that lasted, at most 5 s.
  template <class Do>
  static void expect_recovery(const Do& act) {
    const auto until = steady_clock::now() + seconds(6);
    auto outcome = act();
    while (outcome.has_error() && steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      outcome = act();
    }
    must(std::move(outcome));
  }

  void expect_exact() { EXPECT_EQ(must(search()), hits_by_definition(expected_, query_, 0)); }

  Network network_;
  std::unique_ptr<DistantServer> distant_;
  std::shared_ptr<pg::Pool> pool_;
  std::shared_ptr<pg::PgStore> store_;
  RandomValues random_{11, 400, 0x9e3779b97f4a7c15};
  Values query_ = random_.values(120);
  Documents expected_;
};

constexpr const char* kShort =
    " connect_timeout=3 tcp_user_timeout=4000 keepalives_idle=1 keepalives_interval=1";

/// With the limits of a connection string that names none.
class DefaultLimits : public NetworkTest {};

TEST_P(DefaultLimits, BoundEveryWait) {
  make("");
  expect_exact();
  must(put());
  cut();
  auto putting = std::async(std::launch::async,
                            [&] { expect_error("a put, connected", seconds(45), [&] { return put(); }); });
  expect_error("a search, connected", seconds(45), [&] { return search(); });
  putting.get();
  expect_error("a search, not connected", seconds(20), [&] { return search(); });
  expect_error("a put, not connected", seconds(20), [&] { return put(); });
  network_.mend();
  expect_recovery([&] { return search(); });
  expect_exact();
  expect_recovery([&] { return put(); });
  expect_exact();
}

TEST_P(NetworkTest, AServerCutOffInMidQueryIsAnError) {
  make(kShort);
  for (int round = 0; round < 2; ++round) {
    expect_exact();
    {
      const Stall stall(distant_->near(), pg::of_store("akin.postings_@", store_->number()));
      auto outcome = std::async(std::launch::async, [&] { return search(); });
      stall.await();
      cut();
      expect_error("a search, in its midst", seconds(15), [&] { return outcome.get(); });
    }
    network_.mend();
    expect_recovery([&] { return search(); });
    expect_exact();
  }
}

TEST_P(NetworkTest, AConnectionThatDiedWithoutAWordIsNotUsed) {
  make(kShort);
  expect_exact();
  must(put());
  cut();
  // What the server says at its end is lost; it does not know the connections when it is back.
  distant_->kill();
  distant_->start();
  network_.mend();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // longer than connections are trusted
  expect_exact();
  must(put());
  expect_exact();
}

TEST_P(NetworkTest, ASnapshotOverAConnectionThatDiedWithoutAWordIsBegunAgain) {
  distant_ = std::make_unique<DistantServer>(network_);
  pool_ = std::make_shared<pg::Pool>(distant_->far() + kShort);
  store_ = must(pg::PgStore::create(pool_, {"test-scheme", "fingerprint", "ru,en"}));
  for (int round = 0; round < 3; ++round) {
    expect_exact();
    cut();
    distant_->kill();
    distant_->start();
    network_.mend();
    // As soon as this, connections are trusted; the store is empty, which is an answer too.
    expect_exact();
  }
}

INSTANTIATE_TEST_SUITE_P(Silence, DefaultLimits, testing::Values(Cut::silence));
INSTANTIATE_TEST_SUITE_P(Cuts, NetworkTest, testing::Values(Cut::cable, Cut::silence),
                         [](const auto& cut) { return cut.param == Cut::cable ? "Cable" : "Silence"; });

}  // namespace
}  // namespace akin::test
