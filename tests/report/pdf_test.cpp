// What a PDF of a report consists of. tests/contract/pdf_ua.py has veraPDF judge those that a server makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <string>
#include <vector>

#include "report/accessible.h"
#include "report/content.h"
#include "report/typeset.h"

namespace akin::report {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Le;

class Printed {
 public:
  explicit Printed(const std::string& body) {
    const Content content =
        read_content("<html lang=\"ru\"><head><meta charset=\"utf-8\"><title>Отчёт</title></head><body>" +
                     body + "</body></html>");
    bytes_ = accessible(typeset(content), content);
    pdf_.processMemoryFile("report.pdf", bytes_.data(), bytes_.size());
  }

  QPDF& pdf() { return pdf_; }
  QPDFObjectHandle catalog() { return pdf_.getRoot(); }
  std::size_t pages() { return QPDFPageDocumentHelper(pdf_).getAllPages().size(); }

  /// Names of the structure's elements.
  std::vector<std::string> elements() {
    std::vector<std::string> names;
    for (QPDFObjectHandle object : pdf_.getAllObjects()) {
      if (object.isDictionary() && object.hasKey("/S") && object.hasKey("/P") && object.getKey("/S").isName())
        names.push_back(object.getKey("/S").getName().substr(1));
    }
    return names;
  }

 private:
  std::string bytes_;
  QPDF pdf_;
};

std::string paragraphs(std::size_t count) {
  std::string html;
  for (std::size_t i = 0; i < count; ++i) html += "<p>Абзац, который занимает строку.</p>";
  return html;
}

TEST(ReportPdf, SaysWhatItIs) {
  Printed printed("<h1>Отчёт</h1>");
  QPDFObjectHandle catalog = printed.catalog();
  EXPECT_EQ(catalog.getKey("/Lang").getUTF8Value(), "ru");
  EXPECT_TRUE(catalog.getKey("/MarkInfo").getKey("/Marked").getBoolValue());
  EXPECT_TRUE(catalog.getKey("/ViewerPreferences").getKey("/DisplayDocTitle").getBoolValue());
  const auto metadata = catalog.getKey("/Metadata").getStreamData();
  EXPECT_THAT(std::string(reinterpret_cast<const char*>(metadata->getBuffer()), metadata->getSize()),
              HasSubstr("<pdfuaid:part>1</pdfuaid:part>"));
}

TEST(ReportPdf, HasTheElementsOfThePage) {
  EXPECT_THAT(Printed("<h1>a</h1><h2>b</h2><ol><li><h3>c</h3><p>d</p><blockquote>e</blockquote></li></ol>")
                  .elements(),
              IsSupersetOf({"Document", "H1", "H2", "L", "LI", "Lbl", "LBody", "H3", "P", "BlockQuote"}));
}

TEST(ReportPdf, GrowsByThePage) {
  EXPECT_EQ(Printed(paragraphs(10)).pages(), 1U);
  EXPECT_THAT(Printed(paragraphs(200)).pages(), AllOf(Ge(4U), Le(8U)));  // as the font has it
}

TEST(ReportPdf, AParagraphLongerThanAPageStaysOneElement) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "слово ";
  Printed printed("<p>" + text + "</p>");
  EXPECT_GT(printed.pages(), 2U);
  const std::vector<std::string> elements = printed.elements();
  EXPECT_EQ(std::count(elements.begin(), elements.end(), "P"), 1);
}

TEST(ReportPdf, LinksSayWhereTheyLeadAndLeadThere) {
  Printed printed("<p><a id=\"m1\" href=\"#p1\">[1]</a>x</p>" + paragraphs(60) +
                  "<section id=\"p1\"><h4>y</h4></section>");
  std::size_t links = 0;
  for (QPDFPageObjectHelper& page : QPDFPageDocumentHelper(printed.pdf()).getAllPages()) {
    for (QPDFAnnotationObjectHelper& link : page.getAnnotations("/Link")) {
      ++links;
      EXPECT_EQ(link.getObjectHandle().getKey("/Contents").getUTF8Value(), "Отчёт");
      EXPECT_EQ(page.getObjectHandle().getKey("/Tabs").getName(), "/S");
      EXPECT_TRUE(link.getObjectHandle().hasKey("/Dest") || link.getObjectHandle().hasKey("/A"));
    }
  }
  EXPECT_EQ(links, 1U);
}

TEST(ReportPdf, EveryFontIsEmbedded) {
  Printed printed("<p>Русский, English, ελληνικά, עברית, العربية</p><h2>Жирный</h2>");
  std::vector<bool> embedded;
  for (QPDFObjectHandle object : printed.pdf().getAllObjects()) {
    if (object.isDictionaryOfType("/FontDescriptor"))
      embedded.push_back(object.hasKey("/FontFile") || object.hasKey("/FontFile2") ||
                         object.hasKey("/FontFile3"));
  }
  EXPECT_GE(embedded.size(), 2U);
  EXPECT_THAT(embedded, Each(true));
}

TEST(ReportPdf, TheCertificateIsAttached) {
  Printed printed("<p>a</p><script type=\"application/json\">{\"key\": 1}</script>");
  const auto file = QPDFEmbeddedFileDocumentHelper(printed.pdf()).getEmbeddedFile("certificate.json");
  ASSERT_NE(file, nullptr);
  const auto bytes = file->getEmbeddedFileStream().getStreamData();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes->getBuffer()), bytes->getSize()), "{\"key\": 1}");
}

TEST(ReportPdf, AnEmptyPageIsAPage) { EXPECT_EQ(Printed("<p></p>").pages(), 1U); }

}  // namespace
}  // namespace akin::report
