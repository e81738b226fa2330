#include "server/http/fair_pool.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>
#include <thread>

namespace akin::http {
namespace {

using namespace std::chrono_literals;

class SharesTest : public testing::Test {
 protected:
  FairPart::Transfer transfer() {
    return {.executor = context_.get_executor(), .cut = [this] { ++cuts_; }};
  }
  int cuts() {
    context_.restart();
    context_.poll();
    return cuts_;
  }

  boost::asio::io_context context_;
  int cuts_ = 0;
};

TEST_F(SharesTest, OneClientAloneMayHoldEverything) {
  FairPool pool(8, 0);
  FairPart part(pool, "a", transfer());
  EXPECT_TRUE(part.take(8));
  EXPECT_FALSE(part.take(1));
  EXPECT_EQ(pool.taken(), 8U);
}

TEST_F(SharesTest, WhatAShareHeldIsFreeAfterwards) {
  FairPool pool(8, 0);
  {
    FairPart part(pool, "a", transfer());
    EXPECT_TRUE(part.take(8));
  }
  EXPECT_EQ(pool.taken(), 0U);
}

TEST_F(SharesTest, AboveHalfNoClientGetsMoreThanItsEqualShareWhileOthersWantSome) {
  FairPool pool(8, 0);
  FairPart small(pool, "small", transfer()), large(pool, "large", transfer());
  EXPECT_TRUE(small.take(1));
  EXPECT_TRUE(large.take(3));
  EXPECT_TRUE(large.take(1)) << "four of eight is its equal part";
  EXPECT_FALSE(large.take(1));
  EXPECT_TRUE(small.take(3));
}

TEST_F(SharesTest, ClientThatHoldsNothingTakesWhatIsLeft) {
  FairPool pool(9, 0);
  FairPart first(pool, "a", transfer()), second(pool, "b", transfer()), third(pool, "c", transfer());
  EXPECT_TRUE(first.take(2));
  EXPECT_TRUE(second.take(2));
  EXPECT_TRUE(third.take(5)) << "more than a third, but otherwise it could never be served";
}

TEST_F(SharesTest, SlowTransferIsCutOffWhenNothingIsFree) {
  FairPool pool(8, 1000);
  FairPart slow(pool, "a", transfer());
  EXPECT_TRUE(slow.take(8));
  slow.begin_transfer();
  FairPart other(pool, "b", transfer());
  std::this_thread::sleep_for(250ms);  // it is over its equal part
  EXPECT_FALSE(other.take(1));
  EXPECT_EQ(cuts(), 1);
  EXPECT_TRUE(slow.was_cut());
}

TEST_F(SharesTest, FastTransferIsNotCutOff) {
  FairPool pool(8, 1000);
  FairPart fast(pool, "a", transfer());
  EXPECT_TRUE(fast.take(8));
  fast.begin_transfer();
  fast.moved(1'000'000);
  FairPart other(pool, "b", transfer());
  std::this_thread::sleep_for(250ms);
  EXPECT_FALSE(other.take(1));
  EXPECT_EQ(cuts(), 0);
}

TEST_F(SharesTest, WhatIsBeingWorkedOnIsNotCutOff) {
  FairPool pool(8, 1000);
  FairPart work(pool, "a", transfer());
  EXPECT_TRUE(work.take(8));
  work.begin_transfer();
  work.end_transfer();
  FairPart other(pool, "b", transfer());
  std::this_thread::sleep_for(250ms);
  EXPECT_FALSE(other.take(1));
  EXPECT_EQ(cuts(), 0);
}

TEST_F(SharesTest, TransferThatEndsBeforeItsCutIsLeftAlone) {
  FairPool pool(8, 1000);
  std::optional<FairPart> slow;
  slow.emplace(pool, "a", transfer());
  EXPECT_TRUE(slow->take(8));
  slow->begin_transfer();
  FairPart other(pool, "b", transfer());
  std::this_thread::sleep_for(250ms);
  EXPECT_FALSE(other.take(1));
  slow.reset();
  EXPECT_EQ(cuts(), 0);
  EXPECT_TRUE(other.take(8));
}

TEST(ClientName, IsTheKeyOrTheAddress) {
  EXPECT_EQ(client_name("k1", "10.0.0.1"), "key k1");
  EXPECT_EQ(client_name("", "10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(client_name("", "2001:db8:1:2:3:4:5:6"), client_name("", "2001:db8:1:2:9::1"));
  EXPECT_NE(client_name("", "2001:db8:1:2::1"), client_name("", "2001:db8:1:3::1"));
  EXPECT_EQ(client_name("", "::ffff:10.0.0.1"), "::ffff:10.0.0.1");
}

}  // namespace
}  // namespace akin::http
