// POST …/bulk over a body and an answer in memory.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <map>
#include <new>
#include <optional>
#include <sstream>

#include "index/collection/bulk.h"
#include "tests/server/api/read/memory_streams.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Bulk : public ServiceTest {
 protected:
  Bulk() { expect(201, "PUT", "/v1/collections/books"); }

  std::optional<api::Response> post(api::BodySource& body, api::AnswerSink& answer,
                                    std::string type = "application/x-ndjson") const {
    return api::handle_stream(service_,
                              {.method = "POST",
                               .target = "/v1/collections/books/bulk",
                               .content_type = std::move(type),
                               .body = ""},
                              body, answer);
  }
  std::vector<api::Json> answers(std::vector<std::string> pieces) const {
    Pieces body(std::move(pieces));
    Answer answer;
    const std::optional<api::Response> refused = post(body, answer);
    EXPECT_FALSE(refused.has_value()) << refused->body;
    return answer.lines();
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    const api::Json page = expect(200, "GET", "/v1/collections/books/documents?limit=1000");
    for (const api::Json& one : page["documents"]) all.push_back(one["id"].get<std::string>());
    return all;
  }
  static std::vector<std::string> statuses(const std::vector<api::Json>& lines) {
    std::vector<std::string> all;
    for (const api::Json& line : lines) {
      if (line.contains("status")) {
        all.push_back(std::to_string(line["line"].get<int>()) + ":" + line["status"].get<std::string>());
      }
    }
    return all;
  }
};

TEST_F(Bulk, TakesALineThatWasExportedAndStoresItNow) {
  const auto lines = answers({R"({"id":"a","text":"One.","stored":"2001-02-03T04:05:06Z"})"
                              "\n"
                              R"({"id":"b","text":"One.","stored":"yesterday"})"
                              "\n"});
  EXPECT_THAT(statuses(lines), ElementsAre("1:created", "2:error"));
  EXPECT_GT(lines[0]["stored"].get<std::string>(), "2026");
  EXPECT_EQ(lines[1]["error"]["what"], "field 'stored'");
}

TEST_F(Bulk, TellsEachLineInOrderAndSumsUp) {
  const auto lines = answers({R"({"id":"a","text":"One two.","title":"A","metadata":{"author":"N. N."}})"
                              "\n\n"
                              R"({"id":"b","text":"Three four."})"
                              "\r\n  \n"
                              R"({"id":"a","text":"Five six."})"
                              "\n"
                              R"({"id":"b","delete":true})"
                              "\n"
                              R"({"id":"b","delete":true})"
                              "\nno JSON\n"
                              R"({"id":"c","text":"Last."})"});
  EXPECT_THAT(statuses(lines), ElementsAre("1:created", "3:created", "5:replaced", "6:deleted", "7:error",
                                           "8:error", "9:created"));
  EXPECT_EQ(lines[4]["error"]["code"], "not_found");
  EXPECT_EQ(lines[5]["error"]["code"], "invalid_json");
  EXPECT_EQ(lines[5]["id"], nullptr);
  EXPECT_EQ(
      lines.back().dump(),
      R"({"summary":{"lines":9,"created":3,"replaced":1,"deleted":1,"errors":2,"no_words":0,"bytes":33}})");
  EXPECT_THAT(ids(), ElementsAre("a", "c"));
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/a")["text"], "Five six.");
}

TEST_F(Bulk, TakesTheElementsOfAnArrayAsLines) {
  Pieces body({"[\n  {\"id\":\"a\",\n \"text\":\"One [two], three.\"},\n",
               R"({"id":"a","delete":true}, {"id":"b"},)", R"({"id":"c","text":"Last."}])"});
  Answer answer;
  ASSERT_FALSE(post(body, answer, "application/json; charset=utf-8").has_value());
  EXPECT_THAT(statuses(answer.lines()), ElementsAre("1:created", "2:deleted", "3:error", "4:created"));
  EXPECT_EQ(answer.lines().back()["summary"]["lines"], 4);
  EXPECT_THAT(ids(), ElementsAre("c"));
}

TEST_F(Bulk, ReportsAnArrayThatBreaksOff) {
  Pieces body({R"([{"id":"a","text":"One."},)"});
  Answer answer;
  ASSERT_FALSE(post(body, answer, "application/json").has_value());
  EXPECT_THAT(statuses(answer.lines()), ElementsAre("1:created", "2:error"));
  EXPECT_EQ(answer.lines()[1]["error"]["code"], "invalid_json");
}

