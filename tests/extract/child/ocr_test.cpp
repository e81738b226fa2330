// Text that is recognized in pictures, by the program akin-extract. Without tesseract these tests are
// skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "extract/client/extractor.h"
#include "tests/extract/child/sample_files.h"
#include "tests/support/built.h"

namespace akin::extract {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OfPictures : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* language : {"eng", "rus"}) {
      const std::string data =
          std::string("/usr/share/tesseract-ocr/5/tessdata/") + language + ".traineddata";
      if (!std::filesystem::exists(data)) GTEST_SKIP() << data << " is not installed";
    }
  }
  static ExtractorOptions options() { return {.program = test::extract_program()}; }
  static Document read(const std::string& bytes, const OcrOptions& ocr = {},
                       Sampling sampling = Sampling::off) {
    ExtractorOptions chosen = options();
    chosen.ocr = ocr;
    const Result<Document> document = Extractor(chosen).read(bytes, "file", sampling);
    EXPECT_TRUE(document.has_value()) << document.error().message();
    return document.has_value() ? *document : Document();
  }
  static std::string scan() { return bytes_of(test::source_folder() / "tests/extract/scan.jpg"); }
  static std::vector<FileAlertKind> kinds(const Document& document) {
    std::vector<FileAlertKind> all;
    for (const FileAlert& alert : document.alerts) all.push_back(alert.kind);
    return all;
  }
  static void expect_text_of_scan(const Document& document) {
    EXPECT_THAT(document.text, HasSubstr("The mill stood by the river, and nobody in the village"));
    EXPECT_THAT(document.text, HasSubstr("Мельница стояла у реки"));
    ASSERT_EQ(kinds(document), std::vector{FileAlertKind::ocr});
    EXPECT_GT(document.alerts[0].share, 0.9);
    EXPECT_THAT(document.alerts[0].sample, HasSubstr("The mill stood"));
    EXPECT_EQ(document.alerts[0].page, 1U);
  }
};

TEST_F(OfPictures, AScanAsAFileHasText) {
  const Document document = read(scan());
  EXPECT_EQ(document.type, "picture");
  expect_text_of_scan(document);
}

TEST_F(OfPictures, APageOfAPdfThatIsAPictureHasText) { expect_text_of_scan(read(make_scanned_pdf(scan()))); }

