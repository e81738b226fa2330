// What webhooks are sent, and when they are sent it again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "server/outbound/signature.h"
#include "tests/server/watch/watch_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DeliveriesOf : public WatchServiceTest {
 protected:
  void watch_with(const std::string& url) const {
    put_watch("w", {{"text", sentences(1, 6)}, {"webhook", {{"url", url}, {"secret", kSecret}}}});
  }
  void match(const std::string& id = "d") const { put_document(id, sentences(1, 6)); }
};

TEST_F(DeliveriesOf, EventIsPostedSignedAndDelivered) {
  Receiver receiver;
  watch_with(receiver.url());
  match();
  const Json event = event_in_state("delivered");
  const auto received = receiver.received();
  ASSERT_EQ(received.size(), 1U);
  auto fields = received[0].fields;
  EXPECT_EQ(received[0].path, "/hook");
  EXPECT_EQ(fields["content-type"], "application/json");
  EXPECT_EQ(fields["webhook-id"], event["id"]);
  EXPECT_EQ(fields["webhook-signature"],
            watch::signature(watch::secret_key(kSecret).value(), fields["webhook-id"],
                             fields["webhook-timestamp"], received[0].body));
  const Json body = Json::parse(received[0].body);
  EXPECT_EQ(body["type"], "watch.matched");
  Json told = event;
  told.erase("delivery");
  EXPECT_EQ(body["data"], told);
  EXPECT_EQ(event["delivery"]["attempts"], 1);
}

TEST_F(DeliveriesOf, FailedAttemptsAreRepeatedUnderTheSameId) {
  Receiver receiver([](std::size_t number) { return Receiver::with_status(number < 2 ? 503 : 204); });
  watch_with(receiver.url());
  match();
  const Json event = event_in_state("delivered");
  EXPECT_EQ(event["delivery"]["attempts"], 3);
  EXPECT_EQ(event["delivery"]["last_error"], nullptr);
  const auto received = receiver.received();
  ASSERT_EQ(received.size(), 3U);
  EXPECT_EQ(received[0].fields.at("webhook-id"), received[2].fields.at("webhook-id"));
  EXPECT_EQ(received[0].body, received[2].body);
  EXPECT_GE(received[1].at - received[0].at, std::chrono::milliseconds(16));  // 20 ms, less the jitter
  EXPECT_GE(received[2].at - received[1].at, std::chrono::milliseconds(32));
}

TEST_F(DeliveriesOf, EventIsGivenUpAfterTheLastAttemptAndStaysReadable) {
  Receiver receiver(Receiver::always(500));
  watch_with(receiver.url());
  match();
  const Json event = event_in_state("failed");
  EXPECT_EQ(event["delivery"]["attempts"], 3);
  EXPECT_EQ(event["delivery"]["last_error"], "the webhook answered 500");
  EXPECT_EQ(event["delivery"]["next_attempt"], nullptr);
  EXPECT_EQ(receiver.received().size(), 3U);
  EXPECT_EQ(service_.watches->delivery_counts().failed, 2U);
  EXPECT_EQ(service_.watches->delivery_counts().given_up, 1U);
  EXPECT_EQ(service_.watches->delivery_counts().delivered, 0U);
}

TEST_F(DeliveriesOf, RetryDeliversOnceMore) {
  std::atomic<int> status = 500;
  Receiver receiver([&](std::size_t) { return Receiver::with_status(status); });
  watch_with(receiver.url());
  match();
  const auto id = event_in_state("failed")["id"].get<std::string>();
  status = 200;
  const auto answer = expect(202, "POST", "/v1/collections/books/events/" + id + "/retry");
  EXPECT_EQ(answer["delivery"]["state"], "pending");
  EXPECT_EQ(event_in_state("delivered")["delivery"]["attempts"], 1);
  expect(404, "POST", "/v1/collections/books/events/evt_none/retry");
}

TEST_F(DeliveriesOf, RetryWithoutAWebhookIsRefused) {
  put_watch("w", {{"text", sentences(1, 6)}});
  match();
  const auto id = event_in_state("none")["id"].get<std::string>();
  expect(400, "POST", "/v1/collections/books/events/" + id + "/retry");
}

