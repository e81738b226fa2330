// The desk as a browser without scripts uses it: forms in, pages and redirects out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/access/access.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kForm = "multipart/form-data; boundary=x";
constexpr std::string_view kQuery = "application/x-www-form-urlencoded";

std::string part(std::string_view name, std::string_view value, std::string_view file = {}) {
  std::string head = "--x\r\nContent-Disposition: form-data; name=\"" + std::string(name) + "\"";
  if (!file.empty()) head += "; filename=\"" + std::string(file) + "\"\r\nContent-Type: text/plain";
  return head + "\r\n\r\n" + std::string(value) + "\r\n";
}

std::string field(const api::Response& response, std::string_view name) {
  const auto found = std::ranges::find(response.headers, name, [](const auto& one) { return one.first; });
  return found == response.headers.end() ? "" : found->second;
}

class DeskTest : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/first", kText, sentences(0, 40));
  }
  /// The page of the check that the form makes.
  api::Response check(const std::string& parts) {
    const api::Response made = call("POST", "/desk/checks", kForm, parts + "--x--\r\n");
    EXPECT_EQ(made.status, 303) << made.body;
    return when_done(field(made, "Location"));
  }
  /// The page of a check, read as often as a browser does that obeys the field Refresh.
  [[nodiscard]] api::Response when_done(const std::string& path) const {
    for (;;) {
      api::Response page = call("GET", path);
      if (field(page, "Refresh").empty()) return page;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST_F(DeskTest, AsksForFilesWithTheCollectionsThatThereAre) {
  const api::Response page = call("GET", "/desk/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("value=\"books\" checked"));
  EXPECT_THAT(page.body, HasSubstr("documents: 1"));
}

TEST_F(DeskTest, ShowsWhereAPastedTextStands) {
  const api::Response page =
      check(part("collections", "books") + part("title", "Essay <1>") + part("text", sentences(5, 10)));
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("<h1>Essay &lt;1&gt;</h1>"));
  EXPECT_THAT(page.body, HasSubstr("Much of it is from elsewhere."));
  EXPECT_THAT(page.body, HasSubstr("<mark class=\"s1\" data-m=\"1\""));
  EXPECT_THAT(page.body, HasSubstr("books/first"));
}

TEST_F(DeskTest, ChecksAFileInAnyEncoding) {
  const std::string windows1251 =
      "\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xef\xf0\xee\xf1\xf2\xee\xe9 \xf2\xe5\xea\xf1\xf2 \xe2 "
      "\xf1\xf2\xe0\xf0\xee\xe9 \xea\xee\xe4\xe8\xf0\xee\xe2\xea\xe5.";
  const api::Response page = check(part("collections", "books") + part("file", windows1251, "old.txt"));
  EXPECT_THAT(page.body, HasSubstr("Привет, это простой текст в старой кодировке."));
}

TEST_F(DeskTest, ListsSeveralFilesAndThoseThatFailed) {
  const api::Response page = call("POST", "/desk/checks", kForm,
                                  part("collections", "books") + part("file", sentences(3, 9), "a.txt") +
                                      part("file", "%PDF-1.7", "b.pdf") + "--x--\r\n");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("b.pdf"));
  EXPECT_THAT(page.body, HasSubstr("/desk/checks/check-"));
}

TEST_F(DeskTest, SaysWhyAFileCouldNotBeChecked) {
  const api::Response page = check(part("collections", "books") + part("file", "%PDF-1.7", "broken.pdf"));
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("it failed"));
  EXPECT_THAT(page.body, HasSubstr("broken.pdf"));
  EXPECT_THAT(call("GET", "/desk/checks").body, HasSubstr("broken.pdf"));
}

