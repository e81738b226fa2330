// Forms where a text or a file is expected. tests/e2e/test_newcomer.py sends them by curl.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kFormType = "multipart/form-data; boundary=x";
constexpr std::string_view kEncodedForm = "application/x-www-form-urlencoded";
constexpr std::string_view kSearchForm = "/v1/collections/books/similar";

std::string form_part(std::string_view name, std::string_view value, std::string_view more = {}) {
  return "--x\r\nContent-Disposition: form-data; name=\"" + std::string(name) + "\"" + std::string(more) +
         "\r\n\r\n" + std::string(value) + "\r\n";
}

class Forms : public ServiceTest {
 protected:
  Forms() {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/first", kText, sentences(0, 40));
  }
  std::string refusal(int status, const std::string& parts, std::string_view target = kSearchForm) const {
    return expect(status, "POST", target, kFormType, parts + "--x--\r\n").at("detail").get<std::string>();
  }
};

TEST_F(Forms, AreTheRequestsThatTheyStandFor) {
  const api::Json plain = expect(200, "POST", std::string(kSearchForm) + "?limit=5", kText, sentences(3, 9));
  EXPECT_EQ(plain.at("total"), 1);
  EXPECT_EQ(expect(200, "POST", kSearchForm, kFormType,
                   form_part("limit", "5") + form_part("text", sentences(3, 9)) + "--x--\r\n"),
            plain);
  EXPECT_EQ(
      expect(200, "POST", kSearchForm, kFormType,
             form_part("file", sentences(3, 9), "; filename=a.txt") + form_part("limit", "5") + "--x--\r\n"),
      plain);
  std::string encoded = "limit=5&text=";
  for (const char c : sentences(3, 9)) encoded += c == ' ' ? '+' : c;
  EXPECT_EQ(expect(200, "POST", kSearchForm, kEncodedForm, encoded), plain);
}

TEST_F(Forms, StoreWhatJsonStores) {
  expect(201, "PUT", "/v1/collections/books/documents/form", kFormType,
         form_part("text", "One two.") + form_part("title", "T") +
             form_part("metadata", R"({"author":"N."})") + "--x--\r\n");
  const api::Json stored = expect(200, "GET", "/v1/collections/books/documents/form");
  EXPECT_EQ(stored.at("text"), "One two.");
  EXPECT_EQ(stored.at("title"), "T");
  EXPECT_EQ(stored.at("metadata").dump(), R"({"author":"N."})");
}

TEST_F(Forms, OfManyPartsAreRefused) {
  std::string parts;
  for (int i = 0; i <= 1000; ++i) parts += form_part("a", "");
  EXPECT_THAT(refusal(400, parts), HasSubstr("more than 1000 parts"));
  std::string encoded = "text=a";
  for (int i = 0; i < 1000; ++i) encoded += "&a=";
  EXPECT_THAT(expect(400, "POST", kSearchForm, kEncodedForm, encoded).dump(), HasSubstr("more than 1000"));
}

TEST_F(Forms, WithFieldsThatAreNoTextAreRefused) {
  EXPECT_THAT(refusal(400, form_part("text", "\xff")), HasSubstr("form field 'text'"));
  EXPECT_THAT(refusal(400, form_part("\xff", "a")), HasSubstr("name of a form field"));
  EXPECT_THAT(expect(400, "POST", kSearchForm, kEncodedForm, "text=%ff").dump(),
              HasSubstr("form field 'text'"));
  EXPECT_THAT(expect(400, "POST", kSearchForm, kEncodedForm, "text=100% of it").dump(),
              HasSubstr("two hex digits"));
}

TEST_F(Forms, ThatContradictTheQueryAreRefused) {
  EXPECT_THAT(
      refusal(400, form_part("text", "a") + form_part("limit", "5"), std::string(kSearchForm) + "?limit=6"),
      HasSubstr("form field 'limit': differs from the query parameter"));
  EXPECT_THAT(refusal(400, form_part("text", "a") + form_part("limit", "5") + form_part("limit", "5")),
              HasSubstr("form field 'limit': given more than once"));
}

TEST_F(Forms, WithJsonInAFileCheckTheFile) {
  const api::Json check = expect(201, "POST", "/v1/checks", kFormType,
                                 form_part("collections", "books") +
                                     form_part("file", R"({"text": "x", "collections": ["other"]})",
                                               "; filename=a.json\r\nContent-Type: application/json") +
                                     "--x--\r\n");
  EXPECT_EQ(check.at("collections").dump(), R"(["books"])");
}

}  // namespace
}  // namespace akin::test
