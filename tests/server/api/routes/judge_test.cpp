// Judging, models, labels and the page of pairs over the API.
#include <gmock/gmock.h>

#include <algorithm>

#include "server/judge/models.h"
#include "tests/server/api/routes/judge_api.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;

/// A model that calls a pair a duplicate if most words are common; its links lie within 0.2 and 0.8.
judge::Model model(const std::string& name) {
  judge::Model model;
  model.name = name;
  model.languages = "none";
  model.dictionary = empty_dictionary()->fingerprint();
  judge::Classifier& classifier = model.classifier;
  classifier.scaling = {
      {judge::Criterion::words, judge::Criterion::links}, {0.5, 0.5}, {0.5, 0.5}, {0, 0.2}, {1, 0.8}};
  classifier.plane = {1, 0, {4, 0}};
  classifier.record.folds = 2;
  classifier.record.precision = 0.9;
  return model;
}

TEST_F(JudgeApi, RuleJudgesTwoTexts) {
  const Json copy =
      post(200, "/v1/judge", {{"a", {{"text", sentences(1, 9)}}}, {"b", {{"text", sentences(1, 9)}}}});
  EXPECT_EQ(copy["answer"], "duplicate");
  EXPECT_EQ(copy["model"], nullptr);
  EXPECT_EQ(copy["criteria"]["sentences"], 1.0);
  EXPECT_EQ(copy["criteria"]["links"], nullptr);
  const Json other =
      post(200, "/v1/judge", {{"a", {{"text", sentences(1, 9)}}}, {"b", {{"text", sentences(100, 9)}}}});
  EXPECT_EQ(other["answer"], "new");
  EXPECT_LT(other["score"], 0.5);
}

TEST_F(JudgeApi, CriteriaOfPagesComeFromTheirMetadata) {
  const std::string page =
      "<link rel=canonical href=https://a.example/1><meta property=article:published_time "
      "content=2024-05-17T08:00:00Z><p>" +
      sentences(1, 4) + "<a href=https://x.example/>x</a><img src=p.png></p>";
  expect(201, "PUT", "/v1/collections/c/documents/page", "text/html", page);
  const Json later = {{"text", sentences(1, 4)},
                      {"metadata",
                       {{"date", "2024-05-18T08:00:00Z"},
                        {"links", {"https://x.example"}},
                        {"images", 2},
                        {"authority", 0.25}}}};
  const Json found =
      post(200, "/v1/judge", {{"a", later}, {"b", {{"collection", "c"}, {"id", "page"}}}})["criteria"];
  EXPECT_EQ(found["links"], 1.0);
  EXPECT_EQ(found["images"], 0.5);
  EXPECT_EQ(found["time"], 0.5);
}

TEST_F(JudgeApi, ArrivingDocumentIsJudgedAgainstTheCollection) {
  store("old", sentences(1, 9));
  store("far", sentences(200, 9));
  const Json copy =
      post(200, "/v1/collections/c/judge", {{"document", {{"id", "n"}, {"text", sentences(1, 9)}}}});
  EXPECT_EQ(copy["answer"], "duplicate");
  EXPECT_EQ(copy["original"], "old");
  EXPECT_EQ(copy["compared"], 1);
  const Json fresh = post(200, "/v1/collections/c/judge", {{"document", {{"text", sentences(500, 9)}}}});
  EXPECT_EQ(fresh["answer"], "new");
  EXPECT_EQ(fresh["original"], nullptr);
  EXPECT_EQ(fresh["nearest"], nullptr);
  const Json itself =
      post(200, "/v1/collections/c/judge", {{"document", {{"id", "old"}, {"text", sentences(1, 9)}}}});
  EXPECT_EQ(itself["answer"], "new") << "a document is never its own original";
  EXPECT_EQ(expect(200, "GET", "/v1/collections/c")["documents"], 2) << "nothing is stored";
}

