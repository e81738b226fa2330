#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace akin {
namespace {

constexpr Errc kAll[] = {Errc::invalid_argument,
                         Errc::invalid_json,
                         Errc::invalid_utf8,
                         Errc::not_found,
                         Errc::already_exists,
                         Errc::precondition_failed,
                         Errc::mismatch,
                         Errc::too_large,
                         Errc::busy,
                         Errc::unauthenticated,
                         Errc::forbidden,
                         Errc::rate_limited,
                         Errc::timed_out,
                         Errc::corrupt,
                         Errc::disk_full,
                         Errc::io,
                         Errc::bad_dictionary,
                         Errc::unsupported,
                         Errc::file_encrypted,
                         Errc::file_too_large,
                         Errc::file_damaged,
                         Errc::type_unsupported,
                         Errc::extraction_timed_out,
                         Errc::unavailable,
                         Errc::internal};

TEST(Error, ItsMessageDoesNotSteerATerminal) {
  const Error error{Errc::io, "a\x1b[2Jb", "c\u009bd\x7f", "é\u00a0\n"};
  EXPECT_EQ(error.message(), "a\\x1b[2Jb: c\\xc2\\x9bd\\x7f (é\u00a0\n)");
}

TEST(Error, EveryCodeHasItsOwnName) {
  std::set<std::string_view> names;
  for (const Errc code : kAll) names.insert(error_name(code));
  EXPECT_EQ(names.size(), std::size(kAll));
}

TEST(Error, MessageIsOneLineOfThingReasonAndRemedy) {
  EXPECT_EQ((Error{Errc::io, "file 'a'", "cannot read", "check it"}.message()),
            "file 'a': cannot read (check it)");
  EXPECT_EQ((Error{Errc::io, "", "cannot read", ""}.message()), "cannot read");
  EXPECT_EQ((Error{Errc::io, "file 'a'", "", ""}.message()), "file 'a'");
}

TEST(Error, SystemErrorsTellWhatToDo) {
  const struct {
    int code;
    Errc kind;
  } rows[] = {{ENOSPC, Errc::disk_full}, {EDQUOT, Errc::disk_full}, {EFBIG, Errc::disk_full},
              {ENOENT, Errc::not_found}, {EMFILE, Errc::busy},      {ENFILE, Errc::busy},
              {EACCES, Errc::io},        {EIO, Errc::io},           {ENOTDIR, Errc::io},
              {EISDIR, Errc::io},        {ELOOP, Errc::io},         {ENAMETOOLONG, Errc::io},
              {EROFS, Errc::io}};
  for (const auto& row : rows) {
    const Error error = system_error(row.code, "file 'a'", "open it");
    EXPECT_EQ(error.code, row.kind) << row.code;
    EXPECT_NE(error.reason.find("cannot open it"), std::string::npos) << error.reason;
    EXPECT_FALSE(error.remedy.empty()) << error.reason;
  }
  EXPECT_NE(system_error(EROFS, "a", "open").remedy.find("mount it"), std::string::npos) << "no right helps";
}

Result<int> half(int n) {
  if (n % 2 != 0) return Error{Errc::invalid_argument, std::to_string(n), "odd", ""};
  return n / 2;
}

Result<int> quarter(int n) {
  AKIN_TRY(const int once, half(n));
  return half(once);
}

TEST(Error, TryReturnsTheFirstFailure) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(6).error().what, "3");
  EXPECT_EQ(quarter(5).error().what, "5");
}

TEST(Error, ValueOfAFailureThrowsItsMessage) {
  EXPECT_EQ(half(4).value(), 2);
  const Result<int> odd = half(3);
  try {
    static_cast<void>(odd.value());
    FAIL() << "did not throw";
  } catch (const std::runtime_error& thrown) {
    EXPECT_STREQ(thrown.what(), "3: odd");
  }
}

}  // namespace
}  // namespace akin
