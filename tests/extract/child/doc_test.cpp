// What the reader of DOC gives, and what it leaves out, in files that are made here byte by byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/utf8.h"
#include "extract/child/readers.h"
#include "extract/client/extractor.h"
#include "tests/support/built.h"

namespace akin::extract {
namespace {

constexpr std::size_t kDocSector = 512;
constexpr std::uint64_t kMostDocText = 1U << 24U;

/// The streams of one container, each padded to sectors; of 4096 bytes or more, so none is a small one.
std::string make_compound(const std::vector<std::pair<std::string, std::string>>& streams) {
  std::string sectors, entries;
  std::vector<std::uint32_t> next;
  const auto add_chain = [&](std::string bytes) {
    bytes.resize((bytes.size() + kDocSector - 1) / kDocSector * kDocSector);
    const auto first = static_cast<std::uint32_t>(next.size());
    for (std::size_t at = kDocSector; at < bytes.size(); at += kDocSector)
      next.push_back(static_cast<std::uint32_t>(next.size() + 1));
    next.push_back(0xFFFFFFFE);
    sectors += bytes;
    return first;
  };
  const auto add_entry = [&](const std::string& name, char type, std::uint32_t right, std::uint32_t child,
                             std::uint32_t first, std::size_t size) {
    std::string entry;
    for (const char c : name) entry += {c, '\0'};
    entry.resize(64);
    append_u16(entry, static_cast<std::uint16_t>(2 * name.size() + 2));
    entry += {type, '\1'};
    for (const std::uint32_t link : {0xFFFFFFFFU, right, child}) append_u32(entry, link);
    entry.resize(116);
    append_u32(entry, first);
    append_u64(entry, size);
    entries += entry;
  };
  add_entry("Root Entry", 5, 0xFFFFFFFF, 1, 0xFFFFFFFE, 0);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::uint32_t right = i + 1 < streams.size() ? static_cast<std::uint32_t>(i + 2) : 0xFFFFFFFF;
    std::string bytes = streams[i].second;
    bytes.resize(std::max<std::size_t>(bytes.size(), 4096));
    add_entry(streams[i].first, 2, right, 0xFFFFFFFF, add_chain(bytes), bytes.size());
  }
  const std::uint32_t directory = add_chain(entries);
  const auto table = static_cast<std::uint32_t>(next.size());
  next.push_back(0xFFFFFFFD);
  std::string head = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
  head.resize(24);
  for (const int number : {0x3E, 3, 0xFFFE, 9, 6}) append_u16(head, static_cast<std::uint16_t>(number));
  head.resize(44);
  append_u32(head, 1);
  append_u32(head, directory);
  head.resize(56);
  append_u32(head, 4096);
  for (const std::uint32_t number : {0xFFFFFFFEU, 0U, 0xFFFFFFFEU, 0U, table}) append_u32(head, number);
  while (head.size() < kDocSector) append_u32(head, 0xFFFFFFFF);
  std::string links;
  for (const std::uint32_t one : next) append_u32(links, one);
  while (links.size() < kDocSector) append_u32(links, 0xFFFFFFFF);
  return head + sectors + links;
}

std::string utf16(const std::string& utf8) {
  std::string bytes;
  for (const char32_t c : to_utf32(utf8)) append_u16(bytes, static_cast<std::uint16_t>(c));
  return bytes;
}

struct SamplePiece {
  std::string bytes;
  bool wide = false;
};

/// A DOC whose text begins in the second sector; of Word 6 or 95 if its version is 0xA5DC or 0xA699.
struct SampleDoc {
  std::vector<SamplePiece> pieces;
  std::uint32_t text = 0, notes = 0, headers = 0;  ///< lengths of its first stories, in characters
  std::uint16_t language = 0x0409, flags = 0, version = 0xA5EC, letter_set = 0;
  std::string letters;  ///< properties of all letters from `letters_from` on, by the byte in the text
  std::uint32_t letters_from = 0;
  std::uint16_t style = 0;  ///< of all paragraphs
  std::string paragraphs;   ///< properties of all of them, of an even length

