// Damage that the scrub finds is announced, and the server continues.
#include "server/run/scrubber.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <thread>

#include "base/background_failures.h"
#include "tests/server/api/failing_catalog.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;

class Scrubbed : public ServiceTest {
 protected:
  Scrubbed() {
    for (const char* const name : {"books", "news"}) {
      expect(201, "PUT", std::string("/v1/collections/") + name);
      expect(201, "PUT", std::string("/v1/collections/") + name + "/documents/a", kText,
             "One sentence. Another sentence. A third sentence.");
    }
  }
  /// Overwrites the last byte of the document's text, wherever it is, in the data file of "books".
  void damage() {
    const auto file = folder_.path() / "collections" / "books" / "gen-1" / "data.mdb";
    std::fstream data(file, std::ios::in | std::ios::out | std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(data), {}};
    const std::size_t at = all.rfind(std::string_view("\x28\xb5\x2f\xfd", 4));  // of a zstd frame
    ASSERT_NE(at, std::string::npos);
    data.seekp(static_cast<std::streamoff>(at + 12));
    data.put(static_cast<char>(all[at + 12] ^ 1));
  }
  void scrub_until(const std::function<bool()>& done) {
    const api::Scrubber scrubber(service_, {.bytes_per_second = 1U << 30U,
                                            .warn =
                                                [&](std::string_view line) {
                                                  const std::lock_guard guard(mutex_);
                                                  log_ += std::string(line) + "\n";
                                                },
                                            .pause = std::chrono::milliseconds(1),
                                            .period = std::chrono::hours(0)});
    while (!done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  [[nodiscard]] bool is_scrubbed() const { return service_.catalog->last_scrub("news").has_value(); }
  [[nodiscard]] Json ready() const {
    return Json::parse(api::Readiness({}, 0).answer(service_.catalog.get()).body);
  }

  std::mutex mutex_;
  std::string log_;
};

TEST_F(Scrubbed, SoundCollectionsShowWhenItWas) {
  EXPECT_FALSE(expect(200, "GET", "/v1/collections/news").contains("scrub"));
  scrub_until([&] { return is_scrubbed(); });
  const Json scrub = expect(200, "GET", "/v1/collections/news").at("scrub");
  EXPECT_EQ(scrub.at("findings"), 0);
  EXPECT_GT(scrub.at("bytes"), 0);
  EXPECT_FALSE(scrub.contains("first"));
  EXPECT_EQ(ready().at("damaged_collections"), Json::array());
  EXPECT_EQ(log_, "");
}

TEST_F(Scrubbed, RoundsThatFailAreCounted) {
  const std::uint64_t before = failures_of(Round::scrub);
  service_.catalog = failing_catalog(service_.dictionaries->configured().value(),
                                     Error{Errc::io, "disk", "it cannot be read", "replace it"});
  scrub_until([&] { return failures_of(Round::scrub) > before; });
}

TEST_F(Scrubbed, DamageIsAnnouncedAndGoesWithTheFile) {
  damage();
  scrub_until([&] { return is_scrubbed(); });
  EXPECT_THAT(log_, HasSubstr("collection 'books' is damaged"));
  EXPECT_THAT(log_, HasSubstr("table 'texts'"));
  EXPECT_THAT(log_, testing::Not(HasSubstr("news")));
  EXPECT_EQ(ready().at("damaged_collections"), Json::array({"books"}));
  EXPECT_EQ(ready().at("status"), "ready");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books").at("scrub").at("findings"), 1);
  expect(200, "DELETE", "/v1/collections/books");
  expect(201, "PUT", "/v1/collections/books");
  EXPECT_EQ(ready().at("damaged_collections"), Json::array());
}

TEST_F(Scrubbed, AnotherServerOnTheSameFolderDoesNotScrubToo) {
  const auto lease = service_.state->try_lease("scrub").value();
  std::atomic<int> looks = 0;
  scrub_until([&] { return ++looks == 25; });
  EXPECT_FALSE(is_scrubbed());
}

}  // namespace
}  // namespace akin::test
