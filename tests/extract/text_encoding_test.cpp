// Which bytes are text, and of which encoding.
#include "extract/text_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>

#include "extract/file_kind.h"

namespace akin::extract {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRussian =
    "Мороз и солнце; день чудесный! Ещё ты дремлешь, друг прелестный. Пора, красавица, проснись: открой "
    "сомкнуты "
    "негой взоры навстречу северной Авроры, звездою севера явись! Вечор, ты помнишь, вьюга злилась, на "
    "мутном небе "
    "мгла носилась; луна, как бледное пятно, сквозь тучи мрачные желтела, и ты печальная сидела.";

std::string in(const char* encoding, const std::string& text) {
  UErrorCode code = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(encoding, &code);
  std::string bytes(text.size() * 4 + 16, '\0');
  const auto size =
      ucnv_fromAlgorithmic(converter, UCNV_UTF8, bytes.data(), static_cast<std::int32_t>(bytes.size()),
                           text.data(), static_cast<std::int32_t>(text.size()), &code);
  ucnv_close(converter);
  EXPECT_TRUE(U_SUCCESS(code)) << encoding;
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

struct KindRow {
  const char* name;
  std::string bytes;
  const char* what;  ///< null: text
};

void PrintTo(const KindRow& row, std::ostream* out) { *out << row.name; }

class FileKind : public ::testing::TestWithParam<KindRow> {};

TEST_P(FileKind, IsFoundByTheFirstBytes) {
  const auto wrong = not_text(GetParam().bytes, "file");
  ASSERT_EQ(wrong.has_value(), GetParam().what != nullptr);
  if (!wrong) return;
  const bool known = std::string_view(GetParam().what).find("zero bytes") == std::string_view::npos;
  EXPECT_EQ(wrong->code, known ? Errc::type_unsupported : Errc::unsupported);
  EXPECT_THAT(wrong->reason, HasSubstr(GetParam().what));
  EXPECT_THAT(wrong->remedy, Not(HasSubstr("1251")));
  for (const char* encoding : {"utf-8", "auto", "windows-1251"})
    EXPECT_TRUE(decode_text(GetParam().bytes, encoding, "file").has_error()) << encoding;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FileKind,
    ::testing::Values(
        KindRow{"Empty", "", nullptr}, KindRow{"Text", "Text. %PDF- inside.", nullptr},
        KindRow{"OneZeroInALongText", std::string(200, 'a') + '\0' + std::string(200, 'b'), nullptr},
        KindRow{"XmlText", "<note>FictionBook</note>", nullptr}, KindRow{"Pdf", "%PDF-1.7\n%\xE2\xE3", "PDF"},
        KindRow{"Rtf", "{\\rtf1\\ansi text}", "RTF"},
        KindRow{"Fb2", "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<FictionBook xmlns=\"x\">", "FB2"},
        KindRow{"Doc", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "DOC"},
        KindRow{"Docx", std::string("PK\x03\x04[Content_Types].xml...word/document.xml"), "DOCX"},
        KindRow{"Epub", std::string("PK\x03\x04....mimetypeapplication/epub+zip"), "EPUB"},
        KindRow{"Odt", std::string("PK\x03\x04..mimetypeapplication/vnd.oasis.opendocument.text"), "ODT"},
        KindRow{"Zip", std::string("PK\x03\x04....a.txt"), "ZIP"}, KindRow{"Gzip", "\x1F\x8B\x08", "gzip"},
        KindRow{"Djvu", "AT&TFORM", "DjVu"}, KindRow{"Png", "\x89PNG\r\n\x1A\n", "PNG"},
        KindRow{"WideWithoutMark", in("UTF-16LE", "Plain words"), "zero bytes"}),
    [](const auto& row) { return row.param.name; });

class Encoding : public ::testing::TestWithParam<const char*> {};

TEST_P(Encoding, IsFoundConvertedAndNamed) {
  const std::string bytes = in(GetParam(), kRussian);
  EXPECT_EQ(decode_text(bytes, GetParam(), "file").value(), kRussian);
  EXPECT_EQ(decode_text(bytes, "auto", "file").value(), kRussian);
  const Error refused = decode_text(bytes, "utf-8", "file").error();
  EXPECT_EQ(refused.code,
            std::string_view(GetParam()).starts_with("utf-16") ? Errc::unsupported : Errc::invalid_utf8);
  EXPECT_THAT(refused.remedy, HasSubstr("--encoding " + guess_encoding(bytes).value()));
}

INSTANTIATE_TEST_SUITE_P(Rows, Encoding,
                         ::testing::Values("windows-1251", "koi8-r", "iso-8859-5", "cp866", "mac-cyrillic",
                                           "utf-16le", "utf-16be"));

TEST(EncodingOfText, IsWhatAByteOrderMarkSays) {
  for (const char* marked : {"UTF-16", "UTF-16BE,version=1", "UTF-16LE,version=1"})
    for (const char* encoding : {"utf-8", "auto"})
      EXPECT_EQ(decode_text(in(marked, kRussian), encoding, "file").value(), kRussian) << marked;
  const Error refused = decode_text("\xFF\xFE\x01\xD8q", "utf-8", "file").error();
  EXPECT_EQ(refused.code, Errc::corrupt);
}

TEST(EncodingOfText, IsFoundOfUkrainianLettersInKoi8) {
  const std::string text =
      "Була собі в одному селі вдова, і мала вона єдину доньку; жили вони вбого, та людям не корилися, їли "
      "свій хліб і "
      "ґречно вітали гостей.";
  EXPECT_EQ(guess_encoding(in("koi8-u", text)), "koi8-u");
  EXPECT_EQ(decode_text(in("koi8-u", text), "auto", "file").value(), text);
}

TEST(EncodingOfText, IsNotGuessedByAFewBytes) {
  EXPECT_EQ(guess_encoding("caf\xE9"), std::nullopt);
  EXPECT_EQ(guess_encoding(std::string("a\0b\0", 4)), std::nullopt);
}

TEST(EncodingOfText, IsNotUtf16WhereBytesAreNumbers) {
  std::string numbers;
  for (int i = 0; i < 2000; ++i) numbers += {static_cast<char>(i % 7), '\0', static_cast<char>(i % 5), '\0'};
  EXPECT_TRUE(decode_text(numbers, "auto", "file").has_error());
}

TEST(EncodingOfText, IsUtf8ByDefaultAndWithAuto) {
  for (const char* encoding : {"utf-8", "UTF-8", "auto"}) {
    EXPECT_EQ(decode_text(kRussian, encoding, "file").value(), kRussian);
    EXPECT_EQ(decode_text("\xEF\xBB\xBF" + kRussian, encoding, "file").value(), kRussian);
    EXPECT_EQ(decode_text("", encoding, "file").value(), "");
  }
}

TEST(EncodingOfText, RefusesBytesThatItDoesNotHave) {
  const Error refused = decode_text("a\xFFz", "gb18030", "file").error();
  EXPECT_EQ(refused.code, Errc::corrupt);
  EXPECT_EQ(refused.what, "file");
}

TEST(EncodingOfText, MustBeKnown) {
  EXPECT_FALSE(check_encoding("auto").has_error());
  EXPECT_FALSE(check_encoding("cp866").has_error());
  for (const char* wrong : {"klingon", ""})
    EXPECT_EQ(check_encoding(wrong).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace akin::extract
