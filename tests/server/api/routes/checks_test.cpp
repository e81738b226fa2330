// Submission checks and policies over the API.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/access/keys.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using ::testing::HasSubstr;

class ChecksTest : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    put("source", sentences(100, 10));
  }
  void put(const std::string& id, const std::string& text) const {
    call("PUT", "/v1/collections/books/documents/" + id, kText, text);
  }
  [[nodiscard]] Json post(const Json& body, int status = 201) const {
    return expect(status, "POST", "/v1/checks", kJson, body.dump());
  }
  [[nodiscard]] Json check(const std::string& text) const {
    return post({{"collections", {"books"}}, {"text", text}});
  }
  [[nodiscard]] Json admit(const Json& check, const Json& body, int status = 201) const {
    return expect(status, "POST", path(check) + "/admit", kJson, body.dump());
  }
  static std::string path(const Json& check) { return "/v1/checks/" + check["id"].get<std::string>(); }

  const std::string half_ = sentences(100, 10) + sentences(500, 10);
};

TEST_F(ChecksTest, CheckIsAnsweredStoredAndLocated) {
  const Json body = {{"collections", {"books"}}, {"text", half_}, {"title", "T"}, {"metadata", {{"k", 1}}}};
  const auto response = call("POST", "/v1/checks", kJson, body.dump());
  EXPECT_EQ(response.status, 201);
  const Json check = Json::parse(response.body);
  EXPECT_EQ(response.headers.at(0), (std::pair<std::string, std::string>("Location", path(check))));
  EXPECT_EQ(call("GET", path(check)).body, response.body);
  EXPECT_EQ(check["verdict"], "refuse");
  EXPECT_EQ(check["share"], 0.5);
  EXPECT_EQ(check["metadata"]["k"], 1);
  EXPECT_EQ(check["sources"][0]["id"], "source");
  EXPECT_EQ(check["policy"]["name"], "default");
  EXPECT_EQ(check["index"][0]["documents"], 1);
}

TEST_F(ChecksTest, AnEmptyFileIsAnError) {
  EXPECT_NE(expect(400, "POST", "/v1/checks?collections=books", "application/pdf", "")["reason"].dump().find(
                "empty"),
            std::string::npos);
}

TEST_F(ChecksTest, AnUnknownFieldGetsAListOfTheKnownOnes) {
  EXPECT_EQ(
      expect(400, "POST", "/v1/checks", kJson, R"({"text":"One.","keep":true})")["remedy"],
      "known fields: 'text', 'id', 'collection', 'policy', 'collections', 'owner', 'title' and 'metadata'");
}

TEST_F(ChecksTest, NothingIsIndexed) {
  const auto view = [&] {
    return call("GET", "/v1/collections/books").body + call("GET", "/v1/collections/books/documents").body +
           call("POST", "/v1/collections/books/similar?bound=0", kText, half_).body;
  };
  const std::string before = view();
  for (int i = 0; i < 3; ++i) (void)check(half_);
  EXPECT_EQ(view(), before);
}

TEST_F(ChecksTest, SameRequestOverTheSameIndexGivesTheSameBytes) {
  Json first = check(half_);
  Json second = check(half_);
  EXPECT_NE(first["id"], second["id"]);
  for (Json* each : {&first, &second}) {
    each->erase("id");
    each->erase("created");
    each->erase("expires");
  }
  EXPECT_EQ(first.dump(), second.dump());
}

TEST_F(ChecksTest, RepeatedCheckIsTheSameUntilTheIndexChanges) {
  const Json stored = check(half_);
  EXPECT_EQ(expect(200, "POST", path(stored) + "/repeat")["same"], true);
  put("copy", sentences(100, 10));
  const Json repeated = expect(200, "POST", path(stored) + "/repeat");
  EXPECT_EQ(repeated["same"], false);
  EXPECT_EQ(repeated["same_index"], false);
  EXPECT_EQ(repeated["outcome"]["sources_total"], 2);
  EXPECT_EQ(expect(200, "GET", path(stored))["sources_total"], 1);
}

TEST_F(ChecksTest, RepeatUsesThePolicyAsItWas) {
  const std::string policy = "/v1/policies/p";
  expect(201, "PUT", policy, kJson, R"({"bound":0,"refuse_share":null})");
  const Json stored = post({{"collections", {"books"}}, {"text", half_}, {"policy", "p"}});
  expect(200, "PUT", policy, kJson, R"({"bound":9})");
  EXPECT_EQ(stored["policy"]["bound"], 0);
  EXPECT_EQ(expect(200, "POST", path(stored) + "/repeat")["same"], true);
}