TEST_F(DeliveriesOf, RedirectsAreNotFollowed) {
  Receiver target;
  Receiver receiver(Receiver::always(302, "Location: " + target.url() + "\r\n"));
  watch_with(receiver.url());
  match();
  EXPECT_THAT(event_in_state("failed")["delivery"]["last_error"].get<std::string>(),
              HasSubstr("redirects are not followed"));
  EXPECT_EQ(target.connections(), 0);
}

TEST_F(DeliveriesOf, GoneDisablesTheWatch) {
  Receiver receiver(Receiver::always(410));
  watch_with(receiver.url());
  match();
  EXPECT_EQ(event_in_state("failed")["delivery"]["attempts"], 1);
  const Json watch = expect(200, "GET", "/v1/collections/books/watches/w");
  EXPECT_EQ(watch["enabled"], false);
  EXPECT_THAT(watch["disabled_reason"].get<std::string>(), HasSubstr("410 Gone"));
  match("later");
  EXPECT_THAT(found_by("w"), ElementsAre("d"));
}

TEST_F(DeliveriesOf, SlowReceiverIsATimeOut) {
  watch::Options options = quick_options();
  options.delivery.send.timeout = std::chrono::milliseconds(100);
  options.delivery.retries = {};
  start(options);
  Receiver receiver;
  receiver.hold();
  watch_with(receiver.url());
  match();
  EXPECT_THAT(event_in_state("failed")["delivery"]["last_error"].get<std::string>(), HasSubstr("imeout"));
}

TEST_F(DeliveriesOf, ReceiversThatHangLeaveTheOthersTheirShare) {
  watch::Options options = quick_options();
  options.delivery.send.timeout = std::chrono::minutes(2);
  start(options);
  std::vector<std::unique_ptr<Receiver>> hanging;
  const auto watch = [this](const std::string& name, const std::string& url) {
    put_watch(name, {{"text", sentences(1, 6)}, {"webhook", {{"url", url}, {"secret", kSecret}}}});
  };
  for (int number = 0; number < 40; ++number) {
    hanging.push_back(std::make_unique<Receiver>());
    hanging.back()->hold();
    watch("a" + std::to_string(number), hanging.back()->url());
  }
  Receiver honest;
  std::string url = honest.url();
  watch("z", url.replace(url.find("127.0.0.1"), 9, "localhost"));  // the last in the order of names
  for (int number = 0; number < 10; ++number) match(std::to_string(number));
  EXPECT_TRUE(honest.wait_for(10));
}

TEST_F(DeliveriesOf, UnreachableReceiverIsAnError) {
  std::string url;
  {
    const Receiver receiver;
    url = receiver.url();
  }
  watch_with(url);
  match();
  EXPECT_NE(event_in_state("failed")["delivery"]["last_error"], nullptr);
}

TEST_F(DeliveriesOf, AnswerThatIsNotHttpIsAnError) {
  Receiver receiver([](std::size_t) { return std::string("\x16\x03 what?\r\n\r\n"); });
  watch_with(receiver.url());
  match();
  EXPECT_NE(event_in_state("failed")["delivery"]["last_error"], nullptr);
}

TEST_F(DeliveriesOf, LongAnswerIsCutOffAndCountsByItsStatus) {
  Receiver receiver(
      [](std::size_t) { return Receiver::with_status(200, {}, std::string(std::size_t{16} << 20U, 'x')); });
  watch_with(receiver.url());
  match();
  EXPECT_EQ(event_in_state("delivered")["delivery"]["attempts"], 1);
}

TEST_F(DeliveriesOf, NameOfAPrivateAddressIsNotConnectedTo) {
  Receiver receiver;
  std::string url = receiver.url();
  url.replace(url.find("127.0.0.1"), 9, "localhost");
  watch::Options options = quick_options();
  options.delivery.send.allow_private = false;
  start(options);
  expect(400, "PUT", "/v1/collections/books/watches/w", kJson,
         Json{{"text", "a"}, {"webhook", {{"url", receiver.url()}, {"secret", kSecret}}}}.dump());
  watch_with(url);
  match();
  EXPECT_EQ(event_in_state("failed")["delivery"]["last_error"],
            "the host's address is outside the public internet");
  EXPECT_EQ(receiver.connections(), 0);
}

