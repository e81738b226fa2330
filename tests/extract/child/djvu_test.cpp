// What the reader of DjVu gives, and what it leaves out.
//
// data/files/mill.djvu has four pages of white with text layers (lines of words, none, lines, paragraphs) and
// annotations that its pages share. djvused(1) prints them: djvused -e print-txt mill.djvu
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "extract/child/readers.h"
#include "extract/client/extractor.h"
#include "tests/support/built.h"

namespace akin::extract {
namespace {

constexpr std::uint64_t kMostDjvuText = 1U << 24U;

std::string mill_djvu() {
  std::ifstream file(test::source_folder() / "tests/data/files/mill.djvu", std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

Document read_mill() {
  const Result<Document> document = read_file(mill_djvu(), kMostDjvuText);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

void put_number(std::string& bytes, std::size_t number, int size) {
  for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(number >> (8U * static_cast<unsigned>(i)));
}

std::string djvu_chunk(const std::string& name, const std::string& content) {
  std::string bytes = name;
  put_number(bytes, content.size(), 4);
  bytes += content;
  if (content.size() % 2 == 1) bytes += '\0';
  return bytes;
}

/// One page of 600 by 800 pixels whose text layer is this text, without places.
std::string make_djvu(const std::string& text) {
  const std::string size("\x02\x58\x03\x20\x18\x00\x64\x00\x16\x01", 10);
  std::string layer;
  put_number(layer, text.size(), 3);
  layer += text;
  layer += "\1\1";  // version; a page
  for (const std::size_t side : {0, 0, 600, 800, 0})
    put_number(layer, 0x8000 + side, 2);  // box; begin of text
  put_number(layer, text.size(), 3);
  put_number(layer, 0, 3);  // zones inside
  return "AT&T" + djvu_chunk("FORM", "DJVU" + djvu_chunk("INFO", size) + djvu_chunk("TXTa", layer));
}

TEST(Djvu, HasTheTextLayerWithItsPages) {
  const Document document = read_mill();
  EXPECT_EQ(document.type, "djvu");
  EXPECT_EQ(document.pages, 4U);
  EXPECT_EQ(
      document.text,
      "It stood by\nthe old\nriver.\n\nNobody\nre-\nmembered it.\n\nThe first\nparagraph\n\nand the second");
  EXPECT_EQ(piece_at(document, 0)->page, 1U);
  EXPECT_EQ(piece_at(document, static_cast<std::uint32_t>(document.text.find("membered")))->page, 3U);
  EXPECT_EQ(piece_at(document, static_cast<std::uint32_t>(document.text.find("second")))->page, 4U);
}

TEST(Djvu, HasTheMetadataOfItsAnnotations) {
  const FileMetadata metadata = read_mill().metadata;
  EXPECT_EQ(metadata.title, "The Mill");
  EXPECT_THAT(metadata.authors, ::testing::ElementsAre("Ada Byron"));
  EXPECT_EQ(metadata.date, "1843");
}

TEST(Djvu, ReportsPagesWithoutATextLayer) {
  const Document document = read_mill();
  ASSERT_EQ(document.alerts.size(), 1U);
  const FileAlert& alert = document.alerts.front();
  EXPECT_EQ(alert.kind, FileAlertKind::pages_without_text);
  EXPECT_EQ(alert.characters, 1U);
  EXPECT_EQ(alert.page, 2U);
  EXPECT_DOUBLE_EQ(alert.share, 0.25);
}

TEST(Djvu, ALineOfSeparatorsAloneEndsAParagraph) {
  const auto document = read_file(make_djvu("One paragraph.\n\x1F \nThe next."), kMostDjvuText);
  ASSERT_TRUE(document.has_value()) << document.error().message();
  EXPECT_EQ(document->text, "One paragraph.\n\nThe next.");
}

TEST(Djvu, ATextWithoutPlacesKeepsItsLinesAndParagraphs) {
  const auto document =
      read_file(make_djvu("One line\nand another.\n\x1FThe next paragraph\n"), kMostDjvuText);
  ASSERT_TRUE(document.has_value()) << document.error().message();
  EXPECT_EQ(document->text, "One line\nand another.\n\nThe next paragraph");
  EXPECT_TRUE(document->alerts.empty());
}

TEST(Djvu, ATextThatIsNotUtf8IsReadInTheEncodingItIsProbablyIn) {
  // "Дом стоял у реки и никто о нём не помнил", in windows-1251
  const std::string text =
      "\xC4\xEE\xEC \xF1\xF2\xEE\xFF\xEB \xF3 \xF0\xE5\xEA\xE8 \xE8 \xED\xE8\xEA\xF2\xEE \xEE "
      "\xED\xB8\xEC \xED\xE5 \xEF\xEE\xEC\xED\xE8\xEB";
  const auto document = read_file(make_djvu(text), kMostDjvuText);
  ASSERT_TRUE(document.has_value()) << document.error().message();
  EXPECT_EQ(document->text, "Дом стоял у реки и никто о нём не помнил");
}

TEST(Djvu, ThatIsCutOffAnywhereIsDamaged) {
  const std::string whole = mill_djvu();
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const Result<Document> document = read_file(whole.substr(0, size), kMostDjvuText);
    ASSERT_TRUE(document.has_error()) << size;
    EXPECT_EQ(document.error().code, Errc::file_damaged) << size;
  }
}

TEST(Djvu, WithADamagedByteEndsWithADocumentOrANamedError) {
  const std::string whole = mill_djvu();
  Extractor extractor({.program = test::extract_program()});
  for (std::size_t at = 8; at < whole.size(); at += 5) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const Result<Document> document = extractor.read(damaged, "file");
    if (document.has_value()) continue;
    const Errc code = document.error().code;
    EXPECT_TRUE(code == Errc::file_damaged || code == Errc::type_unsupported || code == Errc::file_too_large)
        << at << ": " << document.error().message();
  }
}

#ifndef __SANITIZE_ADDRESS__  // which looks into files when a thread starts
TEST(Djvu, IsReadInTheSandbox) {
  Extractor extractor({.program = test::extract_program()});
  const Result<Document> document = extractor.read(mill_djvu(), "file");
  ASSERT_TRUE(document.has_value()) << document.error().message();
  EXPECT_EQ(*document, read_mill());
}
#endif

}  // namespace
}  // namespace akin::extract