  [[nodiscard]] std::string bytes() const {
    const bool old = version != 0xA5EC;
    std::string body, ranges, places;
    std::uint32_t characters = 0;
    for (const SamplePiece& piece : pieces) {
      const auto begin = static_cast<std::uint32_t>(kDocSector + body.size());
      append_u32(ranges, characters);
      append_u16(places, 0);
      append_u32(places, piece.wide || old ? begin : begin * 2 | 0x40000000U);
      append_u16(places, 0);
      characters += static_cast<std::uint32_t>(piece.bytes.size() / (piece.wide ? 2 : 1));
      body += piece.bytes;
    }
    append_u32(ranges, characters);
    std::string table = "\2";
    append_u32(table, static_cast<std::uint32_t>(ranges.size() + places.size()));
    table += ranges + places;
    const std::size_t pieces_end = table.size();
    const auto text_bytes = static_cast<std::uint32_t>(body.size());
    body.resize((body.size() + kDocSector - 1) / kDocSector * kDocSector);
    const auto end = static_cast<std::uint32_t>(kDocSector + body.size());
    const std::string letter_page =
        page_of_formats(kDocSector + letters_from, end, 1, static_cast<char>(letters.size()) + letters);
    std::string paragraph(1, '\0');
    paragraph += static_cast<char>(1 + paragraphs.size() / 2);
    append_u16(paragraph, style);
    paragraph += paragraphs;
    const std::string style_page =
        page_of_formats(kDocSector, end, old ? 7 : 13, old ? paragraph.substr(1) : paragraph);
    for (std::uint32_t page : {end / 512, end / 512 + 1}) {
      append_u32(table, kDocSector);
      append_u32(table, end);
      if (old) append_u16(table, static_cast<std::uint16_t>(page));
      if (!old) append_u32(table, page);
    }
    const std::uint32_t place_of_table = old ? end + 1024 : 0, entry = old ? 10 : 12;
    std::string block;
    append_u16(block, version);
    block.resize(6);
    append_u16(block, language);
    block.resize(10);
    append_u16(block, flags);
    block.resize(20);
    append_u16(block, letter_set);
    block.resize(24);
    append_u32(block, kDocSector);
    append_u32(block, kDocSector + text_bytes);
    block.resize(old ? 52 : 76);
    for (const std::uint32_t length : {text, notes, headers}) append_u32(block, length);
    block.resize(old ? 184 : 250);
    for (std::size_t at : {pieces_end, pieces_end + entry}) {
      append_u32(block, place_of_table + static_cast<std::uint32_t>(at));
      append_u32(block, entry);
    }
    block.resize(old ? 352 : 418);
    append_u32(block, place_of_table);
    append_u32(block, static_cast<std::uint32_t>(pieces_end));
    block.resize(kDocSector);
    const std::string main = block + body + letter_page + style_page;
    if (old) return make_compound({{"WordDocument", main + table}});
    return make_compound({{"WordDocument", main}, {"0Table", table}});
  }