TEST_F(ChecksTest, StoredDocumentIsCheckedById) {
  put("copy", sentences(100, 10));
  const Json stored = post({{"collections", {"books"}}, {"collection", "books"}, {"id", "copy"}});
  EXPECT_EQ(stored["query"]["id"], "copy");
  EXPECT_EQ(stored["sources_total"], 1);
  EXPECT_EQ(expect(200, "POST", path(stored) + "/repeat")["same"], true);
}

TEST_F(ChecksTest, TextsAreGivenWhenAskedFor) {
  const Json stored = check(half_);
  const Json with = expect(200, "GET", path(stored) + "?include=text,passage_text");
  EXPECT_EQ(with["text"], half_);
  const Json& passage = with["sources"][0]["passages"][0];
  EXPECT_THAT(passage["a_text"].get<std::string>(), HasSubstr("Alphan100"));
  EXPECT_EQ(passage["a_text"], passage["b_text"]);
  put("source", "Something else.");
  EXPECT_EQ(expect(200, "GET", path(stored) + "?include=passage_text")["sources"][0]["passages"][0]["b_text"],
            passage["b_text"]);
  EXPECT_THAT(call("GET", path(stored) + "/report").body, HasSubstr("This is the text that was compared."));
}

TEST_F(ChecksTest, PassagesAreColumnsWhenAskedFor) {
  const Json stored = check(half_);
  const Json& passages = stored["sources"][0]["passages"];
  const Json source = expect(200, "GET", path(stored) + "?include=columns,text")["sources"][0];
  EXPECT_FALSE(source.contains("passages"));
  EXPECT_EQ(source["passage_columns"]["a"].size(), 2 * passages.size());
  EXPECT_EQ(source["passage_columns"]["a"][0], passages[0]["a"][0]);
  expect(400, "GET", path(stored) + "?include=columns,passage_text");
}

TEST_F(ChecksTest, PagesListEveryCheckOnce) {
  std::vector<std::string> made;
  for (int i = 0; i < 5; ++i) made.push_back(check(half_)["id"].get<std::string>());
  std::vector<std::string> listed;
  std::string after;
  do {
    const Json page = expect(200, "GET", "/v1/checks?limit=2&cursor=" + after);
    EXPECT_EQ(page["total"], 5);
    for (const Json& entry : page["checks"]) listed.push_back(entry["id"].get<std::string>());
    after = page["next"].is_null() ? "" : page["next"].get<std::string>();
  } while (!after.empty());
  std::ranges::sort(made, std::greater());  // the newest first; within a microsecond in any order
  EXPECT_EQ(listed, made);
}