#ifndef __SANITIZE_ADDRESS__  // which looks into files when a thread starts
TEST_F(OfPictures, APageOfADjvuWithoutATextLayerHasText) {
  const Document document = read(make_scanned_djvu(scan()));
  EXPECT_EQ(document.type, "djvu");
  EXPECT_EQ(document.pages, 1U);
  expect_text_of_scan(document);
  for (const OcrOptions& none : {OcrOptions{.on = false}, OcrOptions{.pages = 0}})
    EXPECT_EQ(kinds(read(make_scanned_djvu(scan()), none)), std::vector{FileAlertKind::pages_without_text});
  EXPECT_THAT(read(make_scanned_djvu(scan()), {.pixels = 10'000}).text,
              Not(HasSubstr("The mill stood by the river")))
      << "drawn too small to be read";
}
#endif

TEST_F(OfPictures, AFileAmongManyHasTextToo) {
  Extractor extractor(options());
  const Result<Content> content = extractor.content(make_scanned_pdf(scan()), "file");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  expect_text_of_scan(std::get<Document>(*content));
}

/// A picture of these centimetres between two paragraphs.
std::string docx_with_picture(const std::string& jpeg, int width, int height) {
  const auto emu = [](int centimetres) { return std::to_string(centimetres * 360000); };
  return make_zip(
      {{"_rels/.rels",
        "<Relationships><Relationship Target=\"word/document.xml\" Type=\"t/officeDocument\"/>"
        "</Relationships>"},
       {"word/_rels/document.xml.rels",
        "<Relationships><Relationship Id=\"p\" Type=\"t/image\" "
        "Target=\"media/image1.jpeg\"/></Relationships>"},
       {"word/document.xml",
        "<w:document xmlns:w=\"w\" xmlns:r=\"r\" xmlns:a=\"a\" "
        "xmlns:wp=\"wp\"><w:body><w:p><w:r><w:t>Before</w:t>"
        "</w:r></w:p><w:p><w:r><w:drawing><wp:inline><wp:extent cx=\"" +
            emu(width) + "\" cy=\"" + emu(height) +
            "\"/><a:blip r:embed=\"p\"/></wp:inline></w:drawing></w:r></w:p><w:p><w:r><w:t>After</w:t></w:r>"
            "</w:p></w:body></w:document>"},
       {"word/media/image1.jpeg", jpeg}});
}

std::string odt_with_picture(const std::string& jpeg) {
  return make_zip(
      {{"mimetype", "application/vnd.oasis.opendocument.text"},
       {"content.xml",
        "<o:content xmlns:o=\"o\" xmlns:text=\"t\" xmlns:draw=\"d\" xmlns:svg=\"s\" "
        "xmlns:xlink=\"x\"><o:body><o:text>"
        "<text:p>Before</text:p><text:p><draw:frame svg:width=\"16.5cm\" svg:height=\"233mm\"><draw:image "
        "xlink:href=\"Pictures/1.jpeg\"/></draw:frame></text:p><text:p>After</text:p></o:text></o:body></"
        "o:content>"},
       {"Pictures/1.jpeg", jpeg}});
}

TEST_F(OfPictures, APageOfADocxOrOdtThatIsAPictureHasTextInItsPlace) {
  for (const std::string& file : {docx_with_picture(scan(), 17, 24), odt_with_picture(scan())}) {
    const Document document = read(file);
    EXPECT_TRUE(document.text.starts_with("Before\n\n")) << document.text;
    EXPECT_TRUE(document.text.ends_with("\n\nAfter")) << document.text;
    EXPECT_THAT(document.text, HasSubstr("The mill stood by the river, and nobody in the village"));
    EXPECT_EQ(document.pages, 0U);
    ASSERT_EQ(kinds(document), std::vector{FileAlertKind::ocr});
    EXPECT_EQ(document.alerts[0].at, 8U);
  }
}

TEST_F(OfPictures, APictureOfADocumentThatIsNoPageIsLeftAlone) {
  const Document document = read(docx_with_picture(scan(), 15, 12));
  EXPECT_EQ(document.text, "Before\n\nAfter");
  EXPECT_TRUE(document.alerts.empty());
}

TEST_F(OfPictures, APageOfADocumentThatIsNotRecognizedIsReported) {
  const OcrOptions off{.on = false};
  for (const Document& document :
       {read(docx_with_picture(scan(), 17, 24), off), read(odt_with_picture(scan()), off),
        read(docx_with_picture("no picture", 17, 24))}) {
    EXPECT_EQ(document.text, "Before\n\nAfter");
    ASSERT_EQ(kinds(document), std::vector{FileAlertKind::pages_without_text});
    EXPECT_EQ(document.alerts[0].characters, 1U);
    EXPECT_DOUBLE_EQ(document.alerts[0].share, 0.5);
  }
}

TEST_F(OfPictures, SwitchedOffOrBeyondItsLimitsItIsNotRecognized) {
  for (const OcrOptions& none : {OcrOptions{.on = false}, OcrOptions{.pages = 0}}) {
    EXPECT_EQ(kinds(read(make_scanned_pdf(scan()), none)), std::vector{FileAlertKind::pages_without_text});
    ExtractorOptions chosen = options();
    chosen.ocr = none;
    EXPECT_EQ(Extractor(chosen).read(scan(), "file").error().code, Errc::type_unsupported);
  }
}

TEST_F(OfPictures, OfTooManyPixelsIsTooLarge) {
  ExtractorOptions chosen = options();
  chosen.ocr.pixels = 100'000;
  EXPECT_EQ(Extractor(chosen).read(scan(), "file").error().code, Errc::file_too_large);
}

TEST_F(OfPictures, OnesThatAreCutOffAreDamaged) {
  EXPECT_EQ(Extractor(options()).read("\x89PNG\r\n\x1A\n", "file").error().code, Errc::file_damaged);
}

class ComparedWithItsPage : public OfPictures {
 protected:
  void SetUp() override {
    OfPictures::SetUp();
    if (!std::filesystem::exists(kFont)) GTEST_SKIP() << kFont << " is not installed";
  }
  static std::string pdf(int later, bool mapped = true) {
    return make_pdf_with_font(
        {"Nobody in the village remembered who had built", "the old mill beside the river or when its wheel",
         "had last turned while the miller was still alive",
         "and the winters were long and the roads closed"},
        bytes_of(kFont), later, mapped);
  }
  static Document compared(const std::string& bytes, const OcrOptions& ocr = {}) {
    return read(bytes, ocr, Sampling::on);
  }
};

TEST_F(ComparedWithItsPage, TextThatThePageShowsIsNotReported) {
  const Document document = compared(pdf(0));
  EXPECT_THAT(document.text, HasSubstr("Nobody in the village"));
  EXPECT_TRUE(document.alerts.empty());
}

TEST_F(ComparedWithItsPage, GlyphsThatShowOtherLettersAreReported) {
  const Document document = compared(pdf(1));
  ASSERT_EQ(kinds(document), std::vector{FileAlertKind::shown_otherwise});
  EXPECT_GT(document.alerts[0].share, 0.8);
  EXPECT_THAT(document.alerts[0].sample, HasSubstr("uif"));
  EXPECT_THAT(document.alerts[0].sample, HasSubstr("| the old"));
  EXPECT_EQ(document.alerts[0].page, 1U);
}

TEST_F(ComparedWithItsPage, OnlyIfAskedForAndWithPagesForIt) {
  EXPECT_TRUE(read(pdf(1)).alerts.empty());
  EXPECT_TRUE(compared(pdf(1), {.sample_pages = 0}).alerts.empty());
}

TEST_F(ComparedWithItsPage, AFontThatIsNotEmbeddedIsNotCompared) {
  const std::string line = "Nobody in the village remembered who had built the mill";
  const Document document = compared(make_pdf({{line, line, line}}));
  EXPECT_THAT(document.text, HasSubstr(line));
  EXPECT_TRUE(document.alerts.empty());
}

TEST_F(ComparedWithItsPage, AFontWithoutACharacterMapIsReported) {
  EXPECT_FALSE(compared(pdf(0, false)).alerts.empty());
}

}  // namespace
}  // namespace akin::extract
