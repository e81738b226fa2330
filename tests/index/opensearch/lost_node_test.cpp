// A cluster of three nodes that loses one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "index/opensearch/store.h"
#include "tests/support/opensearch_cluster.h"
#include "tests/support/sequences.h"
#include "tests/support/store_kind.h"

namespace akin::test {
namespace {

using opensearch::ClusterStore;

constexpr int kRounds = 3;

TEST(ClusterOfThreeNodes, LosesNothingThatWasAcknowledgedAndAnswersWhollyOrNotAtAll) {
  OpensearchCluster cluster(3);
  const auto store =
      ClusterStore::create(cluster.client("lost"), {"test-scheme", "fingerprint", "en"}).value();
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> acknowledged = 0, answered = 0, refused = 0;
  std::atomic<bool> lacked = false;
  std::thread writer([&] {
    for (std::uint64_t next = 0; !stop;) {
      const auto put = store->put(MadeDocument("d" + std::to_string(next), {1, 2}).view());
      if (put.has_error()) continue;
      acknowledged = ++next;
    }
  });
  std::thread reader([&] {
    const FeatureSequence query = make_sequence({1, 2});
    SearchRequest request;
    request.query = &query;
    request.bound = 0;
    request.limit = 1;
    while (!stop) {
      const std::uint64_t least = acknowledged;
      const auto view = store->snapshot();
      const auto result = view.has_error() ? Result<SearchResult>(view.error()) : (*view)->search(request);
      if (result.has_error()) {
        ++refused;
      } else {
        ++answered;
        if (result->total < least) lacked = true;
      }
    }
  });
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    cluster.kill(round);
    std::this_thread::sleep_for(std::chrono::seconds(10));
    cluster.start(round);
    cluster.wait_until_whole();
  }
  stop = true;
  writer.join();
  reader.join();
  EXPECT_FALSE(lacked);
  EXPECT_GT(answered, 0U);
  const auto again = ClusterStore::open(cluster.client("lost"), store->name()).value();
  const auto view = again->snapshot().value();
  for (std::uint64_t i = 0; i < acknowledged; ++i)
    ASSERT_EQ(view->text("d" + std::to_string(i)).value(), make_text({1, 2})) << i;
  EXPECT_EQ(view->verify(nullptr, nullptr).value(), 0U);
  std::printf("%llu writes acknowledged, %llu searches answered, %llu refused\n",
              static_cast<unsigned long long>(acknowledged), static_cast<unsigned long long>(answered),
              static_cast<unsigned long long>(refused));
}

}  // namespace
}  // namespace akin::test