TEST_F(ChecksTest, ListsThoseOfAVerdictAnOwnerOrACollection) {
  expect(201, "PUT", "/v1/collections/papers");
  const Json refused =
      post({{"collections", {"books"}}, {"text", half_}, {"owner", "N. N."}, {"title", "Курсовая"}});
  const Json passed = post({{"collections", {"books", "papers"}}, {"text", sentences(900, 10)}});
  const auto listed = [&](const std::string& filters) {
    const Json page = expect(200, "GET", "/v1/checks?total=true&" + filters);
    std::vector<std::string> ids;
    for (const Json& entry : page["checks"]) ids.push_back(entry["id"].get<std::string>());
    EXPECT_EQ(page["total"], ids.size());
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(listed("verdict=refuse"), Ids{refused["id"].get<std::string>()});
  EXPECT_EQ(listed("verdict=pass"), Ids{passed["id"].get<std::string>()});
  EXPECT_EQ(listed("owner=N.%20N."), Ids{refused["id"].get<std::string>()});
  EXPECT_EQ(listed("collection=papers"), Ids{passed["id"].get<std::string>()});
  EXPECT_EQ(listed("collection=books&verdict=review"), Ids());
  EXPECT_EQ(listed("q=%D0%BA%D0%A3%D1%80%D1%81"), Ids{refused["id"].get<std::string>()});
  EXPECT_EQ(listed("q=n.%20N"), Ids{refused["id"].get<std::string>()});
  EXPECT_EQ(listed("q=" + passed["id"].get<std::string>()), Ids{passed["id"].get<std::string>()});
  EXPECT_EQ(listed("q=nobody"), Ids());
  const Ids both = {passed["id"].get<std::string>(), refused["id"].get<std::string>()};
  EXPECT_EQ(listed("since=2020-01-01"), both);
  EXPECT_EQ(listed("since=" + passed["created"].get<std::string>()).front(), both.front());
  EXPECT_EQ(listed("since=2999-01-01T00:00:00Z"), Ids());
  expect(400, "GET", "/v1/checks?since=yesterday");
  expect(400, "GET", "/v1/checks?verdict=maybe");
}

TEST_F(ChecksTest, DeletedCheckIsGone) {
  const Json stored = check(half_);
  EXPECT_EQ(expect(200, "DELETE", path(stored))["deleted"], true);
  expect(404, "GET", path(stored));
  expect(404, "DELETE", path(stored));
  expect(404, "POST", path(stored) + "/repeat");
}

TEST_F(ChecksTest, IdThatIsNoneIsNotFound) {
  for (const std::string& id :
       {std::string("x"), std::string("check-"), std::string("%00"), std::string(3000, 'a')}) {
    expect(404, "GET", "/v1/checks/" + id);
    expect(404, "DELETE", "/v1/checks/" + id);
  }
  EXPECT_EQ(expect(200, "GET", "/v1/checks?cursor=after:" + std::string(3000, 'z'))["total"], 0);
}

TEST_F(ChecksTest, AdmittedTextIsStoredOnce) {
  const Json stored =
      post({{"collections", {"books"}}, {"text", half_}, {"title", "T"}, {"owner", "petrov"}});
  const Json where = {{"collection", "books"}, {"id", "essays/1"}};
  const Json admitted = admit(stored, where);
  const Json document = expect(200, "GET", "/v1/collections/books/documents/essays/1");
  EXPECT_EQ(document["text"], half_);
  EXPECT_EQ(document["title"], "T");
  EXPECT_EQ(document["metadata"]["owner"], "petrov");
  EXPECT_EQ(admit(stored, where, 200).dump(), admitted.dump());
  EXPECT_EQ(expect(200, "GET", path(stored))["admitted"], admitted["admitted"]);
  EXPECT_EQ(admit(stored, {{"collection", "books"}, {"id", "essays/2"}}, 409)["code"], "already_exists");
}

TEST_F(ChecksTest, AdmissionReplacesAnotherTextOnlyIfAllowed) {
  const Json stored = check(half_);
  EXPECT_EQ(admit(stored, {{"collection", "books"}, {"id", "source"}}, 409)["code"], "already_exists");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/source")["text"], sentences(100, 10));
  (void)admit(stored, {{"collection", "books"}, {"id", "source"}, {"replace", true}});
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/source")["text"], half_);
}

TEST_F(ChecksTest, AdmissionThatWasCutOffIsFinished) {
  const Json stored = check(half_);
  put("essay", half_);
  const auto count = [this](const std::string& query) {
    return expect(200, "GET", "/v1/checks?" + query)["checks"].size();
  };
  EXPECT_EQ(count("admitted=false"), 1U);
  EXPECT_EQ(count("admitted=true"), 0U);
  (void)admit(stored, {{"collection", "books"}, {"id", "essay"}});
  EXPECT_EQ(count("admitted=false"), 0U);
  EXPECT_EQ(count("admitted=true"), 1U);
}

TEST_F(ChecksTest, AdmittedFileIsStoredAsAPutOfItIs) {
  expect(201, "PUT", "/v1/collections/pages", kJson, R"({"store_file":true})");
  const std::string page =
      "<html><head><title>Own title</title><meta name=author content=\"A. Author\"></head>"
      "<body><p>" +
      sentences(700, 10) + "</p></body></html>";
  const Json stored =
      expect(201, "POST", "/v1/checks?collections=books&file_name=essay.html", "text/html", page);
  EXPECT_EQ(call("GET", path(stored) + "/file").body, page);
  (void)admit(stored, {{"collection", "pages"}, {"id", "admitted"}});
  expect(201, "PUT", "/v1/collections/pages/documents/put?file_name=essay.html", "text/html", page);
  const std::string documents = "/v1/collections/pages/documents/";
  Json admitted = expect(200, "GET", documents + "admitted"), put = expect(200, "GET", documents + "put");
  for (Json* each : {&admitted, &put}) {
    each->erase("id");
    each->erase("stored");
  }
  EXPECT_EQ(admitted, put);
  EXPECT_EQ(admitted["metadata"]["author"], "A. Author");
  EXPECT_EQ(call("GET", "/v1/collections/pages/files/admitted").body, page);
}

TEST_F(ChecksTest, AdmissionPassesTheGate) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, "{}");
  const Json copy = check(sentences(100, 10)), own = check(sentences(700, 10));
  const Json refused = admit(copy, {{"collection", "books"}, {"id", "copy"}}, 409);
  EXPECT_EQ(refused["code"], "already_exists");
  EXPECT_THAT(refused["reason"].get<std::string>(), HasSubstr("duplicate of 'source'"));
  EXPECT_EQ(expect(200, "GET", path(copy))["admitted"], nullptr);
  (void)admit(own, {{"collection", "books"}, {"id", "own"}});
}

