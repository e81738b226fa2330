// What a check says of a file that hides text, over a real store without dictionaries.

#include <gtest/gtest.h>

#include "server/check/run.h"
#include "tests/server/api/service_fixture.h"

namespace akin::check {
namespace {

using test::sentences;

class DisguisedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(service_.catalog->create("books", "sentence-pairs").has_value());
    ASSERT_TRUE(
        service_.catalog->get("books").value()->put({"source", "", "", sentences(100, 10)}).has_value());
    request_.collections = {"books"};
    file_.text = sentences(500, 10);
    file_.hidden = sentences(100, 10);
    file_.alerts.emplace_back().share = 0.01;
  }
  Outcome check() { return run_check(*service_.catalog, request_).value(); }

  test::TemporaryFolder folder_;
  api::Service service_ = test::open_service(folder_.path());
  CheckRequest request_;
  extract::Document file_;
};

TEST_F(DisguisedFile, IsToBeReviewed) {
  take_file(request_, file_);
  const Outcome outcome = check();
  EXPECT_EQ(outcome.verdict, Verdict::review);
  ASSERT_EQ(outcome.reasons.size(), 1U);
  EXPECT_EQ(outcome.reasons[0].kind, Reason::Kind::disguise);
  EXPECT_EQ(outcome.reasons[0].file_alert, extract::FileAlertKind::hidden_text);
  EXPECT_EQ(outcome.reasons[0].value, 0.01);
  EXPECT_EQ(outcome.share(), 0.0);
}

TEST_F(DisguisedFile, PassesIfItHidesLessThanThePolicyAllows) {
  file_.alerts[0].share = 0.009;
  take_file(request_, file_);
  EXPECT_EQ(check().verdict, Verdict::pass);
}

TEST_F(DisguisedFile, IsComparedWithItsHiddenTextIfThePolicySaysSo) {
  request_.policy.compare_hidden = true;
  take_file(request_, file_);
  EXPECT_EQ(check().share(), 0.5);
  ASSERT_EQ(file_.map.size(), 1U);
  EXPECT_EQ(file_.map[0].page, 0U);
}

}  // namespace
}  // namespace akin::check
