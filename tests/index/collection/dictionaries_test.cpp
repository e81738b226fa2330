// Dictionaries that are opened while others are asked for.
#include "index/collection/dictionaries.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace akin::test {
namespace {

using Opened = Result<std::shared_ptr<const Dictionary>>;

Opened open_nothing() { return Dictionary::open({}); }

TEST(Dictionaries, SlowLanguageDelaysNoOther) {
  std::promise<void> begun, may_end;
  Dictionaries dictionaries(
      [&](const std::string& languages) {
        if (languages == "slow") {
          begun.set_value();
          may_end.get_future().wait();
        }
        return open_nothing();
      },
      "fast");
  auto slow = std::async(std::launch::async, [&] { return dictionaries.of("slow"); });
  begun.get_future().wait();
  auto fast = std::async(std::launch::async, [&] { return dictionaries.of("fast"); });
  EXPECT_EQ(fast.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  may_end.set_value();
  EXPECT_TRUE(slow.get().has_value());
  EXPECT_TRUE(fast.get().has_value());
}

TEST(Dictionaries, AreOpenedOnceForAllWhoWait) {
  std::atomic<int> opened = 0;
  std::promise<void> may_end;
  std::shared_future<void> end(may_end.get_future());
  Dictionaries dictionaries(
      [&](const std::string&) {
        ++opened;
        end.wait();
        return open_nothing();
      },
      "ru");
  std::vector<std::future<Opened>> all;
  for (int i = 0; i < 4; ++i)
    all.push_back(std::async(std::launch::async, [&] { return dictionaries.of("ru"); }));
  may_end.set_value();
  const auto first = all[0].get().value();
  for (int i = 1; i < 4; ++i) EXPECT_EQ(all[i].get().value(), first);
  EXPECT_EQ(opened, 1);
}

TEST(Dictionaries, AreOpenedAgainAfterAnError) {
  int calls = 0;
  Dictionaries dictionaries(
      [&](const std::string&) -> Opened {
        if (++calls == 1) return Error{Errc::not_found, "dictionary", "is missing", ""};
        return open_nothing();
      },
      "ru");
  EXPECT_EQ(dictionaries.of("ru").error().code, Errc::not_found);
  EXPECT_TRUE(dictionaries.of("ru").has_value());
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace akin::test
