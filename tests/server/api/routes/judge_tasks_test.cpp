// Training on a collection's labels, judging its documents in their order, and features, over the API.
#include <gmock/gmock.h>

#include "tests/server/api/routes/judge_api.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;

class JudgeTasks : public JudgeApi {
 protected:
  /// Labelled pairs of documents, `pairs` of each label. Of each pair the later document is a third of the
  /// other one, or unrelated to it, and has the smaller id.
  void label_excerpts(int pairs, const Json& metadata = Json::object(), const std::string& prefix = "") {
    Json labels = Json::array();
    for (int i = 0; i < 2 * pairs; ++i) {
      const std::string early = prefix + "z" + std::to_string(i), late = prefix + "a" + std::to_string(i);
      store(early, sentences(100 * i, 9), metadata);
      store(late, sentences(100 * i + (i % 2 == 0 ? 0 : 50), 3), metadata);
      labels.push_back({{"a", early}, {"b", late}, {"label", i % 2 == 0 ? "yes" : "no"}});
    }
    put_labels(labels);
  }
};

TEST_F(JudgeTasks, LabelsTrainAModelThatJudges) {
  label_excerpts(6);
  const auto lines = result("/v1/collections/c/train", {{"name", "excerpt"}, {"folds", 2}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["positives"], 6);
  EXPECT_EQ(lines[0]["compared_positives"], 6);
  EXPECT_EQ(lines[0]["negatives"], 6);
  const Json trained = lines[0]["model"];
  EXPECT_EQ(trained["name"], "excerpt");
  EXPECT_EQ(trained["pairs"], 12);
  EXPECT_EQ(trained["held_out"]["f"], 1.0);
  EXPECT_EQ(expect(200, "GET", "/v1/models")["models"], Json::array({trained}));
  const auto answer = [&](int from) {
    const Json a = {{"text", sentences(from, 3)}}, b = {{"text", sentences(5000, 9)}};
    return post(200, "/v1/judge", {{"a", a}, {"b", b}, {"model", "excerpt"}})["answer"];
  };
  EXPECT_EQ(answer(5000), "duplicate");
  EXPECT_EQ(answer(6000), "new");
}

TEST_F(JudgeTasks, LaterDocumentIsTheOneThatMayBeTaken) {
  label_excerpts(4);
  result("/v1/collections/c/train", {{"name", "m"}, {"folds", 2}, {"criteria", "sentences,sentences-back"}});
  const Json model = Json::parse(call("GET", "/v1/models/m").body)["classifier"];
  EXPECT_EQ(model["most"][0], 1.0) << "of the excerpt, the original has all";
  EXPECT_LT(model["most"][1], 0.5) << "of the original, the excerpt has a third";
}

TEST_F(JudgeTasks, FilterSelectsThePairsOfASource) {
  label_excerpts(4, {{"site", "Valley"}}, "v");
  label_excerpts(3, {{"site", "Hill"}}, "h");
  const auto lines =
      result("/v1/collections/c/train", {{"name", "valley"}, {"folds", 2}, {"filter", "site = \"Valley\""}});
  EXPECT_EQ(lines[0]["model"]["pairs"], 8);
}

TEST_F(JudgeTasks, TooFewLabelsFailTheTask) {
  label_excerpts(1);
  const Json task = ended("/v1/collections/c/train", {{"name", "m"}});
  EXPECT_EQ(task["status"], "failed");
  EXPECT_THAT(task["error"]["detail"].get<std::string>(), HasSubstr("too few for 5 folds"));
  EXPECT_EQ(expect(200, "GET", "/v1/models")["total"], 0);
}

TEST_F(JudgeTasks, StreamAnswersInTheOrderOfArrival) {
  store("z", sentences(1, 9));
  store("m", sentences(1, 9));
  store("a", sentences(500, 9));
  const auto all = result("/v1/collections/c/stream", {{"from", "2020-01-01"}});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["answer"], "new");
  EXPECT_EQ(all[1]["answer"], "duplicate");
  EXPECT_EQ(all[1]["original"], "z");
  EXPECT_EQ(all[1]["group"], "z");
  EXPECT_EQ(all[2]["answer"], "new");
  const auto rest =
      result("/v1/collections/c/stream", {{"from", all[0]["stored"]}, {"include", {"details"}}});
  ASSERT_EQ(rest.size(), 2U) << "what is stored before `from` is not answered";
  EXPECT_EQ(rest[0]["original"], "z") << "and is compared with";
  EXPECT_EQ(rest[0]["criteria"]["sentences"], 1.0);
}

