// Pages of HTML and plain texts, as akin asks akin-extract for them.
#include "extract/client/page_answer.h"

#include <gtest/gtest.h>

#include <string>

#include "extract/client/answer.h"

namespace akin::extract {
namespace {

Page some_page() {
  Page page;
  page.title = "Мельник";
  page.language = "ru";
  page.text = "Two geese\n\ncrossed the yard.";
  page.hidden = "unseen";
  page.hidden_at = 9;
  page.ways = set_of(Hiding::colour);
  page.script_text = {600, 3, true, "unfolds"};
  page.interleaved = 700;
  page.interleaved_sample = "between";
  page.added = "Two";
  page.facts.statements = {{"author", "N. N."}};
  page.facts.linked_data = {"{}"};
  page.facts.times = {"2024-05-17"};
  page.facts.links = {"https://example.org/"};
  page.facts.images = 3;
  return page;
}

TEST(PageAnswer, GivesThePageBack) {
  const auto page = decode_page(encode_page(some_page()), "a.html");
  ASSERT_TRUE(page.has_value()) << page.error().message();
  EXPECT_EQ(encode_page(page), encode_page(some_page()));
  EXPECT_EQ(page->facts.statements, some_page().facts.statements);
  EXPECT_EQ(page->hidden_at, 9U);
  EXPECT_EQ(page->script_text.sample, "unfolds");
  EXPECT_EQ(page->interleaved, 700U);
  EXPECT_EQ(page->interleaved_sample, "between");
  EXPECT_EQ(page->added, "Two");
}

TEST(PageAnswer, GivesAnErrorBackWithTheNameOfTheFile) {
  const auto page = decode_page(encode_page(Error{Errc::invalid_utf8, "file", "reason", "remedy"}), "a.html");
  EXPECT_EQ(page.error().code, Errc::invalid_utf8);
  EXPECT_EQ(page.error().what, "a.html");
  EXPECT_EQ(page.error().remedy, "remedy");
}

TEST(PageAnswer, IsRefusedWhereverItBreaksOff) {
  const std::string body = encode_page(some_page());
  for (std::size_t size = 0; size < body.size(); ++size)
    EXPECT_EQ(decode_page(body.substr(0, size), "a").error().code, Errc::file_damaged) << size;
  EXPECT_TRUE(decode_page(body + "x", "a").has_error());
}

TEST(PageAnswer, IsRefusedIfAnythingIsMoreThanAPageMayHave) {
  const auto refused = [](auto change) {
    Page page = some_page();
    change(page);
    return decode_page(encode_page(page), "a").has_error();
  };
  EXPECT_TRUE(refused([](Page& page) { page.hidden_at = 1000; }));
  EXPECT_TRUE(refused([](Page& page) { page.script_text.at = 1000; }));
  EXPECT_TRUE(refused([](Page& page) { page.script_text.sample.assign(kSampleBytes + 1, 'a'); }));
  EXPECT_TRUE(refused([](Page& page) { page.interleaved_sample.assign(kSampleBytes + 1, 'a'); }));
  EXPECT_TRUE(refused([](Page& page) { page.title.assign(kMaxPageTitle + 1, 'a'); }));
  EXPECT_TRUE(refused([](Page& page) { page.facts.links.assign(kMostLinks + 1, "a"); }));
  EXPECT_TRUE(refused([](Page& page) { page.facts.statements.assign(kMostStatements + 1, {"a", "b"}); }));
  EXPECT_TRUE(refused([](Page& page) { page.facts.linked_data = {std::string(kMostLinkedData + 1, 'a')}; }));
  EXPECT_TRUE(refused([](Page& page) { page.text = "\xFF"; }));
}

TEST(PageAnswer, IsNotThatOfAFile) {
  EXPECT_TRUE(decode_answer(encode_page(some_page()), "a").has_error());
  EXPECT_TRUE(decode_page(encode_answer(Document()), "a").has_error());
}

TEST(PageRequest, IsTakenApartAgain) {
  const std::string body = encode_page_request({false, "koi8-r", "bytes"});
  const auto request = decode_page_request(body);
  ASSERT_TRUE(request.has_value());
  EXPECT_FALSE(request->html);
  EXPECT_EQ(request->encoding, "koi8-r");
  EXPECT_EQ(request->bytes, "bytes");
  EXPECT_TRUE(decode_page_request(body.substr(0, 4)).has_error());
}

}  // namespace
}  // namespace akin::extract
