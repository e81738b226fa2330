// POST …/upload over a body and an answer in memory.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/server/api/read/memory_streams.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kForm = "multipart/form-data; boundary=xx";

std::string part(const std::string& parameters, const std::string& bytes, const std::string& type = "") {
  return "--xx\r\nContent-Disposition: form-data; " + parameters +
         (type.empty() ? "" : "\r\nContent-Type: " + type) + "\r\n\r\n" + bytes + "\r\n";
}
std::string file(const std::string& name, const std::string& bytes, const std::string& type = "") {
  return part("name=\"file\"; filename=\"" + name + "\"", bytes, type);
}
std::string field(const std::string& name, const std::string& value) { return part("name=" + name, value); }

class Uploads : public ServiceTest {
 protected:
  Uploads() { expect(201, "PUT", "/v1/collections/books", kJson, R"({"store_file": true})"); }

  std::optional<api::Response> post(api::BodySource& body, api::AnswerSink& answer,
                                    std::string_view type = kForm, const std::string& query = "") const {
    return api::handle_stream(service_,
                              {.method = "POST",
                               .target = "/v1/collections/books/upload" + query,
                               .content_type = std::string(type),
                               .body = ""},
                              body, answer);
  }
  /// The lines of the answer to a form that ends after these parts.
  std::vector<api::Json> answers(const std::string& parts, const std::string& query = "") const {
    Pieces body({parts.substr(0, parts.size() / 2), parts.substr(parts.size() / 2), "--xx--\r\n"});
    Answer answer;
    const std::optional<api::Response> refused = post(body, answer, kForm, query);
    if (refused) throw std::runtime_error(refused->body);
    return answer.lines();
  }
  /// The refusal of a body without a begun answer.
  api::Response refusal(const std::string& bytes, std::string_view type = kForm,
                        const std::string& query = "") const {
    Pieces body({bytes});
    Answer answer;
    const std::optional<api::Response> refused = post(body, answer, type, query);
    EXPECT_EQ(answer.status, 0);
    return refused.value_or(api::Response{});
  }
  static std::vector<std::string> outcomes(const std::vector<api::Json>& lines) {
    std::vector<std::string> all;
    for (const api::Json& line : lines) {
      if (!line.contains("status")) continue;
      const bool failed = line["status"] == "error";
      all.push_back(line["name"].get<std::string>() + " " +
                    (line["id"].is_null() ? "-" : line["id"].get<std::string>()) + " " +
                    (failed ? line["error"]["code"] : line["status"]).get<std::string>());
    }
    return all;
  }
  api::Json document(const std::string& id) const {
    return expect(200, "GET", "/v1/collections/books/documents/" + id);
  }
};

TEST_F(Uploads, StoreEachFileUnderItsName) {
  const auto lines =
      answers(file("a.txt", "One two three.", "text/plain") +
              file("deep/./b.html", "<title>B</title><p>Four five.") + file("./c.txt", "Six seven."));
  EXPECT_THAT(outcomes(lines), ElementsAre("a.txt a.txt created", "deep/./b.html deep/./b.html created",
                                           "./c.txt c.txt created"));
  EXPECT_EQ(
      lines.back().dump(),
      R"({"summary":{"files":3,"created":3,"replaced":0,"unchanged":0,"errors":0,"hidden":0,"no_words":0,"bytes":34}})");
  EXPECT_EQ(document("a.txt")["text"], "One two three.");
  EXPECT_EQ(document("a.txt")["title"], "a");
  EXPECT_EQ(document("deep/./b.html")["title"], "B");
  EXPECT_EQ(document("a.txt")["file_bytes"], 14);
  const api::Response kept = call("GET", "/v1/collections/books/files/a.txt");
  EXPECT_EQ(kept.body, "One two three.");
}