TEST_F(JudgeApi, ModelIsStoredJudgesAndIsRemoved) {
  const std::string text = judge::model_text(model("trained"));
  const Json made = expect(201, "PUT", "/v1/models/news", kJson, text);
  EXPECT_EQ(made["name"], "news");
  EXPECT_EQ(made["weights"]["words"], 4.0);
  expect(200, "PUT", "/v1/models/news", kJson, text);
  EXPECT_EQ(call("GET", "/v1/models/news").body, judge::model_text(model("news")));
  EXPECT_EQ(expect(200, "GET", "/v1/models")["models"][0]["name"], "news");
  const Json documents = {{"a", {{"text", sentences(1, 9)}, {"links", {"https://x.example"}}}},
                          {"b", {{"text", sentences(1, 9)}, {"links", {"https://x.example"}}}},
                          {"model", "news"}};
  const Json judged = post(200, "/v1/judge", documents);
  EXPECT_EQ(judged["answer"], "duplicate");
  EXPECT_EQ(judged["model"], "news");
  EXPECT_EQ(judged["beyond_examples"], Json::array({"links"}));
  EXPECT_EQ(expect(200, "DELETE", "/v1/models/news")["deleted"], true);
  EXPECT_EQ(post(404, "/v1/judge", documents)["code"], "not_found");
}

TEST_F(JudgeApi, ModelIsChosenBySourceOrMetadata) {
  for (const char* name : {"general", "valley"})
    expect(201, "PUT", std::string("/v1/models/") + name, kJson, judge::model_text(model(name)));
  const auto judge = [&](const Json& a, const Json& models) {
    return post(
        200, "/v1/judge",
        {{"a", a}, {"b", {{"text", sentences(1, 3)}}}, {"model", "general"}, {"models", models}})["model"];
  };
  const Json by_source = {{"of", {{"valley.example", "valley"}}}};
  EXPECT_EQ(judge({{"text", "A text."}, {"url", "https://www.valley.example/1"}}, by_source), "valley");
  EXPECT_EQ(judge({{"text", "A text."}, {"source", "hill.example"}}, by_source), "general");
  const Json by_subject = {{"field", "subject"}, {"of", {{"sport", "valley"}}}};
  EXPECT_EQ(judge({{"text", "A text."}, {"metadata", {{"subject", "sport"}}}}, by_subject), "valley");
}

TEST_F(JudgeApi, WrongRequestsAreNamed) {
  const Json text = {{"text", "A text."}};
  const struct {
    Json body;
    int status;
    const char* what;
  } rows[] = {{{{"a", text}}, 400, "field 'b'"},
              {{{"a", text}, {"b", {{"colour", 1}}}}, 400, "colour"},
              {{{"a", text}, {"b", {{"collection", "c"}, {"id", "none"}}}}, 404, "none"},
              {{{"a", text}, {"b", text}, {"model", "none"}}, 404, "model 'none'"},
              {{{"a", text}, {"b", text}, {"model", "../x"}}, 400, "cannot be a model's name"},
              {{{"a", text}, {"b", text}, {"model", "m"}, {"rule", "event"}}, 400, "field 'rule'"},
              {{{"a", text}, {"b", text}, {"rule", "best"}}, 400, "field 'rule'"},
              {{{"a", text}, {"b", text}, {"models", {{"of", {{"s", 1}}}}}}, 400, "models.of"}};
  for (const auto& row : rows) {
    const api::Response refused = call("POST", "/v1/judge", kJson, row.body.dump());
    EXPECT_EQ(refused.status, row.status) << row.what;
    EXPECT_THAT(refused.body, HasSubstr(row.what));
  }
  EXPECT_EQ(expect(400, "PUT", "/v1/models/x", kJson, "{}").contains("code"), true);
}