TEST_F(DeliveriesOf, HostIsAskedAsMuchAtOnceAsAllowedAndNoMore) {
  watch::Options options = quick_options();
  options.delivery.per_host = 2;
  start(options);
  Receiver slow, quick;
  slow.hold();
  put_watch("slow", {{"text", sentences(1, 6)}, {"webhook", {{"url", slow.url()}, {"secret", kSecret}}}});
  put_watch("quick", {{"text", sentences(1, 6)}, {"webhook", {{"url", quick.url()}, {"secret", kSecret}}}});
  for (int i = 0; i < 12; ++i) match("d" + std::to_string(i));
  ASSERT_TRUE(slow.wait_for(2));
  ASSERT_TRUE(quick.wait_for(12)) << "a slow host keeps others waiting";
  EXPECT_EQ(slow.received().size(), 2U);
  slow.release();
  ASSERT_TRUE(slow.wait_for(12));
  EXPECT_EQ(slow.most_at_once(), 2);
}

TEST_F(DeliveriesOf, NoMoreAreAskedAtOnceThanAllowedOverAllHosts) {
  watch::Options options = quick_options();
  options.delivery.at_once = 1;
  start(options);
  std::atomic<int> at_work = 0, most = 0;
  const auto answer = [&](std::size_t) {
    most = std::max(most.load(), ++at_work);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    --at_work;
    return Receiver::with_status(200);
  };
  Receiver one(answer), other(answer);
  for (const Receiver* receiver : {&one, &other}) {
    put_watch(receiver == &one ? "one" : "other",
              {{"text", sentences(1, 6)}, {"webhook", {{"url", receiver->url()}, {"secret", kSecret}}}});
  }
  for (int i = 0; i < 6; ++i) match("d" + std::to_string(i));
  ASSERT_TRUE(one.wait_for(6));
  ASSERT_TRUE(other.wait_for(6));
  EXPECT_EQ(most, 1);
}

TEST_F(DeliveriesOf, ProxiesOfTheEnvironmentAreNotAsked) {
  service_.watches.reset();
  Receiver proxy;
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  ::unsetenv("no_proxy");
  ::unsetenv("NO_PROXY");
  start(quick_options());
  Receiver receiver;
  watch_with(receiver.url());
  match();
  event_in_state("delivered");
  service_.watches.reset();
  ::unsetenv("http_proxy");
  EXPECT_EQ(receiver.received().size(), 1U);
  EXPECT_EQ(proxy.connections(), 0);
}

TEST_F(DeliveriesOf, PendingDeliveriesSurviveARestart) {
  watch::Options patient = quick_options();
  patient.delivery.retries = {std::chrono::milliseconds(300)};
  start(patient);
  Receiver receiver([](std::size_t number) { return Receiver::with_status(number == 0 ? 500 : 200); });
  watch_with(receiver.url());
  match();
  page_when([](const Json& page) {
    return !page["events"].empty() && page["events"][0]["delivery"]["attempts"] == 1;
  });
  start(patient);
  EXPECT_EQ(event_in_state("delivered")["delivery"]["attempts"], 2);
  EXPECT_EQ(receiver.received().size(), 2U);
}

TEST_F(DeliveriesOf, StoppingDoesNotWaitForSlowReceivers) {
  watch::Options options = quick_options();
  options.delivery.send.timeout = std::chrono::minutes(2);
  start(options);
  Receiver receiver;
  receiver.hold();
  watch_with(receiver.url());
  match();
  ASSERT_TRUE(receiver.wait_for(1));
  const auto start = std::chrono::steady_clock::now();
  service_.watches.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(1));
}

TEST_F(DeliveriesOf, EventsOfARemovedWatchAreGivenUp) {
  watch::Options patient = quick_options();
  patient.delivery.retries = {std::chrono::milliseconds(200)};
  start(patient);
  Receiver receiver(Receiver::always(500));
  watch_with(receiver.url());
  match();
  ASSERT_TRUE(receiver.wait_for(1));
  expect(200, "DELETE", "/v1/collections/books/watches/w");
  EXPECT_EQ(event_in_state("failed")["delivery"]["last_error"], "the watch was removed");
}

}  // namespace
}  // namespace akin::test
