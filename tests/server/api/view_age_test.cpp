// The age of a standby's view, asked of a database that does not answer.
#include "server/api/view_age.h"

#include <gtest/gtest.h>

#include "tests/server/api/blocking_catalog.h"

namespace akin::test {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

class ViewAgeTest : public ::testing::Test {
 protected:
  ~ViewAgeTest() override {
    for (int answers = 0; answers < 10; ++answers) catalog_->let_tell_age(seconds(3));
  }

  const std::shared_ptr<BlockingCatalog> catalog_ = std::make_shared<BlockingCatalog>();
  const api::ViewAge view_age_{catalog_, seconds(60)};
};

TEST_F(ViewAgeTest, IsWhatTheDatabaseSays) {
  catalog_->let_tell_age(seconds(3));
  EXPECT_GE(view_age_.now()->age, seconds(3));
}

TEST_F(ViewAgeTest, CostsARequestAMomentIfTheDatabaseHangs) {
  const auto begun = steady_clock::now();
  EXPECT_EQ(view_age_.now(), std::nullopt);
  EXPECT_LT(steady_clock::now() - begun, seconds(2));
}

TEST_F(ViewAgeTest, GrowsWhileTheDatabaseHangs) {
  catalog_->let_tell_age(seconds(3));
  ASSERT_TRUE(view_age_.now());
  std::this_thread::sleep_for(seconds(1));
  EXPECT_GE(view_age_.now()->age, seconds(4));
  const auto begun = steady_clock::now();
  for (int request = 0; request < 20; ++request) EXPECT_GE(view_age_.now()->age, seconds(4));
  EXPECT_LT(steady_clock::now() - begun, seconds(5)) << "only one request waits";
}

}  // namespace
}  // namespace akin::test