TEST_F(Uploads, SayOfADocumentWhatPutSays) {
  const std::string disguised =
      "The m\u200bill sto\u200bod by the river. Nobody kn\u200bew who had built it.";
  const std::string page = "<p>The mill stood. <p style=\"display: none\">Nobody sees this sentence.</p>";
  const auto lines = answers(file("a.txt", disguised) + file("b.html", page));
  for (const auto& [name, body] : {std::pair("a.txt", disguised), std::pair("b.html", page)}) {
    api::Json put =
        expect(201, "PUT", "/v1/collections/books/documents/put-" + std::string(name) + "?file_name=" + name,
               "application/octet-stream", body);
    api::Json line = lines[name == std::string("a.txt") ? 0 : 1];
    for (const char* own : {"id", "stored", "replaced"}) put.erase(own);
    for (const char* own : {"name", "id", "status", "stored"}) line.erase(own);
    EXPECT_EQ(line, put);
  }
  EXPECT_EQ(lines[0]["alerts"].size(), 3U);
  EXPECT_EQ(lines[1]["file"]["alerts"][0]["kind"], "hidden_text");
}

TEST_F(Uploads, ReadNothingAgainThatIsStored) {
  answers(file("a.txt", "One.") + file("b.txt", "Two."));
  const auto lines = answers(file("a.txt", "One.") + file("b.txt", "Three."));
  EXPECT_THAT(outcomes(lines), ElementsAre("a.txt a.txt unchanged", "b.txt b.txt replaced"));
  EXPECT_EQ(lines.back()["summary"]["unchanged"], 1);
  EXPECT_THAT(outcomes(answers(field("metadata", R"({"year": 2024})") + file("a.txt", "One."))),
              ElementsAre("a.txt a.txt replaced"))
      << "other metadata make another document";
}

TEST_F(Uploads, FieldsDescribeTheFilesAfterThem) {
  const auto lines =
      answers(field("id", "first") + field("title", "The First") +
                  field("metadata", R"({"author": "N. N.", "year": 2024})") + file("a.txt", "One.") +
                  file("b.txt", "Two.") + field("metadata", "") + file("c.txt", "Three."),
              "?prefix=in/");
  EXPECT_THAT(outcomes(lines),
              ElementsAre("a.txt in/first created", "b.txt in/b.txt created", "c.txt in/c.txt created"));
  EXPECT_EQ(document("in/first")["title"], "The First");
  EXPECT_EQ(document("in/first")["metadata"]["author"], "N. N.");
  EXPECT_EQ(document("in/b.txt")["title"], "b");
  EXPECT_EQ(document("in/b.txt")["metadata"]["year"], 2024);
  EXPECT_TRUE(document("in/c.txt")["metadata"].empty());
}

TEST_F(Uploads, AFileThatFailsLeavesTheOthers) {
  service_.line_limit = 100;
  const auto lines =
      answers(file("a.txt", "One.") + file("a.txt", "Two.") + file("long.txt", std::string(101, 'x')) +
              file("bad.txt", "ab\xfd") +
              file("cp.txt", "\xcf\xf0\xe8\xe2\xe5\xf2", "text/plain; charset=windows-1251") +
              file("odd.txt", "x", "text/plain; charset=klingon") + file("", "No name.") + file("", "") +
              file("\xff.txt", "x") +
              file("dump.xml", "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\">") +
              file("z.txt", "Last."));
  EXPECT_THAT(outcomes(lines), ElementsAre("a.txt a.txt created", "a.txt a.txt already_exists",
                                           "long.txt long.txt too_large", "bad.txt bad.txt invalid_utf8",
                                           "cp.txt cp.txt created", "odd.txt odd.txt type_unsupported",
                                           " - invalid_argument", "\\xff.txt - invalid_utf8",
                                           "dump.xml dump.xml type_unsupported", "z.txt z.txt created"));
  EXPECT_EQ(lines.back()["summary"]["files"], 10);
  EXPECT_EQ(lines.back()["summary"]["errors"], 7);
  EXPECT_EQ(document("cp.txt")["text"], "Привет");
}

TEST_F(Uploads, TakeTheEncodingOfAllPlainTexts) {
  const auto lines = answers(
      file("a.txt", "\xcf\xf0\xe8\xe2\xe5\xf2") + file("b.txt", "Привет", "text/plain; charset=utf-8"),
      "?encoding=windows-1251");
  EXPECT_THAT(outcomes(lines), ElementsAre("a.txt a.txt created", "b.txt b.txt created"));
  EXPECT_EQ(document("a.txt")["text"], document("b.txt")["text"]);
}