TEST_F(JudgeTasks, FilterSelectsTheDocumentsOfAStream) {
  store("other", sentences(1, 9), {{"language", "vep"}});
  store("first", sentences(1, 9), {{"language", "krl"}});
  store("second", sentences(1, 9), {{"language", "krl"}});
  const auto lines =
      result("/v1/collections/c/stream", {{"from", "2020-01-01"}, {"filter", "language = \"krl\""}});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["answer"], "new");
  EXPECT_EQ(lines[1]["original"], "first");
}

TEST_F(JudgeTasks, StreamsThatAnEarlierAkinQueuedRun) {
  store("z", sentences(1, 9));
  store("m", sentences(1, 9));
  const Json parameters{
      {"from", "2020-01-01"}, {"window", 60}, {"candidates", 16}, {"rule", "event"}, {"threshold", 0.5}};
  for (const bool verbose : {false, true}) {
    Json queued = parameters;
    queued["verbose"] = verbose;
    const std::string id = service_.tasks->add("stream", "c", queued).value().id;
    EXPECT_EQ(awaited(id)["status"], "done");
    const std::string lines = call("GET", "/v1/tasks/" + id + "/result").body;
    EXPECT_EQ(lines.find("criteria") != std::string::npos, verbose) << lines;
  }
}

TEST_F(JudgeTasks, StreamJudgesByTrainedModelsOfTheSources) {
  label_excerpts(6);
  result("/v1/collections/c/train", {{"name", "excerpt"}, {"folds", 2}});
  result("/v1/collections/c/train", {{"name", "valley"}, {"folds", 2}});
  const Json from = result("/v1/collections/c/stream", {{"from", "2020-01-01"}}).back()["stored"];
  store("next", sentences(0, 3), {{"source", "Valley"}});
  const auto lines =
      result("/v1/collections/c/stream",
             {{"from", from}, {"model", "excerpt"}, {"models", {{"of", {{"Valley", "valley"}}}}}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["answer"], "duplicate");
  EXPECT_EQ(lines[0]["model"], "valley");
}

TEST_F(JudgeTasks, FeaturesAreThoseOfTheCommandLine) {
  const Json found = post(200, "/v1/features", {{"text", "Ab cd. Cd ab."}, {"scheme", "sentences"}});
  EXPECT_EQ(found["scheme"], "sentences");
  EXPECT_EQ(found["sentences"][0]["words"][1]["text"], "cd");
  ASSERT_EQ(found["features"].size(), 2U);
  EXPECT_EQ(found["features"][0]["hash"], found["features"][1]["hash"]);
  EXPECT_EQ(post(200, "/v1/features", {{"text", "Ab."}})["scheme"], "sentence-pairs");
}

TEST_F(JudgeTasks, WrongRequestsAreNamed) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"store_text":false})");
  const Json from = "2020-01-01";
  const struct {
    const char* path;
    Json body;
    int status;
    const char* what;
  } rows[] = {{"c/train", {{"folds", 2}}, 400, "'name'"},
              {"c/train", {{"name", "../x"}}, 400, "cannot be a model's name"},
              {"c/train", {{"name", "m"}, {"criteria", "colour"}}, 400, "colour"},
              {"c/train", {{"name", "m"}, {"folds", 1}}, 400, "folds"},
              {"c/train", {{"name", "m"}, {"filter", "site ="}}, 400, "filter"},
              {"bare/train", {{"name", "m"}}, 409, "keeps no texts"},
              {"none/train", {{"name", "m"}}, 404, "none"},
              {"c/stream", Json::object(), 400, "'from'"},
              {"c/stream", {{"from", from}, {"filter", "site ="}}, 400, "filter"},
              {"c/stream", {{"from", "yesterday"}}, 400, "is not a time"},
              {"c/stream", {{"from", from}, {"model", "none"}}, 404, "model 'none'"},
              {"c/stream", {{"from", from}, {"models", {{"of", {{"s", "m"}}}}}}, 400, "'models'"},
              {"c/stream", {{"from", from}, {"model", "m"}, {"rule", "event"}}, 400, "'rule'"},
              {"bare/stream", {{"from", from}}, 409, "keeps no texts"}};
  for (const auto& row : rows) {
    const api::Response refused =
        call("POST", std::string("/v1/collections/") + row.path, kJson, row.body.dump());
    EXPECT_EQ(refused.status, row.status) << row.what << ": " << refused.body;
    EXPECT_THAT(refused.body, HasSubstr(row.what));
  }
  EXPECT_EQ(call("POST", "/v1/features", kJson, R"({"text":"A.","scheme":"none"})").status, 400);
}

}  // namespace
}  // namespace akin::test