  static std::string page_of_formats(std::size_t begin, std::size_t end, std::size_t reference,
                                     const std::string& format) {
    std::string page;
    append_u32(page, static_cast<std::uint32_t>(begin));
    append_u32(page, static_cast<std::uint32_t>(end));
    page += static_cast<char>(100);
    page.resize(8 + reference);
    page.resize(200);
    page += format;
    page.resize(511);
    return page + '\1';
  }
};

SampleDoc doc_of(const std::string& text) {
  SampleDoc sample;
  sample.pieces = {{text}};
  sample.text = static_cast<std::uint32_t>(text.size());
  return sample;
}

Document read_doc_file(const SampleDoc& sample) {
  const Result<Document> document = read_file(sample.bytes(), kMostDocText);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

Errc refusal_of(const SampleDoc& sample) {
  const Result<Document> document = read_file(sample.bytes(), kMostDocText);
  return document.has_error() ? document.error().code : Errc::io;
}

TEST(Doc, HasParagraphsTablesAndLines) {
  const Document document = read_doc_file(doc_of("It is here.\rOne\vtwo\fthree\rcell\x07other\x07\x07"));
  EXPECT_EQ(document.type, "doc");
  EXPECT_EQ(document.text, "It is here.\n\nOne\ntwo\n\nthree\n\ncell\n\nother");
  EXPECT_EQ(document.map.back().kind, PieceKind::table);
}

TEST(Doc, JoinsPiecesOfOneByteAndOfTwo) {
  SampleDoc sample;
  sample.pieces = {{"caf\xE9 and "}, {utf16("Мельница у реки"), true}, {" again\r"}};
  sample.text = 9 + 15 + 7;
  EXPECT_EQ(read_doc_file(sample).text, "café and Мельница у реки again");
}

TEST(Doc, ReadsPiecesOfOneByteInTheCodePageOfACyrillicLanguage) {
  SampleDoc sample = doc_of("\xCC\xE5\xEB\xFC\xED\xE8\xF6\xE0 \xF3 \xF0\xE5\xEA\xE8\r");
  sample.language = 0x0419;
  EXPECT_EQ(read_doc_file(sample).text, "Мельница у реки");
  SampleDoc french = doc_of("un caf\xE9 de Paris, d\xE9j\xE0 vu\r");
  french.language = 0x0419;
  EXPECT_EQ(read_doc_file(french).text, "un café de Paris, déjà vu");
}

TEST(Doc, FootnotesFollowTheBodyAndHeadersAreLeftOut) {
  SampleDoc sample = doc_of("Body\x02.\r\x02 A note.\r\rHeader\r");
  sample.text = 7;
  sample.notes = 11;
  sample.headers = 7;
  const Document document = read_doc_file(sample);
  EXPECT_EQ(document.text, "Body.\n\nA note.");
  EXPECT_EQ(document.map.back().kind, PieceKind::footnote);
}

TEST(Doc, TheTextOfAFieldIsReadWithoutItsCode) {
  EXPECT_EQ(read_doc_file(doc_of("See \x13 HYPERLINK \x13 PAGE \x14 1\x15 \x14the page\x15 here.\r")).text,
            "See the page here.");
}

TEST(Doc, ParagraphsOfTheFirstNineStylesAreHeadings) {
  SampleDoc sample = doc_of("Chapter One\r");
  sample.style = 1;
  const Document document = read_doc_file(sample);
  EXPECT_EQ(document.map.front().kind, PieceKind::heading);
  EXPECT_THAT(document.parts, ::testing::ElementsAre("Chapter One"));
}

struct LettersRow {
  const char* name;
  std::string properties;
  HidingSet ways;
  const char* text;
};
void PrintTo(const LettersRow& row, std::ostream* out) { *out << row.name; }
class DocLettersTest : public ::testing::TestWithParam<LettersRow> {};

TEST_P(DocLettersTest, AreSeenOrNot) {
  SampleDoc sample = doc_of("seen and unseen\r");
  sample.letters = GetParam().properties;
  sample.letters_from = 9;
  const Document document = read_doc_file(sample);
  EXPECT_EQ(document.text, GetParam().text);
  ASSERT_EQ(document.alerts.size(), GetParam().ways == 0 ? 0U : 1U);
  if (GetParam().ways == 0) return;
  EXPECT_EQ(document.alerts.front().ways, GetParam().ways);
  EXPECT_EQ(document.hidden, "unseen");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, DocLettersTest,
    ::testing::Values(
        LettersRow{"Hidden", std::string("\x3C\x08\x01"), set_of(Hiding::switched_off), "seen and"},
        LettersRow{"NotHidden", std::string("\x3C\x08\x00", 3), 0, "seen and unseen"},
        LettersRow{"Tiny", std::string("\x43\x4A\x02\x00", 4), set_of(Hiding::size), "seen and"},
        LettersRow{"Small", std::string("\x43\x4A\x0E\x00", 4), 0, "seen and unseen"},
        LettersRow{"White", std::string("\x70\x68\xFF\xFF\xFF\x00", 6), set_of(Hiding::colour), "seen and"},
        LettersRow{"NearlyWhite", std::string("\x70\x68\xF5\xFF\xF2\x00", 6), set_of(Hiding::colour),
                   "seen and"},
        LettersRow{"LightGrey", std::string("\x70\x68\xE0\xE0\xE0\x00", 6), 0, "seen and unseen"},
        LettersRow{"WhiteByNumber", std::string("\x42\x2A\x08"), set_of(Hiding::colour), "seen and"},
        LettersRow{"Black", std::string("\x70\x68\x00\x00\x00\x00", 6), 0, "seen and unseen"},
        LettersRow{"Automatic", std::string("\x70\x68\x00\x00\x00\xFF", 6), 0, "seen and unseen"},
        LettersRow{"WhiteThenRed", std::string("\x42\x2A\x08\x42\x2A\x06"), 0, "seen and unseen"},
        LettersRow{"WhiteOnHighlight", std::string("\x42\x2A\x08\x0C\x2A\x07"), 0, "seen and unseen"},
        LettersRow{"WhiteOnShading", std::string("\x66\x48\x01\x00\x42\x2A\x08", 7), 0, "seen and unseen"},
        LettersRow{"Deleted", std::string("\x00\x08\x01", 3), 0, "seen and"},
        LettersRow{"HiddenAfterOthers", std::string("\x35\x08\x01\x70\x68\x01\x02\x03\x00\x3C\x08\x01", 12),
                   set_of(Hiding::switched_off), "seen and"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Doc, WhiteLettersAreSeenWhereAnyParagraphHasAGround) {
  SampleDoc sample = doc_of("seen and unseen\r");
  sample.letters = "\x42\x2A\x08";
  sample.paragraphs = std::string("\x2D\x44\x21\x00", 4);
  EXPECT_EQ(read_doc_file(sample).text, "seen and unseen");
  sample.paragraphs = std::string("\x03\x24\x01\x05\x24\x01", 6);
  EXPECT_EQ(read_doc_file(sample).hidden, "seen and unseen");
}

TEST(Doc, OfWord6HasItsTextBesideItsFormats) {
  SampleDoc sample = doc_of("Chapter\r\x02 A note.\r\rHead\r");
  sample.version = 0xA5DC;
  sample.text = 8;
  sample.notes = 11;
  sample.headers = 5;
  sample.style = 1;
  EXPECT_EQ(read_doc_file(sample).text, "Chapter\n\nA note.");
  EXPECT_EQ(read_doc_file(sample).map.front().kind, PieceKind::heading);
  SampleDoc hidden = doc_of("seen and unseen\r");
  hidden.version = 0xA5DC;
  hidden.letters = "\x61\x09\x04\x55\x01\x5C\x01";  // its language, bold, hidden
  hidden.letters_from = 9;
  EXPECT_EQ(read_doc_file(hidden).text, "seen and");
  EXPECT_EQ(read_doc_file(hidden).hidden, "unseen");
}

TEST(Doc, OfWord6HasPiecesIfItWasSavedFast) {
  SampleDoc sample;
  sample.pieces = {{"One "}, {"caf\x8E\r"}};
  sample.text = 9;
  sample.version = 0xA5DC;
  sample.flags = 0x0004;
  sample.letter_set = 256;  // of a Macintosh
  EXPECT_EQ(read_doc_file(sample).text, "One café");
}

TEST(Doc, OfWord95OfEastAsiaHasWideLetters) {
  SampleDoc sample;
  sample.pieces = {{utf16("传真 café\r"), true}};
  sample.text = 8;
  sample.version = 0xA699;
  for (const int flags : {0x1000, 0x1004}) {  // with a piece table in the second
    sample.flags = static_cast<std::uint16_t>(flags);
    EXPECT_EQ(read_doc_file(sample).text, "传真 café") << flags;
  }
  sample.flags = 0;
  EXPECT_EQ(refusal_of(sample), Errc::type_unsupported) << "two bytes for some letters";
}

TEST(Doc, LongHeadersAreReported) {
  SampleDoc sample = doc_of("Body.\r" + std::string(kLeastLeftOut, 'x') + "\r");
  sample.text = 6;
  sample.headers = kLeastLeftOut + 1;
  const Document document = read_doc_file(sample);
  EXPECT_EQ(document.text, "Body.");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::text_left_out);
}

TEST(Doc, EncryptedOrOfAnotherProgramIsRefusedByName) {
  SampleDoc encrypted = doc_of("text\r");
  encrypted.flags = 0x0100;
  EXPECT_EQ(refusal_of(encrypted), Errc::file_encrypted);
  EXPECT_EQ(read_file(make_compound({{"WORDDOCUMENT", "\xDB\xA5"}}), kMostDocText).error().reason,
            "is a DOC that does not begin as one of Word 6 to 2003");
  EXPECT_EQ(read_file(make_compound({{"Workbook", "cells"}}), kMostDocText).error().code,
            Errc::type_unsupported);
  EXPECT_EQ(read_file(make_compound({{"EncryptedPackage", "bytes"}}), kMostDocText).error().code,
            Errc::file_encrypted);
}

TEST(Doc, WithLessTextThanItSaysIsDamaged) {
  SampleDoc sample = doc_of("text\r");
  sample.text = 100;
  EXPECT_EQ(refusal_of(sample), Errc::file_damaged);
}

TEST(Doc, ThatIsCutOffAnywhereIsDamaged) {
  const std::string whole = doc_of("It is here, and nowhere else.\r").bytes();
  for (std::size_t size = 8; size < whole.size(); size += 97) {
    const Result<Document> document = read_file(whole.substr(0, size), kMostDocText);
    ASSERT_TRUE(document.has_error()) << size;
    EXPECT_EQ(document.error().code, Errc::file_damaged) << size;
  }
}

TEST(Doc, IsReadInTheSandbox) {
  Extractor extractor({.program = test::extract_program()});
  const SampleDoc sample = doc_of("It is here.\r");
  const Result<Document> document = extractor.read(sample.bytes(), "file");
  ASSERT_TRUE(document.has_value()) << document.error().message();
  EXPECT_EQ(document->text, "It is here.");
}

}  // namespace
}  // namespace akin::extract
