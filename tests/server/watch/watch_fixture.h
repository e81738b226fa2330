// The API with watches, over a real store, with short waits.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "server/watch/watches.h"
#include "tests/server/api/service_fixture.h"
#include "tests/server/watch/receiver.h"

namespace akin::test {

inline constexpr const char* kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

class WatchServiceTest : public ServiceTest {
 protected:
  static watch::Options quick_options() {
    using std::chrono::milliseconds;
    watch::Options options;
    options.follow.poll = milliseconds(50);
    options.follow.pause = milliseconds(1);
    options.follow.step_documents = 4;
    options.follow.step_text = 1;  // one text in each step
    options.delivery.retries = {milliseconds(20), milliseconds(40)};
    options.delivery.send.allow_private = true;
    options.delivery.send.connect_timeout = milliseconds(2'000);
    options.delivery.send.timeout = milliseconds(5'000);
    return options;
  }

  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    start(quick_options());
  }
  void start(const watch::Options& options) {
    service_.watches.reset();
    service_.watches =
        watch::Watches::open(service_.state, watch::arrivals_of(service_.catalog), options).value();
  }

  void put_document(const std::string& id, const std::string& text) const {
    call("PUT", "/v1/collections/books/documents/" + id, kText, text);
  }
  api::Json put_watch(const std::string& name, const api::Json& fields) const {
    const auto answer = call("PUT", "/v1/collections/books/watches/" + name, kJson, fields.dump());
    EXPECT_LT(answer.status, 300) << answer.body;
    return api::Json::parse(answer.body);
  }
  api::Json page(const std::string& query = "?limit=1000") const {
    return expect(200, "GET", "/v1/collections/books/events" + query);
  }
  /// Waits until a page satisfies `enough`; fails the test after 20 s.
  api::Json page_when(const std::function<bool(const api::Json&)>& enough) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      api::Json now = page();
      if (enough(now)) return now;
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "it did not come to be: " << now.dump(2);
        return now;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  api::Json page_of(std::size_t events) const {
    return page_when([=](const api::Json& page) { return page["total"].get<std::size_t>() >= events; });
  }
  /// The first event when its delivery has come to this state.
  api::Json event_in_state(const std::string& state) const {
    const auto found = page_when([&](const api::Json& page) {
      return !page["events"].empty() && page["events"][0]["delivery"]["state"] == state;
    });
    return found["events"][0];
  }
  /// Waits until everything that was put so far has been looked at: a document that another watch finds.
  std::vector<std::string> found_by(const std::string& watch) {
    put_watch("sentinel", {{"text", sentences(9'000'000, 3)}, {"bound", 0}});
    put_document("sentinel", sentences(9'000'000, 3));
    ++sentinels_;
    page_when([&](const api::Json&) { return page("?watch=sentinel")["total"] == sentinels_; });
    std::vector<std::string> documents;
    const api::Json found = page("?limit=1000&watch=" + watch);
    for (const auto& event : found["events"]) documents.push_back(event["document"]["id"].get<std::string>());
    return documents;
  }

 private:
  std::size_t sentinels_ = 0;  ///< documents that were put as such
};

}  // namespace akin::test