TEST_F(Bulk, CountsStoredDocumentsWithoutWords) {
  const auto lines = answers({R"({"id":"a","text":""})"
                              "\n"
                              R"({"id":"b","text":"… —"})"
                              "\n"
                              R"({"id":"c","text":"One."})"});
  EXPECT_EQ(lines.back()["summary"]["created"], 3);
  EXPECT_EQ(lines.back()["summary"]["no_words"], 2);
}

/// Throws at its third write, as it would without memory.
class ExhaustedAnswer final : public api::AnswerSink {
 public:
  Result<void> begin(const api::Response&) override { return {}; }
  Result<void> write(std::string_view) override {
    if (++writes_ == 3) throw std::bad_alloc();
    return {};
  }
  void trouble(std::string) override {}

 private:
  int writes_ = 0;
};

TEST_F(Bulk, WhoseReportFindsNoMemoryEndsIncomplete) {
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i)
    lines.push_back(R"({"id":")" + std::to_string(i) + R"(","text":")" + std::string(200'000, 'x') + "\"}\n");
  Pieces body(std::move(lines));
  ExhaustedAnswer answer;
  const auto returned = post(body, answer);
  ASSERT_TRUE(returned.has_value()) << "an answer that breaks off must not look complete";
  EXPECT_EQ(returned->status, 503);
}

TEST_F(Bulk, OfAnEmptyBodyTellsOnlyTheSum) {
  const auto lines = answers({});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["summary"]["lines"], 0);
}

struct BadLine {
  std::string_view line, code, what;
};

class BadLines : public Bulk, public ::testing::WithParamInterface<BadLine> {};

TEST_P(BadLines, AreToldAndLeaveTheOthers) {
  const auto lines = answers({std::string(GetParam().line) + "\n" + R"({"id":"good","text":"x."})" + "\n"});
  EXPECT_THAT(statuses(lines), ElementsAre("1:error", "2:created"));
  EXPECT_EQ(lines[0]["error"]["code"], GetParam().code);
  EXPECT_EQ(lines[0]["error"]["what"], GetParam().what);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadLines,
    ::testing::Values(BadLine{"[]", "invalid_argument", "JSON body"},
                      BadLine{R"({"text":"x"})", "invalid_argument", "field 'id'"},
                      BadLine{R"({"id":"a"})", "invalid_argument", "field 'text'"},
                      BadLine{R"({"id":"","text":"x"})", "invalid_argument", "id"},
                      BadLine{R"({"id":"a","text":"x","delete":true})", "invalid_argument", "field 'text'"},
                      BadLine{R"({"id":"a","text":"x","more":1})", "invalid_argument", "field 'more'"},
                      BadLine{R"({"id":"a","text":"x","metadata":{"date":"1.5.2020"}})", "invalid_argument",
                              "field 'metadata.date'"},
                      BadLine{R"({"id":"a","text":"x","metadata":{"restricted":"true"}})", "invalid_argument",
                              "field 'metadata.restricted'"},
                      BadLine{R"({"id":"a","text":"x","metadata":{"owner":5}})", "invalid_argument",
                              "field 'metadata.owner'"}));

TEST_F(Bulk, WhatTheServerFailsAtIsForTheLogToo) {
  const auto said = [&](std::vector<std::string> pieces) {
    Pieces body(std::move(pieces));
    Answer answer;
    EXPECT_FALSE(post(body, answer).has_value());
    return answer.said;
  };
  EXPECT_EQ(said({R"({"id":"a","text":5})"}), "");
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{.rlim_cur = 1, .rlim_max = before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &full);
  const std::string trouble = said({R"({"id":"a","text":"One."})"
                                    "\n"
                                    R"({"id":"b","text":"Two."})"});
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(trouble, AllOf(StartsWith("2 documents failed, the first: "),
                             HasSubstr("/collections/books/gen-1: cannot ")));
  EXPECT_EQ(ids(), std::vector<std::string>());
}

TEST_F(Bulk, SkipsALineThatIsTooLongAndGoesOn) {
  service_.line_limit = 100;
  const std::string text(50, 'x');
  const auto lines = answers({R"({"id":"a","text":")" + std::string(200, 'x'),
                              std::string(1000, 'x') + "\"}\n", R"({"id":"b","text":")" + text + "\"}\n"});
  EXPECT_THAT(statuses(lines), ElementsAre("1:error", "2:created"));
  EXPECT_EQ(lines[0]["error"]["code"], "too_large");
  EXPECT_EQ(lines.back()["summary"]["lines"], 2);
}