/// The admitted text is the case itself, with an owner or without one.
TEST_F(ChecksTest, RepeatedAfterItsAdmissionACheckIsWhatItWas) {
  for (const char* owner : {"", "petrov"}) {
    Json body = {{"collections", {"books"}}, {"text", half_}};
    if (*owner != '\0') body["owner"] = owner;
    const Json stored = post(body);
    (void)admit(stored, {{"collection", "books"}, {"id", "essay of " + std::string(owner)}});
    const Json repeated = expect(200, "POST", path(stored) + "/repeat")["outcome"];
    for (const char* field : {"verdict", "share", "own_share", "sources", "letters", "reasons"})
      EXPECT_EQ(repeated[field], stored[field]) << field << " " << owner;
    expect(200, "DELETE", "/v1/collections/books/documents/essay%20of%20" + std::string(owner));
  }
}

TEST_F(ChecksTest, OwnersLaterCheckTellsOfTheAdmittedText) {
  const Json body = {{"collections", {"books"}}, {"text", sentences(500, 10)}, {"owner", "petrov"}};
  (void)admit(post(body), {{"collection", "books"}, {"id", "draft"}});
  const Json later = post({{"collections", {"books"}}, {"text", half_}, {"owner", "petrov"}});
  EXPECT_EQ(later["share"], 0.5);
  EXPECT_EQ(later["own_share"], 0.5);
  EXPECT_EQ(later["own_earlier"][0]["by"]["id"], "draft");
  EXPECT_EQ(later["excluded"].size(), 0U);
}

TEST_F(ChecksTest, PoliciesAreKeptByName) {
  EXPECT_EQ(expect(200, "GET", "/v1/policies")["total"], 1);
  const Json made = expect(201, "PUT", "/v1/policies/strict", kJson, R"({"bound":1})");
  EXPECT_EQ(made["bound"], 1);
  EXPECT_EQ(expect(200, "GET", "/v1/policies/strict").dump(), made.dump());
  EXPECT_EQ(expect(200, "GET", "/v1/policies")["policies"][1]["name"], "strict");
  EXPECT_EQ(expect(200, "DELETE", "/v1/policies/strict")["deleted"], true);
  expect(404, "GET", "/v1/policies/strict");
  expect(404, "DELETE", "/v1/policies/strict");
  expect(404, "DELETE", "/v1/policies/default");
  expect(400, "PUT", "/v1/policies/strict", kJson, R"({"bounds":1})");
  expect(415, "PUT", "/v1/policies/strict", kText, "{}");
}

TEST_F(ChecksTest, PolicyMayBeGivenWithTheCheck) {
  const Json stored = post({{"collections", {"books"}},
                            {"text", half_},
                            {"policy", {{"tiers", {"pairs"}}, {"bound", 9}, {"review_share", nullptr}}}});
  EXPECT_EQ(stored["policy"]["name"], nullptr);
  EXPECT_EQ(stored["verdict"], "pass");
}

struct WrongBody {
  const char* body;
  int status;
  const char* named;
};
class WrongCheck : public ChecksTest, public ::testing::WithParamInterface<WrongBody> {};

