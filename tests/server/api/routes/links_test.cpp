// Links to reports: who opens them, until when, and what authors state there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/sha256.h"
#include "server/audit/audit_log.h"
#include "server/check/announcements.h"
#include "server/check/links.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kQuery = "application/x-www-form-urlencoded";

class LinksTest : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/first", kText, "An opening. " + sentences(100, 10));
    const Json body = {{"collections", {"books"}}, {"title", "Thesis"}, {"text", sentences(100, 10)}};
    id_ = expect(201, "POST", "/v1/checks", kJson, body.dump())["id"].get<std::string>();
  }
  [[nodiscard]] std::string links() const { return "/v1/checks/" + id_ + "/links"; }
  [[nodiscard]] Json make(const Json& fields, int status = 201) const {
    return expect(status, "POST", links(), kJson, fields.dump());
  }
  [[nodiscard]] static std::string path(const Json& link) { return link["path"].get<std::string>(); }
  [[nodiscard]] int state(const Json& link, std::string_view statement) const {
    return call("POST", path(link), kQuery, "statement=" + std::string(statement)).status;
  }
  [[nodiscard]] std::string audit_log() const {
    std::string all;
    const auto lines = audit::lines(*service_.state, 0, 1000).value();
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }

  std::string id_;
};

TEST_F(LinksTest, ALinkOpensTheReportOfItsCheckAlone) {
  const Json link = make({{"label", "A. Ivanova"}});
  const api::Response page = call("GET", path(link));
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("Thesis"));
  EXPECT_THAT(page.body, Not(HasSubstr("/desk/checks/")));
  const std::string token = path(link).substr(path(link).rfind('/') + 1);
  EXPECT_GE(token.size(), 43U);
  EXPECT_EQ(call("GET", "/desk/links/check-00000000000000000000/" + token).status, 404);
  EXPECT_EQ(call("GET", path(link) + "x").status, 404);
}

TEST_F(LinksTest, TheTokenIsShownOnceAndNeverStored) {
  const Json link = make({{"statement", true}});
  const std::string token = path(link).substr(path(link).rfind('/') + 1);
  EXPECT_EQ(state(link, "Mine"), 303);
  EXPECT_EQ(call("GET", path(link)).status, 200);
  EXPECT_THAT(expect(200, "GET", links()).dump(), Not(HasSubstr(token)));
  EXPECT_THAT(audit_log(), Not(HasSubstr(token)));
  EXPECT_THAT(*service_.state->get(state::Table::check_links, id_).value(), Not(HasSubstr(token)));
}

TEST_F(LinksTest, OnlyPagesThatALinkNamesMayFrameItsReport) {
  const auto policy_of = [&](const Json& wanted) {
    const api::Response page = call("GET", path(make(wanted)));
    const auto found =
        std::ranges::find(page.headers, "Content-Security-Policy", [](const auto& one) { return one.first; });
    return found == page.headers.end() ? std::string() : found->second;
  };
  EXPECT_THAT(policy_of({{"frame", "https://courses.example:8443"}}),
              HasSubstr("frame-ancestors https://courses.example:8443"));
  EXPECT_THAT(policy_of(Json::object()), HasSubstr("frame-ancestors 'none'"));
  for (const char* wrong :
       {"courses.example", "https://", "https://a.example; script-src *", "https://a.example/b", "*"})
    expect(400, "POST", links(), kJson, Json{{"frame", wrong}}.dump());
}

TEST_F(LinksTest, ARevokedLinkOpensNothingAndStaysInTheList) {
  const Json link = make(Json::object());
  const std::string one = links() + "/" + link["id"].get<std::string>();
  const Json revoked = expect(200, "DELETE", one);
  EXPECT_TRUE(revoked["revoked"].is_string());
  EXPECT_EQ(expect(200, "DELETE", one), revoked);
  EXPECT_EQ(call("GET", path(link)).status, 404);
  EXPECT_EQ(expect(200, "GET", links())["links"][0], revoked);
}

TEST_F(LinksTest, AnExpiredLinkOpensNothing) {
  check::Links stored(service_.state);
  const Time now = time_now();
  const std::string digest = sha256_hex("token");
  const check::NewLink link{.token_sha256 = digest,
                            .label = "",
                            .expires = now + std::chrono::hours(1),
                            .may_state = false,
                            .shows_sources = false,
                            .by = {}};
  ASSERT_TRUE(stored.add(id_, link, now));
  EXPECT_TRUE(stored.open(id_, digest, now).has_value());
  EXPECT_EQ(stored.open(id_, digest, now + std::chrono::hours(1)).error().code, Errc::not_found);
}

