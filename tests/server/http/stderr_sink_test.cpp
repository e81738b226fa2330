#include "server/http/stderr_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/logger.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>

namespace akin::http {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// A log into a pipe.
class StderrSinkTest : public testing::Test {
 protected:
  StderrSinkTest() {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    sink_ = std::make_shared<StderrSink>(
        ends_[1], [](std::uint64_t lines) { return std::to_string(lines) + " dropped"; });
    logger_ = std::make_unique<spdlog::logger>("test", sink_);
    logger_->set_pattern("%v");
  }
  ~StderrSinkTest() override {
    logger_.reset();
    sink_.reset();
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  /// What is in the pipe now.
  std::string read_all() {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string all;
    std::array<char, 65536> bytes;
    while (true) {
      const ssize_t got = ::read(ends_[0], bytes.data(), bytes.size());
      if (got <= 0) return all;
      all.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }

  std::array<int, 2> ends_{};
  std::shared_ptr<StderrSink> sink_;
  std::unique_ptr<spdlog::logger> logger_;
};

TEST_F(StderrSinkTest, WritesItsLinesWhenFlushed) {
  logger_->info("one");
  logger_->info("two");
  EXPECT_EQ(read_all(), "");
  logger_->flush();
  EXPECT_EQ(read_all(), "one\ntwo\n");
}

TEST_F(StderrSinkTest, DoesNotWaitForAReaderThatStopped) {
  const std::string line(999, 'x');
  for (int i = 0; i < 3000; ++i) logger_->info(line);  // 3 MB; without a reader a pipe holds 64 KiB
  logger_->flush();
  EXPECT_GT(sink_->dropped(), 1000U);
}

TEST_F(StderrSinkTest, ReportsWhatWasDroppedOnceItIsRead) {
  const std::string line(999, 'x');
  for (int i = 0; i < 3000; ++i) logger_->info(line);
  std::string all;
  for (int i = 0; i < 100; ++i) {
    all += read_all();
    logger_->flush();
  }
  logger_->info("again");
  logger_->flush();
  all += read_all();
  EXPECT_THAT(all, HasSubstr(std::to_string(sink_->dropped()) + " dropped\nagain\n"));
  EXPECT_EQ(all.substr(0, all.find(" dropped")).rfind(line + "\n") != std::string::npos, true);
}

TEST_F(StderrSinkTest, DrainingEndsWhenTheReaderHasStopped) {
  const std::string line(999, 'x');
  for (int i = 0; i < 3000; ++i) logger_->info(line);
  const auto begun = std::chrono::steady_clock::now();
  sink_->drain(100ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
}

}  // namespace
}  // namespace akin::http
