// Bodies of type multipart/form-data, in pieces of any size.
#include "server/api/read/multipart.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/server/api/read/memory_streams.h"

namespace akin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Part {
  std::string name, file_name, content_type, bytes;
  friend bool operator==(const Part&, const Part&) = default;
};

std::vector<std::string> pieces_of(const std::string& body, std::size_t size) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < body.size(); at += size) pieces.push_back(body.substr(at, size));
  return pieces;
}

Result<std::vector<Part>> parts_of(const std::string& body, std::size_t piece = 1 << 20) {
  Pieces source(pieces_of(body, piece));
  api::MultipartReader reader(source, "xx");
  std::vector<Part> parts;
  for (;;) {
    AKIN_TRY(const auto head, reader.next());
    if (!head) return parts;
    Part part{head->name, head->file_name.value_or("(none)"), head->content_type, ""};
    for (;;) {
      AKIN_TRY(const std::string_view bytes, reader.read());
      if (bytes.empty()) break;
      part.bytes += bytes;
    }
    parts.push_back(std::move(part));
  }
}

std::string with_head(const std::string& head) { return "--xx\r\n" + head + "\r\n\r\nbytes\r\n--xx--\r\n"; }

std::string message(const std::string& body) {
  const auto parts = parts_of(body);
  return parts.has_error() ? parts.error().message() : "no error";
}

/// Bytes that look like delimiters and are not: lines of dashes, the boundary in a line, half of a delimiter.
const std::string kBytes = "\r\n--x\r\n-xx\n--xx\r--xx\r\n\r\n a--xx--\r\n--";
const std::string kBody =
    "preamble\r\n--xx \t\r\ncontent-disposition: form-data; name=\"prefix\"\r\n\r\nin/\r\n"
    "--xx\r\nContent-Disposition: form-data; name=file; filename=\"a.txt\"\r\nContent-Type: text/plain; "
    "charset=utf-8\r\nX-Other: y\r\n\r\n" +
    kBytes +
    "\r\n--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--xx--\r\nepilogue "
    "--xx";
const std::vector<Part> kParts = {{"prefix", "(none)", "", "in/"},
                                  {"file", "a.txt", "text/plain; charset=utf-8", kBytes},
                                  {"file", "", "", ""}};

TEST(Multipart, GivesTheSamePartsInPiecesOfAnySize) {
  for (std::size_t size = 1; size <= kBody.size(); ++size) {
    const auto parts = parts_of(kBody, size);
    ASSERT_FALSE(parts.has_error()) << size << parts.error().message();
    ASSERT_EQ(*parts, kParts) << size;
  }
}

TEST(Multipart, ThatBreaksOffAnywhereIsAnError) {
  const std::size_t end = kBody.find("--xx--\r\nepilogue") + 6;
  for (std::size_t size = 0; size < end; ++size)
    ASSERT_TRUE(parts_of(kBody.substr(0, size)).has_error()) << size;
  EXPECT_FALSE(parts_of(kBody.substr(0, end)).has_error());
}

TEST(Multipart, PartsMayBeSkipped) {
  Pieces source(pieces_of(kBody, 3));
  api::MultipartReader reader(source, "xx");
  std::vector<std::string> names;
  for (auto head = reader.next(); head.value(); head = reader.next()) names.push_back((*head)->name);
  EXPECT_THAT(names, ElementsAre("prefix", "file", "file"));
}

TEST(Multipart, FailsAsItsBodyDoes) {
  Pieces source({"--xx\r\nContent-Disposition: form-data; name=a\r\n\r\nbytes"},
                Error{Errc::io, "client", "is gone", ""});
  api::MultipartReader reader(source, "xx");
  ASSERT_TRUE(reader.next().has_value());
  auto read = reader.read();
  while (read.has_value()) read = reader.read();
  EXPECT_EQ(read.error().code, Errc::io);
}

struct NameCase {
  std::string disposition, name;
};

class MultipartNames : public ::testing::TestWithParam<NameCase> {};

TEST_P(MultipartNames, AreReadAsClientsWriteThem) {
  const auto parts =
      parts_of(with_head("Content-Disposition: form-data; name=file; " + GetParam().disposition));
  ASSERT_FALSE(parts.has_error()) << parts.error().message();
  EXPECT_EQ(parts->at(0).file_name, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(Clients, MultipartNames,
                         ::testing::Values(NameCase{R"(filename="a \"b\" \\ c.txt")", R"(a "b" \ c.txt)"},
                                           NameCase{R"(filename="C:\texts\a.txt")", R"(C:\texts\a.txt)"},
                                           NameCase{R"(filename="a %22b%22.txt")", R"(a "b".txt)"},
                                           NameCase{R"(filename="Чехов; том 1.txt")", "Чехов; том 1.txt"},
                                           NameCase{R"(FileName=plain.txt)", "plain.txt"},
                                           NameCase{R"(filename="?.txt"; filename*=UTF-8''%D0%96.txt)",
                                                    "Ж.txt"}));

struct BadHead {
  std::string head, reason;
};

class BadMultipartHeads : public ::testing::TestWithParam<BadHead> {};

TEST_P(BadMultipartHeads, AreNamed) {
  EXPECT_THAT(message(with_head(GetParam().head)), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Heads, BadMultipartHeads,
    ::testing::Values(
        BadHead{"Content-Type: text/plain", "no Content-Disposition"},
        BadHead{"Content-Disposition: form-data; filename=a", "has no name"},
        BadHead{"Content-Disposition: attachment; name=a", "is not form-data"},
        BadHead{"Content-Disposition: form-data; name=\"a", "is not form-data"},
        BadHead{"Content-Disposition: form-data; name=a; name=b", "is not form-data"},
        BadHead{"Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=a",
                "two fields"},
        BadHead{"Content-Disposition: form-data; name=a;\r\n filename=b", "is not 'name: value'"},
        BadHead{"Content-Disposition: form-data; name=a\r\nno field", "is not 'name: value'"},
        BadHead{"Content-Disposition: form-data; name=a\nX: y", "control characters"},
        BadHead{"Content-Disposition: form-data; name=a; filename*=latin1''%E9", "filename*"},
        BadHead{"Content-Disposition: form-data; name=a; filename*=utf-8''%E9", "UTF-8"},
        BadHead{"Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64", "'base64'"},
        BadHead{"X: " + std::string(api::kMostPartHead, 'y'), "more than 16384 bytes"}));

TEST(Multipart, DelimitersHaveNothingAfterThem) {
  EXPECT_THAT(message("--xxx\r\n"), HasSubstr("something after its boundary"));
  EXPECT_THAT(message("--xx" + std::string(20'000, ' ') + "\r\n"), HasSubstr("something after its boundary"));
}

TEST(Multipart, TypesHaveABoundary) {
  EXPECT_EQ(api::boundary_in("Multipart/Form-Data; charset=x; boundary=\"a b:c\"").value(), "a b:c");
  EXPECT_EQ(api::boundary_in("multipart/form-data;boundary=----WebKit1").value(), "----WebKit1");
  EXPECT_EQ(api::boundary_in("multipart/mixed; boundary=a").value(), std::nullopt);
  for (const std::string wrong :
       {"", "; boundary", "; boundary=", "; boundary=\"a ", "; boundary=a*b", "; boundary=a; boundary=b"})
    EXPECT_TRUE(api::boundary_in("multipart/form-data" + wrong).has_error()) << wrong;
  EXPECT_TRUE(api::boundary_in("multipart/form-data; boundary=" + std::string(71, 'a')).has_error());
}

}  // namespace
}  // namespace akin::test
