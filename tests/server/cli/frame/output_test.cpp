#include "server/cli/frame/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

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
