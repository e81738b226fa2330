// Failures of background work: each is counted, a cause is warned of once a minute.
#include "base/background_failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BackgroundFailures : public testing::Test {
 protected:
  BackgroundFailures() {
    lines().clear();
    warn_of_failures([](const std::string& line) { lines().push_back(line); });
  }
  ~BackgroundFailures() override { warn_of_failures(nullptr); }
  static std::vector<std::string>& lines() {
    static std::vector<std::string> all;
    return all;
  }
  static Error error(Errc code) { return Error{code, "disk", "it is full", "free some space"}; }

  std::uint64_t before_ = failures_of(Round::merge);
};

TEST_F(BackgroundFailures, AreWarnedOfOnceACauseAndAllCounted) {
  for (int i = 0; i < 3; ++i) note_failure(Round::merge, error(Errc::disk_full));
  EXPECT_THAT(lines(), ElementsAre(testing::AllOf(HasSubstr("merge"), HasSubstr("it is full"))));
  note_failure(Round::merge, error(Errc::corrupt));
  note_failure(Round::scrub, error(Errc::disk_full));
  EXPECT_EQ(lines().size(), 3U) << "another code, another round";
  EXPECT_EQ(failures_of(Round::merge), before_ + 4);
}

TEST_F(BackgroundFailures, AreAllErrorsOfOutcomesAlsoThatARightIsMissing) {
  note_failure_of(Round::merge, Result<void>());
  note_failure_of(Round::merge, Result<int>(7));
  EXPECT_EQ(failures_of(Round::merge), before_);
  note_failure_of(Round::merge, Result<int>(error(Errc::io)));
  note_failure_of(Round::merge, Result<int>(error(Errc::forbidden)));
  EXPECT_EQ(failures_of(Round::merge), before_ + 2);
  EXPECT_EQ(lines().size(), 2U);
}

TEST_F(BackgroundFailures, AreCountedWhereNothingTakesWarningsOrTakingFails) {
  warn_of_failures(nullptr);
  note_failure(Round::merge, error(Errc::io));
  warn_of_failures([](const std::string&) { throw std::bad_alloc(); });
  note_failure(Round::merge, error(Errc::io));
  EXPECT_EQ(failures_of(Round::merge), before_ + 2);
  EXPECT_THAT(lines(), IsEmpty());
}

}  // namespace
}  // namespace akin::test