TEST_P(WrongCheck, IsRefusedByName) {
  const Json answer = expect(GetParam().status, "POST", "/v1/checks", kJson, GetParam().body);
  EXPECT_THAT(answer["what"].get<std::string>() + answer["reason"].get<std::string>(),
              HasSubstr(GetParam().named));
  EXPECT_EQ(expect(200, "GET", "/v1/checks")["total"], 0);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, WrongCheck,
    ::testing::Values(
        WrongBody{R"({"collections":[],"text":"A."})", 400, "collections"},
        WrongBody{R"({"collections":"books","text":"A."})", 400, "collections"},
        WrongBody{R"({"collections":[1],"text":"A."})", 400, "collections"},
        WrongBody{R"({"collections":["books","books"],"text":"A."})", 400, "books"},
        WrongBody{R"({"collections":["nope"],"text":"A."})", 404, "nope"},
        WrongBody{R"({"collections":["../x"],"text":"A."})", 400, "../x"},
        WrongBody{R"({"collections":["books"]})", 400, "text"},
        WrongBody{R"({"collections":["books"],"text":"A.","id":"a","collection":"books"})", 400, "both"},
        WrongBody{R"({"collections":["books"],"id":"a"})", 400, "collection"},
        WrongBody{R"({"collections":["books"],"id":"a","collection":"books"})", 404, "a"},
        WrongBody{R"({"collections":["books"],"id":"","collection":"books"})", 400, "id"},
        WrongBody{R"({"collections":["books"],"text":"A.","policy":"nope"})", 404, "nope"},
        WrongBody{R"({"collections":["books"],"text":"A.","policy":3})", 400, "policy"},
        WrongBody{R"({"collections":["books"],"text":"A.","policy":{"x":1}})", 400, "x"},
        WrongBody{R"({"collections":["books"],"text":"A.","owner":""})", 400, "owner"},
        WrongBody{R"({"collections":["books"],"text":"A.","metadata":[]})", 400, "metadata"},
        WrongBody{R"({"collections":["books"],"text":"A.","verdict":"pass"})", 400, "verdict"},
        WrongBody{
            R"({"collections":["books"],"text":"A.","policy":{"exclude":{"templates":[{"collection":"books","id":"gone"}]}}})",
            404, "gone"}));

/// Requests with a key that is bound to the collection "books".
class BoundKey : public ChecksTest {
 protected:
  api::Response as_key(const std::vector<access::Scope>& scopes, std::string_view method,
                       const std::string& target, const std::string& body = "") const {
    api::Service service = service_;
    service.access = std::make_shared<access::Access>(service.state, false, access::AccessLimits{});
    const auto key = access::Keys(service.state)
                         .create({.label = "", .scopes = scopes, .collections = {"books"}, .expires = {}})
                         .value();
    api::Request request{
        .method = std::string(method), .target = target, .content_type = std::string(kJson), .body = body};
    request.headers.emplace_back("authorization", "Bearer " + key.token);
    if (auto refusal = api::authorize(service, request)) return *refusal;
    return api::handle(service, request);
  }
};

TEST_F(BoundKey, SeesChecksOfItsCollectionsAlone) {
  expect(201, "PUT", "/v1/collections/secret");
  const Json seen = check(half_);
  const Json hidden = post({{"collections", {"books", "secret"}}, {"text", half_}});
  EXPECT_EQ(as_key({access::Scope::admin}, "GET", path(hidden)).status, 404);
  EXPECT_EQ(as_key({access::Scope::admin}, "POST", path(hidden) + "/repeat").status, 404);
  EXPECT_EQ(as_key({access::Scope::admin}, "GET", path(seen)).status, 200);
  const Json list = Json::parse(as_key({access::Scope::admin}, "GET", "/v1/checks?total=true").body);
  EXPECT_EQ(list["total"], 1);
  EXPECT_EQ(list["checks"][0]["id"], seen["id"]);
}

TEST_F(BoundKey, LooksInItsCollectionsAlone) {
  expect(201, "PUT", "/v1/collections/secret");
  for (
      const char* body :
      {R"({"collections":["books","secret"],"text":"A."})",
       R"({"collections":["books"],"collection":"secret","id":"a"})",
       R"({"collections":["books"],"text":"A.","policy":{"exclude":{"templates":[{"collection":"secret","id":"a"}]}}})"}) {
    EXPECT_EQ(as_key({access::Scope::check}, "POST", "/v1/checks", body).status, 403) << body;
  }
}

