#include "server/http/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>

#include "base/time.h"

namespace akin::http {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// A log into a pipe, which takes the place of stderr.
class LogTest : public testing::Test {
 protected:
  LogTest() : stderr_(::dup(STDERR_FILENO)) {
    configure_log({});
    flush_log();
    EXPECT_EQ(::pipe(ends_.data()), 0);
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    ::dup2(ends_[1], STDERR_FILENO);
  }
  ~LogTest() override {
    read_all();
    ::dup2(stderr_, STDERR_FILENO);
    for (const int end : {stderr_, ends_[0], ends_[1]}) ::close(end);
  }

  /// All lines until nothing more comes.
  std::string read_all() {
    std::string all;
    std::array<char, 65536> bytes;
    for (auto last = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - last < 100ms;) {
      const ssize_t got = ::read(ends_[0], bytes.data(), bytes.size());
      if (got > 0) {
        all.append(bytes.data(), static_cast<std::size_t>(got));
        last = std::chrono::steady_clock::now();
      } else {
        std::this_thread::sleep_for(1ms);
      }
    }
    return all;
  }

  /// 10 MB; without a reader a pipe holds 64 KiB, and the log some thousand lines.
  void write_too_much() {
    for (int i = 0; i < 10'000; ++i) log_info(line_);
  }

  const std::string line_ = std::string(999, 'x');

 private:
  const int stderr_;
  std::array<int, 2> ends_{};
};

TEST_F(LogTest, HasWrittenItsLinesWhenFlushed) {
  log_info("one");
  log_warning("two");
  flush_log();
  const std::string all = read_all();
  EXPECT_THAT(all, HasSubstr("[info] one\n"));
  EXPECT_TRUE(all.ends_with("[warning] two\n")) << all;
}

TEST_F(LogTest, HasTimesWithTheirOffset) {
  setenv("TZ", "AKN-05:30", 1);
  tzset();
  log_info("one");
  flush_log();
  unsetenv("TZ");
  tzset();
  const std::string all = read_all(), time = all.substr(1, all.find(']') - 1);
  EXPECT_TRUE(time.ends_with("+05:30")) << all;
  EXPECT_LT(std::chrono::abs(parse_time(time).value_or(Time()) - time_now()), std::chrono::minutes(1)) << all;
}

TEST_F(LogTest, AClientThatLeftIsNoErrorOfTheServer) {
  AccessEntry entry{.method = "GET", .target = "/a", .route = "", .id = "", .peer = "", .key = ""};
  for (const int status : {499, 500}) {
    entry.status = status;
    log_trouble(entry, "why");
  }
  flush_log();
  const std::string all = read_all();
  EXPECT_THAT(all, HasSubstr("[info] request  from , GET /a: 499: why\n"));
  EXPECT_THAT(all, HasSubstr("[error] request  from , GET /a: 500: why\n"));
}

TEST_F(LogTest, NeverHasTheTokenOfALinkToAReportOrOfOneThatSignsIn) {
  constexpr std::string_view kToken = "0vQ8Yc7bYpK5cNqH1s7mZ2dW9fT4uX6aRjLkEoViGxM";
  for (const char* end : {"", "/", "/more", "?lang=ru"}) {
    for (const char* begin : {"/library/desk/links/check-06614cc8f04ba90b437d/", "/library/desk/sign-in/"}) {
      const std::string target = begin + std::string(kToken) + end;
      const AccessEntry entry{
          .method = "GET", .target = target, .route = "", .id = "", .peer = "", .key = ""};
      log_access(entry);
      log_slow(entry);
      log_trouble(entry, "trouble");
    }
  }
  flush_log();
  const std::string all = read_all();
  EXPECT_THAT(all, HasSubstr("/library/desk/links/check-06614cc8f04ba90b437d "));
  EXPECT_THAT(all, HasSubstr("/library/desk/sign-in "));
  EXPECT_THAT(all, testing::Not(HasSubstr(kToken)));
}

TEST_F(LogTest, DoesNotWaitForAReaderThatStopped) {
  const auto before = dropped_log_lines();
  const auto begun = std::chrono::steady_clock::now();
  write_too_much();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
  EXPECT_GT(dropped_log_lines() - before, 1000U);
}

TEST_F(LogTest, ReportsWhatWasDroppedOnceItIsRead) {
  read_all();
  log_info("first");  // reports what earlier tests dropped
  read_all();
  const auto before = dropped_log_lines();
  write_too_much();
  const auto dropped = dropped_log_lines() - before;
  std::string all = read_all();
  log_info("again");
  flush_log();
  all += read_all();
  EXPECT_THAT(all, HasSubstr("[warning] " + std::to_string(dropped) + " lines of the log were dropped"));
  EXPECT_TRUE(all.ends_with("[info] again\n"));
  EXPECT_THAT(all.substr(0, all.find(" lines of the log")), HasSubstr(line_ + "\n"));
  log_info("and again");
  EXPECT_THAT(read_all(), testing::Not(HasSubstr("dropped")));
}

TEST_F(LogTest, FlushingEndsWhenTheReaderHasStopped) {
  write_too_much();
  const auto begun = std::chrono::steady_clock::now();
  flush_log();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
}

}  // namespace
}  // namespace akin::http
