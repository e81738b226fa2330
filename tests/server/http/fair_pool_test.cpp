#include "server/http/shares.h"

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
  Share::Transfer transfer() {
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
  Shares shares(8, 0);
  Share share(shares, "a", transfer());
  EXPECT_TRUE(share.take(8));
  EXPECT_FALSE(share.take(1));
  EXPECT_EQ(shares.taken(), 8U);
}

TEST_F(SharesTest, WhatAShareHeldIsFreeAfterwards) {
  Shares shares(8, 0);
  {
    Share share(shares, "a", transfer());
    EXPECT_TRUE(share.take(8));
  }
  EXPECT_EQ(shares.taken(), 0U);
}

TEST_F(SharesTest, AboveHalfNoClientGetsMoreThanItsEqualShareWhileOthersWantSome) {
  Shares shares(8, 0);
  Share small(shares, "small", transfer()), large(shares, "large", transfer());
  EXPECT_TRUE(small.take(1));
  EXPECT_TRUE(large.take(3));
  EXPECT_TRUE(large.take(1)) << "four of eight is its equal share";
  EXPECT_FALSE(large.take(1));
  EXPECT_TRUE(small.take(3));
}

TEST_F(SharesTest, ClientThatHoldsNothingTakesWhatIsLeft) {
  Shares shares(9, 0);
  Share first(shares, "a", transfer()), second(shares, "b", transfer()), third(shares, "c", transfer());
  EXPECT_TRUE(first.take(2));
  EXPECT_TRUE(second.take(2));
  EXPECT_TRUE(third.take(5)) << "more than a third, but otherwise it could never be served";
}

TEST_F(SharesTest, SlowTransferIsCutOffWhenNothingIsFree) {
  Shares shares(8, 1000);
  Share slow(shares, "a", transfer());
  EXPECT_TRUE(slow.take(8));
  slow.begin_transfer();
  Share other(shares, "b", transfer());
  std::this_thread::sleep_for(250ms);  // it is over its equal share
  EXPECT_FALSE(other.take(1));
  EXPECT_EQ(cuts(), 1);
  EXPECT_TRUE(slow.was_cut());
}

TEST_F(SharesTest, FastTransferIsNotCutOff) {
  Shares shares(8, 1000);
  Share fast(shares, "a", transfer());
  EXPECT_TRUE(fast.take(8));
  fast.begin_transfer();
  fast.moved(1'000'000);
  Share other(shares, "b", transfer());
  std::this_thread::sleep_for(250ms);
  EXPECT_FALSE(other.take(1));
  EXPECT_EQ(cuts(), 0);
}

TEST_F(SharesTest, WhatIsBeingWorkedOnIsNotCutOff) {
  Shares shares(8, 1000);
  Share work(shares, "a", transfer());
  EXPECT_TRUE(work.take(8));
  work.begin_transfer();
  work.end_transfer();
  Share other(shares, "b", transfer());
  std::this_thread::sleep_for(250ms);
  EXPECT_FALSE(other.take(1));
  EXPECT_EQ(cuts(), 0);
}

TEST_F(SharesTest, TransferThatEndsBeforeItsCutIsLeftAlone) {
  Shares shares(8, 1000);
  std::optional<Share> slow;
  slow.emplace(shares, "a", transfer());
  EXPECT_TRUE(slow->take(8));
  slow->begin_transfer();
  Share other(shares, "b", transfer());
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
