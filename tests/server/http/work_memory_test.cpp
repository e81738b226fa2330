// The memory that requests' work takes: bounded in all, and given back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "base/held_memory.h"
#include "server/http/work_memory.h"
#include "tests/server/http/fake_backend.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;

class WorkMemoryOf : public HttpTest {
 protected:
  void SetUp() override {
    fake_->answer = [this](const api::Request& request) { return answer(request); };
    auto options = quick_options();
    options.work_memory = 1000;
    server_.emplace(fake_, options);
  }
  /// "/worker/N" takes N bytes and, with "/wait" before it, holds them until `go_on_`.
  api::Response answer(const api::Request& request) {
    const std::size_t bytes = std::stoul(request.target.substr(request.target.rfind('/') + 1));
    const auto held = HeldMemory::take(bytes);
    if (held.has_error()) return api::error_response(held.error());
    if (request.target.find("/wait") != std::string::npos) {
      holds_ = true;
      go_on_.wait(false);
    }
    return {.status = 200, .headers = {}, .body = "{}\n"};
  }
  [[nodiscard]] HttpAnswer ask(const std::string& target) const {
    HttpClient client(server_->port());
    return client.ask("POST", target).value();
  }

  const std::shared_ptr<FakeBackend> fake_ = std::make_shared<FakeBackend>();
  std::atomic<bool> holds_ = false, go_on_ = false;
};

TEST_F(WorkMemoryOf, ARequestThatNeedsMoreThanThereIsIsRefused) {
  const HttpAnswer refused = ask("/worker/1001");
  EXPECT_EQ(refused.status, 413);
  EXPECT_THAT(refused.body, HasSubstr("--work-memory"));
  for (int again = 0; again < 3; ++again) EXPECT_EQ(ask("/worker/1000").status, 200);
}

TEST_F(WorkMemoryOf, ARequestThatFindsNoneFreeIsToComeAgain) {
  std::thread other([this] { EXPECT_EQ(ask("/worker/wait/600").status, 200); });
  while (!holds_) std::this_thread::yield();
  const HttpAnswer refused = ask("/worker/600");
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.header("retry-after"), "");
  EXPECT_EQ(ask("/worker/300").status, 200);
  go_on_ = true;
  go_on_.notify_all();
  other.join();
  EXPECT_EQ(ask("/worker/600").status, 200);
}

TEST(WorkMemory, IsByDefaultAPartOfTheMachines) { EXPECT_GT(http::default_work_memory(), 1U << 20U); }

TEST(HeldMemory, IsCountedForWorkOfRequestsAlone) {
  EXPECT_TRUE(HeldMemory::take(std::size_t(-1)).has_value());
}

}  // namespace
}  // namespace akin::test