TEST_F(BoundKey, TellsNoMetadataByAFilterAndNoTextsOfTemplates) {
  const std::string filtered =
      R"({"collections":["books"],"text":"A.","policy":{"filter":"secret >= \"z\""}})";
  EXPECT_EQ(as_key({access::Scope::check}, "POST", "/v1/checks", filtered).status, 403);
  EXPECT_EQ(as_key({access::Scope::check, access::Scope::read}, "POST", "/v1/checks", filtered).status, 201);
  expect(201, "PUT", "/v1/policies/forms", kJson,
         R"({"filter":"secret >= \"z\"","exclude":{"templates":[{"text":"Hidden form."}]}})");
  const std::string named = R"({"collections":["books"],"text":"A.","policy":"forms"})";
  for (const access::Scope scope : {access::Scope::check, access::Scope::submit}) {
    const api::Response made = as_key({scope}, "POST", "/v1/checks", named);
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_THAT(made.body, Not(HasSubstr("Hidden form")));
    EXPECT_THAT(as_key({scope}, "GET", "/v1/policies").body, Not(HasSubstr("Hidden form")));
    EXPECT_THAT(as_key({scope}, "GET", "/v1/policies/forms").body, Not(HasSubstr("Hidden form")));
  }
  EXPECT_THAT(as_key({access::Scope::read, access::Scope::check}, "GET", "/v1/policies").body,
              HasSubstr("Hidden form"));
  EXPECT_THAT(expect(200, "GET", "/v1/policies/forms").dump(), HasSubstr("Hidden form"));
}

TEST_F(ChecksTest, NameTheFirstOfManyExclusionsAndCountAll) {
  std::string quoting;
  for (int number = 0; number < 3000; ++number) quoting += "\"" + std::to_string(number) + "\" word ";
  const Json check = post({{"collections", {"books"}},
                           {"text", quoting},
                           {"policy", {{"exclude", {{"quotations", true}, {"max_quotation_share", 0.25}}}}}});
  EXPECT_EQ(check["excluded"].size(), 1000);
  EXPECT_EQ(check["not_excluded"].size(), 1000);
  EXPECT_EQ(check["excluded"][0]["range"], Json({0, 3}));
  EXPECT_GT(check["excluded_total"], 1000);
  EXPECT_EQ(check["excluded_total"].get<int>() + check["not_excluded_total"].get<int>(), 3000);
}

TEST_F(ChecksTest, AreListedAsTheyAreStored) {
  const Json made = check(half_);
  Json listed = expect(200, "GET", "/v1/checks")["checks"][0];
  EXPECT_EQ(listed["policy"], made["policy"]["name"]);
  listed.erase("policy");
  EXPECT_EQ(listed["words"], made["query"]["words"]);
  listed.erase("words");
  for (const char* field : {"state", "proposed", "share"})
    EXPECT_EQ(listed["decision"][field], made["decision"][field]);
  listed.erase("decision");
  for (const auto& [name, value] : listed.items()) EXPECT_EQ(value, made[name]) << name;
}

TEST_F(ChecksTest, SaysWhenItExpires) {
  EXPECT_EQ(check(half_)["expires"], nullptr);  // the service keeps them for ever
  const auto of_policy = [&](int days) {
    return post({{"collections", {"books"}}, {"text", half_}, {"policy", {{"keep_days", days}}}});
  };
  const Json dated = of_policy(7);
  EXPECT_EQ(json::read_time(dated["expires"]), *json::read_time(dated["created"]) + std::chrono::days(7));
  EXPECT_EQ(expect(200, "GET", "/v1/checks")["checks"][0]["expires"], dated["expires"]);
  EXPECT_EQ(of_policy(0)["expires"], nullptr);
  (void)post({{"collections", {"books"}}, {"text", half_}, {"policy", {{"keep_days", 36501}}}}, 400);
}

TEST(KeptChecks, AreForgottenWhenTheyAreOld) {
  const TemporaryFolder folder;
  check::Checks checks(state::State::open(folder.path()).value(), 30);
  const Time now = time_now();
  const auto add = [&](int days_ago) {
    return checks.add({.check = Json::object(), .text = "text"}, now - std::chrono::days(days_ago))
        .value()["id"]
        .get<std::string>();
  };
  const std::string old = add(31), young = add(29), new_one = add(0), older = add(40);
  EXPECT_EQ(checks.count().value(), 4U);
  EXPECT_EQ(checks.forget_expired(now, 1).value(), 1U);  // the one that expired first
  EXPECT_EQ(checks.get(older).error().code, Errc::not_found);
  EXPECT_EQ(checks.text(old).value(), "text");
  EXPECT_EQ(checks.forget_expired(now, 100).value(), 1U);
  EXPECT_EQ(checks.forget_expired(now, 100).value(), 0U);
  EXPECT_EQ(checks.get(old).error().code, Errc::not_found);
  EXPECT_EQ(checks.text(old).error().code, Errc::not_found);
  EXPECT_EQ(checks.text(young).value(), "text");
  EXPECT_EQ(checks.count().value(), 2U);
  EXPECT_LT(young, new_one);
}

}  // namespace
}  // namespace akin::test