TEST_F(Bulk, LinesMayArriveByteByByte) {
  const std::string body = "{\"id\":\"a\",\"text\":\"One.\"}\n\n{\"id\":\"b\",\"text\":\"Two.\"}\n";
  std::vector<std::string> bytes;
  for (const char c : body) bytes.emplace_back(1, c);
  EXPECT_THAT(statuses(answers(bytes)), ElementsAre("1:created", "3:created"));
}

TEST_F(Bulk, ThatBreaksOffStoresWholeLines) {
  Pieces body({"{\"id\":\"a\",\"text\":\"One.\"}\n{\"id\":\"b\",\"te"},
              Error{Errc::io, "client", "is gone", ""});
  Answer answer;
  const std::optional<api::Response> cut = post(body, answer);
  ASSERT_TRUE(cut.has_value());
  const auto lines = answer.lines();
  EXPECT_THAT(statuses(lines), ElementsAre("1:created", "2:error"));
  EXPECT_EQ(lines.back()["id"], nullptr);
  EXPECT_EQ(lines.back()["error"]["what"], "client")
      << "a client that still reads learns why, and gets no summary";
  EXPECT_THAT(ids(), ElementsAre("a"));
}

TEST_F(Bulk, WhoseAnswerNobodyReadsStoresWhatItHasRead) {
  Pieces body({"{\"id\":\"a\",\"text\":\"One.\"}\n{\"id\":\"b\",\"text\":\"Two.\"}\n"});
  Answer answer(0);
  EXPECT_TRUE(post(body, answer).has_value());
  EXPECT_THAT(ids(), ElementsAre("a", "b"));
}

TEST_F(Bulk, ManyLinesTakeEffectInTheirOrder) {
  std::string body;
  std::map<std::string, std::string> model;
  std::vector<std::string> expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string id = "d" + std::to_string(i * 7919 % 97);
    const bool remove = i % 5 == 4;
    const std::string line = std::to_string(i + 1) + ":";
    if (remove) {
      body += R"({"id":")" + id + "\",\"delete\":true}\n";
      expected.push_back(line + (model.erase(id) > 0 ? "deleted" : "error"));
    } else {
      const std::string text = sentences(i, 3);
      body += R"({"id":")" + id + R"(","text":")" + text + "\"}\n";
      expected.push_back(line + (model.contains(id) ? "replaced" : "created"));
      model[id] = text;
    }
  }
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < body.size(); at += 1000) pieces.push_back(body.substr(at, 1000));
  EXPECT_EQ(statuses(answers(pieces)), expected);
  std::vector<std::string> left;
  for (const auto& [id, text] : model) {
    left.push_back(id);
    EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/" + id)["text"], text);
  }
  EXPECT_EQ(ids(), left);
}

TEST_F(Bulk, BatchThatTakesLongIsNotOvertakenByTheNextOne) {
  const auto books = service_.catalog->get("books").value();
  const std::string long_text = sentences(0, 20'000);
  int batches = 0;
  const auto source = [&](std::uint64_t) -> Result<std::vector<OwnedDocument>> {
    ++batches;
    if (batches > 2) return std::vector<OwnedDocument>();
    OwnedDocument document;
    document.id = "a";
    document.text = batches == 1 ? long_text : "The last one.";
    return std::vector{document};
  };
  std::vector<bool> told;
  BulkOptions options;
  options.memory = std::uint64_t{64} << 20;
  options.report = [&](std::span<const OwnedDocument>, std::span<const Result<PutResult>> results) {
    for (const auto& result : results) told.push_back(result->replaced);
  };
  BulkResult result;
  ASSERT_FALSE(bulk_load(*books, source, options, result).has_error());
  EXPECT_THAT(told, ElementsAre(false, true));
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/a")["text"], "The last one.");
}

TEST_F(Bulk, IntoACollectionThatIsNotThereIsRefused) {
  expect(200, "DELETE", "/v1/collections/books");
  Pieces body({"{}\n"});
  Answer answer;
  EXPECT_EQ(post(body, answer)->status, 404);
  EXPECT_EQ(answer.status, 0);
}

TEST_F(Bulk, OfAnotherContentTypeIsRefused) {
  Pieces body({"{}\n"});
  Answer answer;
  EXPECT_EQ(post(body, answer, "text/plain")->status, 415);
}

}  // namespace
}  // namespace akin::test
