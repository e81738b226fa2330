#include "server/run/hand_ins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "server/check/kept_bytes.h"
#include "tests/server/api/service_fixture.h"
#include "tests/server/state/state_place.h"

namespace akin::test {
namespace {

using api::Json;
using ::testing::HasSubstr;

/// Over a state of LMDB or PostgreSQL. Nothing is worked off before `work` is called.
class HandInsTest : public ServiceTest {
 protected:
  void SetUp() override {
    service_.state = place_.open();
    service_.checks = std::make_shared<check::Checks>(service_.state, 0);
    service_.policies = std::make_shared<check::Policies>(service_.state);
    open(0);
    expect(201, "PUT", "/v1/collections/books");
    call("PUT", "/v1/collections/books/documents/source", kText, sentences(0, 20));
  }
  void open(unsigned threads) {
    service_.hand_ins.reset();
    service_.hand_ins = api::open_hand_ins(service_, folder_.path() / "more-hand-ins", threads).value();
  }
  /// The path of what was handed in.
  std::string hand_in(std::string_view text, std::string_view more = {}) {
    api::Request request{.method = "POST",
                         .target = "/v1/checks?collections=books" + std::string(more),
                         .content_type = std::string(kText),
                         .body = std::string(text)};
    request.headers.emplace_back("prefer", "respond-async");
    const api::Response response = api::handle(service_, request);
    EXPECT_EQ(response.status, 202) << response.body;
    for (const auto& [name, value] : response.headers) {
      if (name == "Location") return value;
    }
    ADD_FAILURE() << "no Location";
    return {};
  }
  /// The first answer other than "received", "extracting" and "comparing".
  [[nodiscard]] Json ended(const std::string& path) const {
    for (;;) {
      const api::Response response = call("GET", path);
      Json object = Json::parse(response.body);
      if (response.status != 202 || object["state"] == "failed") return object;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  [[nodiscard]] std::uint64_t pieces() const { return check::kept_space(*service_.state)->pieces; }

  StatePlace place_;
};

TEST_F(HandInsTest, WhatIsHandedInIsReceivedAndThenACheck) {
  const std::string path = hand_in(sentences(5, 10), "&title=Essay&owner=nn");
  const Json received = expect(202, "GET", path);
  EXPECT_EQ(received["state"], "received");
  EXPECT_EQ(received["title"], "Essay");
  EXPECT_EQ(received["error"], nullptr);
  const Json list = expect(200, "GET", "/v1/checks");
  EXPECT_EQ(list["total"], 0);
  EXPECT_EQ(list["waiting"].at(0), received);
  open(1);
  const Json check = ended(path);
  EXPECT_EQ(check["share"], 1.0);
  EXPECT_EQ(check["id"], received["id"]);
  EXPECT_EQ(check["created"], received["created"]);
  EXPECT_EQ(check["owner"], "nn");
  EXPECT_EQ(expect(200, "GET", "/v1/checks")["waiting"].size(), 0U);
}

TEST_F(HandInsTest, TheOutcomeIsThatOfACheckWithinItsRequest) {
  open(1);
  Json later = ended(hand_in(sentences(5, 10)));
  Json at_once = expect(201, "POST", "/v1/checks?collections=books", kText, sentences(5, 10));
  for (Json* each : {&later, &at_once}) {
    each->erase("id");
    each->erase("created");
    each->erase("expires");
  }
  EXPECT_EQ(later, at_once);
}

TEST_F(HandInsTest, AFileThatCannotBeReadFailsWithItsReason) {
  open(1);
  const Json failed = ended(hand_in("%PDF-1.7 no more", "&file_name=broken.pdf"));
  EXPECT_EQ(failed["state"], "failed");
  EXPECT_EQ(failed["title"], "broken.pdf");
  EXPECT_TRUE(failed["error"].is_object());
  EXPECT_EQ(pieces(), 0U);
  EXPECT_EQ(expect(200, "GET", "/v1/checks?state=failed")["waiting"].size(), 1U);
  EXPECT_EQ(expect(200, "GET", "/v1/checks?state=received")["waiting"].size(), 0U);
}

TEST_F(HandInsTest, WithdrawnItLeavesNothing) {
  const std::string path = hand_in(sentences(5, 10));
  EXPECT_GT(pieces(), 0U);
  EXPECT_EQ(expect(200, "DELETE", path)["deleted"], true);
  EXPECT_EQ(pieces(), 0U);
  EXPECT_EQ(call("GET", path).status, 404);
  open(1);
  EXPECT_EQ(expect(200, "GET", "/v1/checks")["total"], 0);
}

TEST_F(HandInsTest, UntilThereIsAnOutcomeItCanBeNeitherDecidedNorAdmitted) {
  const std::string path = hand_in(sentences(5, 10));
  EXPECT_EQ(call("PUT", path + "/decision", kJson, R"({"state":"accepted"})").status, 404);
  EXPECT_EQ(call("POST", path + "/admit", kJson, R"({"collection":"books","id":"x"})").status, 404);
  EXPECT_EQ(call("GET", path + "/report").status, 404);
}

TEST_F(HandInsTest, ACollectionThatDoesNotExistIsSaidAtOnce) {
  api::Request request{.method = "POST",
                       .target = "/v1/checks?collections=none",
                       .content_type = std::string(kText),
                       .body = "Text."};
  request.headers.emplace_back("prefer", "wait=1, respond-async");
  EXPECT_EQ(api::handle(service_, request).status, 404);
}

TEST_F(HandInsTest, ALargeFileIsAlwaysHandedIn) {
  const std::string large = sentences(0, 1) + std::string(api::kMostAtOnceBytes, ' ');
  EXPECT_EQ(call("POST", "/v1/checks?collections=books&encoding=auto", kText, large).status, 202);
}

TEST_F(HandInsTest, ThoseThatFailedAreForgottenAfterAWeek) {
  open(1);
  const std::string path = hand_in("%PDF-1.7 no more", "&file_name=broken.pdf");
  EXPECT_EQ(ended(path)["state"], "failed");
  ASSERT_TRUE(api::forget_failed(service_, time_now() + std::chrono::days(6)).has_value());
  EXPECT_EQ(call("GET", path).status, 202);
  ASSERT_TRUE(api::forget_failed(service_, time_now() + std::chrono::days(8)).has_value());
  EXPECT_EQ(call("GET", path).status, 404);
}

}  // namespace
}  // namespace akin::test
