// Which page is read of a web page in one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "extract/child/readers.h"

namespace akin::extract {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMostMhtmlText = 1U << 24U;

/// An archive with a style sheet before a page of this header and body.
std::string mhtml_of(const std::string& header, const std::string& body) {
  return "MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=\"-- b\"\r\n\r\nFor old "
         "readers\r\n"
         "---- b\r\nContent-Type: text/css\r\n\r\np {}\r\n---- b\r\n" +
         header + "\r\n\r\n" + body + "\r\n---- b--\r\n";
}

std::string text_of_mhtml(const std::string& bytes) {
  const Result<Document> document = read_file(bytes, kMostMhtmlText);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? document->text : "";
}

TEST(Mhtml, GivesItsPageInAnyCoding) {
  EXPECT_EQ(text_of_mhtml(mhtml_of("Content-Type: text/html; charset=utf-8", "<p>The mill</p>")), "The mill");
  EXPECT_EQ(text_of_mhtml(mhtml_of("content-type: Text/HTML; charset=\"windows-1251\"\r\n"
                                   "Content-Transfer-Encoding: Quoted-Printable",
                                   "<p>=CC=E5=EB=FC=\r\n=ED=E8=F6=E0 = 1</p>")),
            "Мельница = 1");
  EXPECT_EQ(text_of_mhtml(mhtml_of("Content-Type: text/html\r\nContent-Transfer-Encoding: base64",
                                   "PHA+VGhl\r\nIG1pbGw8L3A+")),
            "The mill");
}

TEST(Mhtml, OfABrowserIsReadToo) {
  std::string bytes = mhtml_of("Content-Type: text/html", "<p>The mill</p>");
  EXPECT_EQ(text_of_mhtml("From: <Saved by Blink>\r\n" + bytes), "The mill");
}

TEST(Mhtml, APageWithinAnotherArchiveIsFound) {
  const std::string inner =
      "Content-Type: multipart/alternative; boundary=i\n\n--i\nContent-Type: text/plain\n\nNo\n--i\n"
      "Content-Type: text/html\n\n<p>The mill</p>\n--i--";
  EXPECT_EQ(text_of_mhtml("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=o\n\n--o\n" + inner +
                          "\n--o--\n"),
            "The mill");
}

TEST(Mhtml, WithoutAPageIsDamaged) {
  const Result<Document> refused = read_file(mhtml_of("Content-Type: image/png", "x"), kMostMhtmlText);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::file_damaged);
  EXPECT_THAT(refused.error().reason, HasSubstr("without a page"));
}

TEST(Mhtml, ThatIsCutOffAnywhereIsReadOrDamaged) {
  const std::string whole =
      mhtml_of("Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable", "<p>=41</p>=");
  for (std::size_t size = 60; size < whole.size(); ++size) {
    const Result<Document> document = read_file(whole.substr(0, size), kMostMhtmlText);
    EXPECT_TRUE(document.has_value() || document.error().code == Errc::file_damaged) << size;
  }
}

}  // namespace
}  // namespace akin::extract