TEST_F(LinksTest, ALinkEndsWithinAYear) {
  (void)make({{"expires", "2001-01-01"}}, 400);
  (void)make({{"expires", "2999-01-01"}}, 400);
  (void)make({{"expires", "soon"}}, 400);
}

TEST_F(LinksTest, AStatementIsAPartOfTheReport) {
  ASSERT_TRUE(check::set_check_webhook(*service_.state, check::CheckWebhook{"http://127.0.0.1:1/", "s"}));
  const Json link = make({{"label", "A. Ivanova"}, {"statement", true}});
  EXPECT_EQ(state(link, "All+of+it+is+quoted"), 303);
  const Json statement = expect(200, "GET", links())["statements"][0];
  EXPECT_EQ(statement["text"], "All of it is quoted");
  EXPECT_EQ(statement["label"], "A. Ivanova");
  EXPECT_THAT(call("GET", "/v1/checks/" + id_ + "/report").body, HasSubstr("All of it is quoted"));
  EXPECT_THAT(call("GET", path(link)).body, HasSubstr("All of it is quoted"));
  const auto events = *check::announcements(*service_.state, 10);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_THAT(events[0].body, HasSubstr("check.updated"));
  EXPECT_THAT(audit_log(), HasSubstr("check.stated"));
}

TEST_F(LinksTest, AStatementThatIsSentAgainIsOne) {
  const Json link = make({{"statement", true}}), other = make({{"statement", true}});
  EXPECT_EQ(state(link, "Mine"), 303);
  EXPECT_EQ(state(link, "Mine"), 303);
  EXPECT_EQ(state(other, "Mine"), 303);
  EXPECT_EQ(expect(200, "GET", links())["statements"].size(), 2U);
}

TEST_F(LinksTest, OnlyALinkThatAllowsItTakesAStatement) {
  EXPECT_EQ(state(make(Json::object()), "Mine"), 403);
  EXPECT_EQ(state(make({{"statement", true}}), ""), 400);
  EXPECT_EQ(state(make({{"statement", true}}), std::string(check::kMaxStatementBytes + 1, 'a')), 413);
  EXPECT_TRUE(expect(200, "GET", links())["statements"].empty());
}

TEST_F(LinksTest, TheTextsOfSourcesCanBeLeftOut) {
  // 300 characters around a passage are in its excerpt, so a passage alone is compared.
  const auto copies = [](const std::string& page, std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++count;
    return count;
  };
  const std::string beginning = sentences(100, 1).substr(0, 20);
  const std::size_t with = copies(call("GET", path(make({{"sources", true}}))).body, beginning);
  const std::size_t without = copies(call("GET", path(make({{"sources", false}}))).body, beginning);
  EXPECT_GT(with, without);
}

TEST_F(LinksTest, MakingOpeningAndRevokingAreLogged) {
  const Json link = make({{"label", "A. Ivanova"}});
  EXPECT_EQ(call("GET", path(link)).status, 200);
  expect(200, "DELETE", links() + "/" + link["id"].get<std::string>());
  const std::string log = audit_log();
  for (const char* action : {"link.created", "link.opened", "link.revoked"})
    EXPECT_THAT(log, HasSubstr(action));
  EXPECT_THAT(log, HasSubstr(R"("kind":"link")"));
}

TEST_F(LinksTest, LinksGoWithTheirCheck) {
  const Json link = make(Json::object());
  expect(200, "DELETE", "/v1/checks/" + id_);
  EXPECT_EQ(call("GET", path(link)).status, 404);
  EXPECT_FALSE(service_.state->get(state::Table::check_links, id_)->has_value());
}

TEST_F(LinksTest, TheDeskMakesShowsAndRevokesThem) {
  const std::string desk = "/desk/checks/" + id_;
  EXPECT_THAT(call("GET", desk).body, HasSubstr("Links for the author"));
  EXPECT_THAT(call("GET", desk + "?lang=ru").body, HasSubstr("Ссылки для автора"));
  const std::string until = format_time(time_now() + std::chrono::days(7)).substr(0, 10);
  const std::string made =
      call("POST", desk + "/links", kQuery, "label=Ivanova&until=" + until + "&statement=true").body;
  EXPECT_THAT(made, HasSubstr("href=\"/desk/links/" + id_ + "/"));
  const Json link = expect(200, "GET", links())["links"][0];
  EXPECT_EQ(link["statement"], true);
  EXPECT_EQ(link["sources"], false);
  const std::string revoke = desk + "/links/" + link["id"].get<std::string>() + "/revoke";
  EXPECT_THAT(call("GET", desk).body, HasSubstr(revoke));
  EXPECT_EQ(call("POST", revoke, kQuery).status, 303);
  EXPECT_THAT(call("GET", desk).body, Not(HasSubstr(revoke)));
}

}  // namespace
}  // namespace akin::test
