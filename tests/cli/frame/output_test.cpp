#include "cli/frame/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace akin::cli {
namespace {

TEST(Output, WritesEverythingByFlush) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(::pipe(pipe_ends.data()), 0);
  Output out(pipe_ends[1]);
  out << "one "
      << "two";
  ASSERT_TRUE(out.flush().has_value());
  std::array<char, 16> read_back{};
  ASSERT_EQ(::read(pipe_ends[0], read_back.data(), read_back.size()), 7);
  EXPECT_STREQ(read_back.data(), "one two");
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

TEST(Output, SteersNoTerminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
  const int window = ::open(::ptsname(terminal), O_WRONLY | O_NOCTTY);
  ASSERT_GE(window, 0);
  Output out(window);
  out << "a\x1b[2J\u009b.";
  ASSERT_TRUE(out.flush().has_value());
  std::array<char, 64> shown{};
  ASSERT_GT(::read(terminal, shown.data(), shown.size() - 1), 0);
  EXPECT_STREQ(shown.data(), "a\\x1b[2J\\xc2\\x9b.");
  ::close(window);
  ::close(terminal);
}

TEST(Output, ReaderThatHasGoneIsNoError) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(::pipe(pipe_ends.data()), 0);
  ::close(pipe_ends[0]);
  Output out(pipe_ends[1]);
  out << std::string(200'000, 'x');
  EXPECT_TRUE(out.flush().has_value());
  ::close(pipe_ends[1]);
}

TEST(Output, FullDiskIsAnErrorThatStays) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  Output out(full);
  out << std::string(200'000, 'x');
  for (int call = 0; call < 2; ++call) {
    const auto written = out.flush();
    ASSERT_TRUE(written.has_error());
    EXPECT_EQ(written.error().code, Errc::disk_full);
  }
  ::close(full);
}

}  // namespace
}  // namespace akin::cli
