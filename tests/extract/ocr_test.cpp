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

#include "extract/extractor.h"
#include "tests/extract/sample_files.h"

namespace akin::extract {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

std::string bytes_of(const char* path) {
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
  static ExtractorOptions options() { return {.program = AKIN_EXTRACT_PROGRAM}; }
  static Document read(const std::string& bytes, const OcrOptions& ocr = {},
                       Sampling sampling = Sampling::off) {
    ExtractorOptions chosen = options();
    chosen.ocr = ocr;
    const Result<Document> document = Extractor(chosen).read(bytes, "file", sampling);
    EXPECT_TRUE(document.has_value()) << document.error().message();
    return document.has_value() ? *document : Document();
  }
  static std::string scan() { return bytes_of(AKIN_SOURCE_DIR "/tests/extract/scan.jpg"); }
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

TEST_F(OfPictures, AFileAmongManyHasTextToo) {
  Extractor extractor(options());
  const Result<Content> content = extractor.content(make_scanned_pdf(scan()), "file");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  expect_text_of_scan(std::get<Document>(*content));
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