TEST_F(DeskTest, AnswersMistakesWithPages) {
  const api::Response page = call("POST", "/desk/checks", kForm, part("collections", "books") + "--x--\r\n");
  EXPECT_EQ(page.status, 400);
  EXPECT_EQ(field(page, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("has neither a file nor a text"));
  EXPECT_EQ(call("GET", "/desk/checks/check-00000000000000000000").status, 404);
}

TEST_F(DeskTest, SpeaksRussianWhenAskedTo) {
  const api::Response page = call("GET", "/desk/?lang=ru");
  EXPECT_THAT(page.body, HasSubstr("<html lang=\"ru\">"));
  EXPECT_THAT(page.body, HasSubstr("Проверить текст"));
  EXPECT_THAT(field(page, "Set-Cookie"), HasSubstr("akin-lang=ru"));
}

TEST_F(DeskTest, ListsTheNewestChecksFirst) {
  for (const char* title : {"older", "newer"})
    check(part("collections", "books") + part("title", title) + part("text", sentences(5, 10)));
  const std::string body = call("GET", "/desk/checks").body;
  EXPECT_LT(body.find("newer"), body.find("older"));
  EXPECT_THAT(call("GET", "/desk/checks?verdict=pass").body, Not(HasSubstr("newer")));
}

TEST_F(DeskTest, PagesThroughMoreChecksThanOnePageHas) {
  for (int i = 0; i < 53; ++i)
    check(part("collections", "books") + part("title", "case-" + std::to_string(i) + "-") +
          part("text", sentences(5, 5)));
  const std::string first = call("GET", "/desk/checks").body;
  EXPECT_THAT(first, HasSubstr("case-52-"));
  EXPECT_THAT(first, Not(HasSubstr("case-2-")));
  const std::size_t at = first.find("before=");
  ASSERT_NE(at, std::string::npos);
  const std::string second = call("GET", "/desk/checks?" + first.substr(at, first.find('"', at) - at)).body;
  EXPECT_THAT(second, HasSubstr("case-2-"));
  EXPECT_THAT(second, HasSubstr("case-0-"));
  EXPECT_THAT(second, Not(HasSubstr("case-3-")));
}

TEST_F(DeskTest, StoresACheckedTextOnce) {
  const api::Response made =
      call("POST", "/desk/checks", kForm,
           part("collections", "books") + part("text", sentences(100, 10)) + "--x--\r\n");
  const std::string path = field(made, "Location");
  EXPECT_EQ(when_done(path).status, 200);
  EXPECT_EQ(call("POST", path + "/admit", kQuery, "collection=books&id=essay%2F1").status, 303);
  EXPECT_THAT(call("GET", path).body, HasSubstr("Stored: books/essay/1"));
  expect(200, "GET", "/v1/collections/books/documents/essay/1");
}

TEST_F(DeskTest, DeletesACheckWithItsText) {
  const api::Response made =
      call("POST", "/desk/checks", kForm,
           part("collections", "books") + part("text", sentences(100, 10)) + "--x--\r\n");
  EXPECT_EQ(call("POST", field(made, "Location") + "/delete").status, 303);
  EXPECT_EQ(call("GET", field(made, "Location")).status, 404);
}

TEST_F(DeskTest, MakesACollection) {
  EXPECT_EQ(call("POST", "/desk/collections", kQuery, "name=theses").status, 303);
  EXPECT_THAT(call("GET", "/desk/collections").body, HasSubstr("/desk/collections/theses/documents"));
  EXPECT_EQ(call("POST", "/desk/collections", kQuery, "name=%2F").status, 400);
}

TEST_F(DeskTest, ReportLoadsNothing) {
  const api::Response made =
      call("POST", "/desk/checks", kForm,
           part("collections", "books") + part("text", sentences(5, 10)) + "--x--\r\n");
  const std::string id = field(made, "Location").substr(std::string_view("/desk/checks/").size());
  EXPECT_EQ(when_done(field(made, "Location")).status, 200);
  const api::Response report = call("GET", "/v1/checks/" + id + "/report?lang=ru");
  EXPECT_EQ(report.status, 200);
  EXPECT_EQ(field(report, "Content-Language"), "ru");
  for (const char* loading : {"src=", "<link", "<script", "http:", "https:", "/desk/"})
    EXPECT_THAT(report.body, Not(HasSubstr(loading)));
  EXPECT_EQ(call("GET", "/v1/checks/" + id + "/report?lang=xx").status, 400);
}

class DeskKeysTest : public DeskTest {
 protected:
  void SetUp() override {
    DeskTest::SetUp();
    service_.access = std::make_shared<access::Access>(service_.state, true, access::AccessLimits{});
  }
  std::string key_of(std::vector<access::Scope> scopes) {
    access::KeySpec spec;
    spec.label = "test";
    spec.scopes = std::move(scopes);
    return service_.access->keys().create(spec)->token;
  }
  using Fields = std::vector<std::pair<std::string, std::string>>;
  /// The cookie of a session that the key begins.
  std::string session_of(const std::string& key) {
    const std::string set = field(ask("POST", "/desk/sign-in", {}, "key=" + key), "Set-Cookie");
    return set.substr(0, set.find(';'));
  }
  /// The token for forms of the session, as its pages have it.
  std::string token_of(const std::string& cookie) {
    const std::string page = ask("GET", "/desk/checks", {{"cookie", cookie}}).body;
    constexpr std::string_view kField = "name=\"form-token\" value=\"";
    const std::size_t at = page.find(kField);
    return at == std::string::npos
               ? ""
               : page.substr(at + kField.size(), page.find('"', at + kField.size()) - at - kField.size());
  }
  /// The body of a form that a page of the session has.
  std::string form_of(const std::string& cookie, std::string_view fields) {
    return "form-token=" + token_of(cookie) + "&" + std::string(fields);
  }
  /// The answer to an admitted request with these fields.
  api::Response ask(std::string_view method, std::string_view target, Fields fields,
                    std::string_view body = {}) {
    api::Request request;
    request.method = method;
    request.target = target;
    request.headers = std::move(fields);
    request.content_type = kQuery;
    request.body = body;
    if (auto refused = api::authorize(service_, request)) return *std::move(refused);
    return api::handle(service_, request);
  }
};

TEST_F(DeskKeysTest, SendsPeopleWithoutAKeyToSignIn) {
  const api::Response response = ask("GET", "/desk/checks", {});
  EXPECT_EQ(response.status, 303);
  EXPECT_EQ(field(response, "Location"), "/desk/sign-in?next=%2Fdesk%2Fchecks");
  EXPECT_EQ(ask("GET", "/desk/sign-in", {}).status, 200);
}

TEST_F(DeskKeysTest, KeepsASessionInACookieBelowItsPath) {
  const std::string key = key_of({access::Scope::admin});
  const api::Response signed_in = ask("POST", "/desk/sign-in", {}, "key=" + key);
  EXPECT_EQ(signed_in.status, 303);
  const std::string set = field(signed_in, "Set-Cookie");
  EXPECT_THAT(set, StartsWith("akin-session="));
  EXPECT_THAT(set, EndsWith("; Path=/desk; HttpOnly; SameSite=Strict"));
  EXPECT_THAT(set, Not(HasSubstr(key.substr(key.rfind('_')))));
  const Fields cookie = {{"cookie", "a=b; " + set.substr(0, set.find(';'))}};
  EXPECT_EQ(ask("GET", "/desk/checks", cookie).status, 200);
  EXPECT_EQ(ask("GET", "/v1/checks", cookie).status, 401);
}

TEST_F(DeskKeysTest, ASessionEndsWhenThePersonSignsOut) {
  const std::string cookie = session_of(key_of({access::Scope::admin}));
  EXPECT_EQ(ask("POST", "/desk/sign-out", {{"cookie", cookie}}).status, 303);
  EXPECT_EQ(ask("GET", "/desk/checks", {{"cookie", cookie}}).status, 303);
}

TEST_F(DeskKeysTest, ASessionEndsWithItsKey) {
  const std::string cookie = session_of(key_of({access::Scope::admin}));
  key_of({access::Scope::admin});
  for (const access::KeyInfo& key : service_.access->keys().list().value())
    ASSERT_TRUE(service_.access->keys().revoke(key.id).has_value());
  EXPECT_EQ(field(ask("GET", "/desk/checks", {{"cookie", cookie}}), "Location"),
            "/desk/sign-in?next=%2Fdesk%2Fchecks");
}

TEST_F(DeskKeysTest, ALinkSignsInOnceByItsButton) {
  key_of({access::Scope::admin});
  const std::string id = service_.access->keys().list().value().front().id;
  const std::string path = "/desk/sign-in/" + service_.access->sessions().invite(id, time_now()).value();
  for (int looked = 0; looked < 2; ++looked)
    EXPECT_THAT(ask("GET", path, {}).body, HasSubstr("action=\"" + path + "\""));
  EXPECT_EQ(ask("POST", path, {{"sec-fetch-site", "cross-site"}}).status, 403);
  const std::string set = field(ask("POST", path, {}), "Set-Cookie");
  EXPECT_EQ(ask("GET", "/desk/checks", {{"cookie", set.substr(0, set.find(';'))}}).status, 200);
  const api::Response again = ask("POST", path, {});
  EXPECT_EQ(again.status, 403);
  EXPECT_EQ(field(again, "Set-Cookie").find("akin-session"), std::string::npos);
}

TEST_F(DeskKeysTest, RefusesAWrongKeyWithThePage) {
  const api::Response response = ask("POST", "/desk/sign-in", {}, "key=akin_0123456789abcdef_wrong");
  EXPECT_EQ(response.status, 403);
  EXPECT_THAT(response.body, HasSubstr("role=\"alert\""));
  EXPECT_EQ(field(response, "Set-Cookie").find("akin-session"), std::string::npos);
}

TEST_F(DeskKeysTest, RefusesFormsOfOtherSites) {
  const std::string cookie = session_of(key_of({access::Scope::admin}));
  const auto post = [&](std::string name, std::string value) {
    return ask("POST", "/desk/collections",
               {{"host", "akin.example:7878"}, {"cookie", cookie}, {std::move(name), std::move(value)}},
               form_of(cookie, "name=theses"))
        .status;
  };
  EXPECT_EQ(post("origin", "https://elsewhere.example"), 403);
  EXPECT_EQ(post("sec-fetch-site", "cross-site"), 403);
  EXPECT_EQ(post("origin", "http://akin.example:7878"), 303);
}

TEST_F(DeskKeysTest, TakesOnlyFormsOfPagesOfTheSession) {
  const std::string cookie = session_of(key_of({access::Scope::admin}));
  const std::string other = session_of(key_of({access::Scope::admin}));
  const auto post = [&](std::string_view body) {
    return ask("POST", "/desk/collections", {{"cookie", cookie}}, body).status;
  };
  EXPECT_EQ(post("name=theses"), 403);
  EXPECT_EQ(post("form-token=&name=theses"), 403);
  EXPECT_EQ(post("name=theses&" + form_of(cookie, "")), 403);  // a page has it first
  EXPECT_EQ(post(form_of(other, "name=theses")), 403);
  EXPECT_EQ(ask("GET", "/v1/collections/theses", {}).status, 401);
  EXPECT_EQ(post(form_of(cookie, "name=theses")), 303);
}

TEST_F(DeskKeysTest, EveryFormOfAPageHasTheToken) {
  const std::string cookie = session_of(key_of({access::Scope::admin}));
  for (const char* path : {"/desk/", "/desk/checks", "/desk/collections", "/desk/persons", "/desk/rules"}) {
    const std::string page = ask("GET", path, {{"cookie", cookie}}).body;
    std::size_t forms = 0;
    for (std::size_t at = page.find("<form method=\"post\""); at != std::string::npos;
         at = page.find("<form method=\"post\"", at + 1)) {
      EXPECT_THAT(page.substr(page.find('>', at) + 1, 100),
                  StartsWith("<input type=\"hidden\" name=\"form-token\""));
      ++forms;
    }
    EXPECT_GE(forms, 1) << path;
  }
}

TEST_F(DeskKeysTest, ProgramsWithAKeyNeedNoToken) {
  const std::string key = key_of({access::Scope::admin});
  EXPECT_EQ(ask("POST", "/desk/collections", {{"authorization", "Bearer " + key}}, "name=theses").status,
            303);
}

TEST_F(DeskKeysTest, ShowsAPageToAKeyThatMayNot) {
  const std::string cookie = session_of(key_of({access::Scope::check}));
  const api::Response response =
      ask("POST", "/desk/collections", {{"cookie", cookie}}, form_of(cookie, "name=theses"));
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(field(response, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(ask("GET", "/desk/collections", {{"cookie", cookie}}).body,
              Not(HasSubstr("Make a collection")));
}

}  // namespace
}  // namespace akin::test