TEST_F(JudgeApi, LabelsAreStoredListedAndRemoved) {
  for (const char* id : {"a", "b", "d"}) store(id, sentences(1, 5));
  const Json changes = put_labels({{{"a", "b"}, {"b", "a"}, {"label", "keep a"}},
                                   {{"a", "a"}, {"b", "d"}, {"label", "no"}},
                                   {{"a", "a"}, {"b", "gone"}, {"label", "yes"}}});
  EXPECT_EQ(changes["added"], 2);
  EXPECT_EQ(changes["refused"], Json::parse(R"([{"a":"a","b":"gone"}])"));
  const Json all = expect(200, "GET", "/v1/collections/c/labels");
  EXPECT_EQ(all["labels"], Json::parse(R"([{"a":"a","b":"b","label":"keep b","grade":1.0},
                                           {"a":"a","b":"d","label":"no","grade":0.0}])"))
      << "b was the first of the pair, and stays";
  EXPECT_EQ(all["deletions"], Json::parse(R"([{"delete":"a","keep":"b"}])"));
  EXPECT_EQ(expect(200, "DELETE", "/v1/collections/c/labels?a=d&b=a")["removed"], 1);
  expect(400, "DELETE", "/v1/collections/c/labels?a=d");
  EXPECT_EQ(expect(200, "DELETE", "/v1/collections/c/labels")["removed"], 1);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/c/labels")["total"], 0);
  expect(400, "PUT", "/v1/collections/c/labels", kJson, R"({"labels":[{"a":"a","b":"b","label":"maybe"}]})");
}

TEST_F(JudgeApi, FilterSelectsPairsAndGroups) {
  for (const char* id : {"k1", "k2"}) store(id, sentences(1, 9), {{"language", "krl"}});
  store("v1", sentences(1, 9), {{"language", "vep"}});
  const Json condition = {{"bound", 0}, {"filter", "language = \"krl\""}};
  const std::string pairs = finished("/v1/collections/c/pairs", condition);
  const std::string lines = call("GET", "/v1/tasks/" + pairs + "/result").body;
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1);
  EXPECT_THAT(lines, HasSubstr(R"("a":"k1","b":"k2")"));
  const std::string groups = finished("/v1/collections/c/groups", condition);
  EXPECT_EQ(call("GET", "/v1/tasks/" + groups + "/result").body, "{\"size\":2,\"ids\":[\"k1\",\"k2\"]}\n");
  expect(400, "POST", "/v1/collections/c/pairs", kJson, R"({"bound":0,"filter":"language ="})");
}

TEST_F(JudgeApi, PageShowsThePairsOfATaskAndStoresLabels) {
  store("one", sentences(1, 9), {{"url", "https://a.example/1"}});
  store("two", sentences(1, 9), {{"url", "javascript:alert(1)"}});
  put_labels({{{"a", "one"}, {"b", "two"}, {"label", "yes"}}});
  const std::string task = finished("/v1/collections/c/pairs", {{"bound", 0}});
  const api::Response page = call("GET", "/desk/pairs/" + task);
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("\"save\":\"/desk/pairs/" + task + "/labels\""));
  EXPECT_THAT(page.body, HasSubstr("\"url\":\"https://a.example/1\""));
  EXPECT_THAT(page.body, ::testing::Not(HasSubstr("javascript:alert")));
  EXPECT_THAT(page.body, HasSubstr("\"label\":\"yes\""));
  const auto policy = std::ranges::find(page.headers, "Content-Security-Policy",
                                        [](const auto& header) { return header.first; });
  ASSERT_NE(policy, page.headers.end());
  EXPECT_THAT(policy->second, HasSubstr("script-src 'sha256-"));
  const std::string body = R"({"labels":[{"a":"one","b":"two","label":"keep a"}]})";
  EXPECT_EQ(expect(200, "PUT", "/desk/pairs/" + task + "/labels", kJson, body)["changed"], 1);
  const std::string groups = finished("/v1/collections/c/groups", {{"bound", 0}});
  EXPECT_EQ(call("GET", "/desk/pairs/" + groups).status, 400);
  EXPECT_EQ(call("GET", "/desk/pairs/task-0000000000000000").status, 404);
}

}  // namespace
}  // namespace akin::test