TEST_F(Uploads, ABodyMayBeOneFile) {
  Pieces body({"One ", "two."});
  Answer answer;
  ASSERT_FALSE(post(body, answer, "application/octet-stream", "?file_name=in/a.txt&prefix=p-").has_value());
  EXPECT_THAT(outcomes(answer.lines()), ElementsAre("in/a.txt p-in/a.txt created"));
}

struct BadUpload {
  std::string body, type, query, reason;
  int status = 400;
};

class BadUploads : public Uploads, public ::testing::WithParamInterface<BadUpload> {};

TEST_P(BadUploads, AreRefusedWhole) {
  const api::Response refused = refusal(GetParam().body, GetParam().type, GetParam().query);
  EXPECT_EQ(refused.status, GetParam().status) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr(GetParam().reason));
}

const std::string kUploadForm(kForm);
INSTANTIATE_TEST_SUITE_P(
    Bodies, BadUploads,
    ::testing::Values(BadUpload{"", kUploadForm, "", "ends before its closing delimiter"},
                      BadUpload{"--xx\r\n\r\nx\r\n--xx--", kUploadForm, "", "no Content-Disposition"},
                      BadUpload{field("colour", "red") + "--xx--", kUploadForm, "", "form field 'colour'"},
                      BadUpload{field("metadata", "[]") + "--xx--", kUploadForm, "", "metadata"},
                      BadUpload{field("title", std::string(65'537, 'x')) + "--xx--", kUploadForm, "",
                                "form field 'title'"},
                      BadUpload{"--xx--", "multipart/form-data", "", "no boundary"},
                      BadUpload{"--xx--", kUploadForm, "?file_name=a", "given together with a form"},
                      BadUpload{"--xx--", kUploadForm, "?encoding=klingon", "klingon"},
                      BadUpload{"--xx--", kUploadForm, "?prefix=" + std::string(501, 'x'),
                                "more than the 500 bytes of an id"},
                      BadUpload{"x", "application/zip", "", "is missing, and the body is a file"},
                      BadUpload{"{}", "application/json", "?file_name=a", "JSON is not accepted", 415},
                      BadUpload{"x", "video/mp4", "?file_name=a", "is not supported", 415}));

TEST_F(Uploads, ThatBreakOffTellWhereAndHaveNoSummary) {
  const std::string whole = file("a.txt", "One.") + file("b.txt", "Two.");
  Pieces body({whole.substr(0, whole.size() - 8)});
  Answer answer;
  const auto returned = post(body, answer);
  EXPECT_TRUE(returned.has_value()) << "the connection is to be closed";
  const auto lines = answer.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["status"], "created");
  EXPECT_EQ(lines[1]["name"], nullptr);
  EXPECT_THAT(lines[1]["error"]["reason"].get<std::string>(), HasSubstr("ends before its closing delimiter"));
}

TEST_F(Uploads, OfAClientThatIsGoneEnd) {
  std::string parts;
  for (int i = 0; i < 50; ++i) parts += file(std::to_string(i) + ".txt", "One.");
  Pieces body({parts + "--xx--"});
  Answer answer(1);
  EXPECT_TRUE(post(body, answer).has_value());
}

TEST_F(Uploads, FilesOfASinglePutHaveAName) {
  const std::string path = "/v1/collections/books/documents/7";
  expect(201, "PUT", path + "?file_name=report.html", "application/octet-stream", "<title>T</title><p>One.");
  EXPECT_EQ(document("7")["title"], "T") << "the name says that it is HTML";
  const api::Response kept = call("GET", "/v1/collections/books/files/7");
  bool named = false;
  for (const auto& [name, value] : kept.headers)
    named |= value.find("filename=\"report.html\"") != std::string::npos;
  EXPECT_TRUE(named);
  EXPECT_EQ(call("PUT", path + "?file_name=a.txt", kText, "One.").status, 400);
}

}  // namespace
}  // namespace akin::test
