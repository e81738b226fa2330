// Idempotency-Key: a repeated request makes nothing twice.
#include "server/api/idempotency.h"

#include <gmock/gmock.h>

#include "base/sha256.h"
#include "server/run/expiry.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;

class RepeatedRequests : public ServiceTest {
 protected:
  RepeatedRequests() {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/a", kText, sentences(1, 10));
  }
  api::Response post(const std::string& key, const std::string& path, const Json& body) const {
    api::Request request{.method = "POST",
                         .target = path,
                         .content_type = std::string(kJson),
                         .body = body.dump(),
                         .headers = {{"idempotency-key", key}}};
    return api::handle(service_, request);
  }
  api::Response check(const std::string& key, int from = 1, const std::string& collection = "books") const {
    return post(key, "/v1/checks", {{"text", sentences(from, 5)}, {"collections", {collection}}});
  }
  void must_put(const std::string& key, const std::string& value) const {
    EXPECT_FALSE(service_.state->put(state::Table::answers, key, value).has_error());
  }
  [[nodiscard]] Json checks() const { return expect(200, "GET", "/v1/checks").at("total"); }
};

TEST_F(RepeatedRequests, GetTheFirstAnswer) {
  const api::Response first = check("k-1");
  EXPECT_EQ(first.status, 201);
  const api::Response again = check("k-1");
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.headers, first.headers);
  EXPECT_EQ(checks(), 1);
}

TEST_F(RepeatedRequests, WithoutTheKeyMakeAnother) {
  const Json body{{"text", sentences(1, 5)}, {"collections", {"books"}}};
  expect(201, "POST", "/v1/checks", kJson, body.dump());
  expect(201, "POST", "/v1/checks", kJson, body.dump());
  EXPECT_EQ(checks(), 2);
}

TEST_F(RepeatedRequests, GetTheFirstAnswerAfterARestart) {
  const api::Response first = check("k-1");
  service_ = api::Service();
  service_ = open_service(folder_.path());
  EXPECT_EQ(check("k-1").body, first.body);
  EXPECT_EQ(checks(), 1);
}

TEST_F(RepeatedRequests, MayQuoteTheKey) {
  const api::Response first = check("\"k-1\"");
  EXPECT_EQ(check("k-1").body, first.body);
}

TEST_F(RepeatedRequests, WithAnotherBodyOrPathAreRefused) {
  EXPECT_EQ(check("k-1").status, 201);
  const api::Response other = check("k-1", 2);
  EXPECT_EQ(other.status, 422);
  EXPECT_THAT(other.body, HasSubstr("key_reused"));
  EXPECT_EQ(post("k-1", "/v1/collections/books/compact", Json::object()).status, 422);
  EXPECT_EQ(checks(), 1);
}

TEST_F(RepeatedRequests, AreRefusedWhileTheFirstIsInProgress) {
  const auto lease = service_.state->try_lease("answer " + sha256_hex(state::pair_key("", "k-1"))).value();
  ASSERT_NE(lease, nullptr);
  EXPECT_EQ(check("k-1").status, 409);
  EXPECT_EQ(check("k-2").status, 201);
}

TEST_F(RepeatedRequests, TryAgainAfterAnError) {
  EXPECT_EQ(check("k-1", 1, "later").status, 404);
  expect(201, "PUT", "/v1/collections/later");
  EXPECT_EQ(check("k-1", 1, "later").status, 201);
}

TEST_F(RepeatedRequests, StartATaskOnce) {
  const api::Response first = post("k-1", "/v1/collections/books/compact", Json::object());
  EXPECT_EQ(first.status, 202) << first.body;
  EXPECT_EQ(post("k-1", "/v1/collections/books/compact", Json::object()).body, first.body);
  EXPECT_EQ(expect(200, "GET", "/v1/tasks").at("total"), 1);
}

TEST_F(RepeatedRequests, MakeOneAccessKeyAndDoNotStoreItsSecret) {
  service_.access = std::make_shared<access::Access>(service_.state, false, access::AccessLimits());
  const api::Response first = post("k-1", "/v1/keys", {{"scopes", {"read"}}});
  ASSERT_EQ(first.status, 201) << first.body;
  const Json made = Json::parse(first.body);
  const api::Response again = post("k-1", "/v1/keys", {{"scopes", {"read"}}});
  EXPECT_EQ(again.status, 409);
  EXPECT_THAT(again.body, HasSubstr(made.at("id").get<std::string>()));
  for (const state::Entry& entry : service_.state->list(state::Table::answers, "", "", 10).value())
    EXPECT_THAT(entry.value, testing::Not(HasSubstr(made.at("key").get<std::string>())));
}

TEST_F(RepeatedRequests, NeedAWellFormedKey) {
  for (const std::string& key : {std::string(), std::string("a b"), std::string("\"\""), std::string("a, b"),
                                 std::string(256, 'k'), std::string("\xd0\xba")}) {
    EXPECT_EQ(check(key).status, 400) << key;
  }
}

TEST_F(RepeatedRequests, AreForgottenAfterADay) {
  const std::string old = sha256_hex("old");
  const std::string time = "1600000000000000";
  must_put("a" + old, R"({"time":1600000000000000,"request":"x","status":201,"headers":[],"body":""})");
  must_put("t0000" + time + old, "");
  EXPECT_EQ(check("k-1").status, 201);
  EXPECT_FALSE(api::forget_old_answers(*service_.state, time_now()).has_error());
  EXPECT_EQ(service_.state->list(state::Table::answers, "", "", 10).value().size(), 2U);
  EXPECT_FALSE(service_.state->get(state::Table::answers, "a" + old).value());
}

TEST_F(RepeatedRequests, AreKnownAfterAJumpOfTheClock) {
  // As if the clock stood a year ahead of the time that was lived through, in which the first answer was
  // stored.
  const auto year = std::chrono::microseconds(std::chrono::days(365));
  const std::string lived = std::to_string((time_now() - year).time_since_epoch().count());
  EXPECT_TRUE(service_.state->put(state::Table::clock, "lived", lived + " 0 another-start").has_value());
  const api::Response first = check("k-1");
  EXPECT_TRUE(service_.state->get(state::Table::answers, "a" + sha256_hex(state::pair_key("", "k-1")))
                  .value()
                  ->find("\"time\":" + lived) != std::string::npos);
  api::Expiry::sweep(service_);
  EXPECT_EQ(check("k-1").body, first.body);
}

}  // namespace
}  // namespace akin::test
