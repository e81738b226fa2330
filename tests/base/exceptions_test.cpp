#include "base/exceptions.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "base/parallel.h"

namespace akin {
namespace {

template <class Exception>
Error error_of(const Exception& exception) {
  return without_exceptions([&]() -> Result<void> { throw exception; }).error();
}

TEST(Exceptions, LackOfMemoryIsBusyWithReasonAndRemedy) {
  const Error error = error_of(std::bad_alloc());
  EXPECT_EQ(error.code, Errc::busy);
  EXPECT_EQ(error.message(), "memory: is exhausted (try again later)");
}

TEST(Exceptions, LackOfThreadsIsBusy) {
  const Error error =
      error_of(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)));
  EXPECT_EQ(error.code, Errc::busy);
  EXPECT_NE(error.remedy, "");
}

TEST(Exceptions, OthersAreInternalAndKeepTheirText) {
  const Error error = error_of(std::logic_error("seven is not eight"));
  EXPECT_EQ(error.code, Errc::internal);
  EXPECT_NE(error.reason.find("seven is not eight"), std::string::npos);
  EXPECT_EQ(error_of(7).code, Errc::internal) << "not a std::exception";
}

TEST(Exceptions, TheValueOfWorkThatEndsIsReturned) {
  const Result<int> seven = without_exceptions([]() -> Result<int> { return 7; });
  EXPECT_EQ(seven.value(), 7);
}

TEST(Exceptions, WorkThatMustBeDoneIsRepeated) {
  int attempts = 0;
  until_done([&] {
    if (++attempts < 3) throw std::bad_alloc();
  });
  EXPECT_EQ(attempts, 3);
}

TEST(Exceptions, ThreadThatThrowsEndsTheCallAndNotTheProcess) {
  EXPECT_THROW(run_threads(4,
                           [](unsigned thread) {
                             if (thread == 2) throw std::bad_alloc();
                           }),
               std::bad_alloc);
}

}  // namespace
}  // namespace akin
