// Which bytes are text, and of which encoding.
#include "extract/formats/text_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>

#include "extract/formats/formats.h"

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

/// All bytes but zero, in an order of no text, many times.
std::string bytes_of_data() {
  std::string bytes;
  for (unsigned at = 0; at < 5000; ++at) bytes += static_cast<char>(1 + at * 89 % 255);
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
  EXPECT_EQ(wrong->code, Errc::type_unsupported);
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
        KindRow{"Xml", "<?xml version=\"1.0\"?><note>A</note>", "XML"},
        KindRow{"Data", bytes_of_data(), "control characters"},
        KindRow{"OneControlCharacterInEachWord", "wo\x07rds a\x07re the\x07se wi\x07th be\x07lls", nullptr},
        KindRow{"Xhtml", "<?xml version=\"1.0\"?><html>A</html>", nullptr},
        KindRow{"Fb2", "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<FictionBook xmlns=\"x\">", "FB2"},
        KindRow{"Doc", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "DOC"},
        KindRow{"Docx", std::string("PK\x03\x04[Content_Types].xml...word/document.xml"), "DOCX"},
        KindRow{"Pptx", std::string("PK\x03\x04[Content_Types].xml.._rels/.rels..ppt/presentation.xml"),
                "PPTX"},
        KindRow{"Xlsx", std::string("PK\x03\x04[Content_Types].xml.._rels/.rels..xl/workbook.xml"), "XLSX"},
        KindRow{"Odp", std::string("PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.presentation"),
                "ODP"},
        KindRow{"Epub", std::string("PK\x03\x04....mimetypeapplication/epub+zip"), "EPUB"},
        KindRow{"Odt", std::string("PK\x03\x04..mimetypeapplication/vnd.oasis.opendocument.text"), "ODT"},
        KindRow{"Zip", std::string("PK\x03\x04....a.txt"), "ZIP"},
        KindRow{"ZipOfAFolder", std::string("PK\x03\x04....ppt/first.txt....xl/second.txt"), "ZIP"},
        KindRow{"Gzip", "\x1F\x8B\x08", "gzip"}, KindRow{"Bzip2", "BZh91AY&SY\xA1", "bzip2"},
        KindRow{"EmptyBzip2", "BZh9\x17\x72\x45\x38\x50\x90", "bzip2"},
        KindRow{"TextThatBeginsAsBzip2", "BZh is how a file of bzip2 begins.", nullptr},
        KindRow{"Tar", std::string(257, 'a') + "ustar", "tar"}, KindRow{"Djvu", "AT&TFORM", "DjVu"},
        KindRow{"Png", "\x89PNG\r\n\x1A\n", "PNG"},
        KindRow{"WideWithoutMark", in("UTF-16LE", "Plain words"), "zero bytes"}),
    [](const auto& row) { return row.param.name; });

TEST(Formats, APresentationIsToBeSavedInAFormThatIsRead) {
  const auto refused = not_text("PK\x03\x04[Content_Types].xml.._rels/.rels..ppt/presentation.xml", "file");
  ASSERT_TRUE(refused.has_value());
  EXPECT_THAT(refused->remedy, HasSubstr("PDF"));
}

TEST(Formats, AreReadByTheReaderThatTheirFirstBytesName) {
  const struct {
    std::string begin;
    FileType type;
  } rows[] = {{"%PDF-1.7", FileType::pdf},
              {"mail headers\n%PDF-1.7 1 0 obj", FileType::pdf},
              {"Rar!\x1A\x07", FileType::other},
              {"BZh91AY&SY", FileType::archive},
              {"BZh is text", FileType::other},
              {std::string(257, '\0') + "ustar", FileType::archive},
              {"PK\x05\x06", FileType::zip},
              {"PK\x03\x04 word/document.xml", FileType::zip},
              {std::string("MM\0*", 4), FileType::picture},
              {" <?xml version=\"1.0\"?><FictionBook>", FileType::fb2},
              {"<p>FictionBook", FileType::other},
              {"", FileType::other}};
  for (const auto& row : rows) EXPECT_EQ(type_of(row.begin), row.type) << row.begin;
}

TEST(Formats, APageOfHtmlIsKnownByItsBeginning) {
  for (const char* page : {"<!DOCTYPE html><p>", "\xEF\xBB\xBF\n<html xmlns:o=\"urn\">",
                           "<!-- saved from url -->\n<HTML>", "<?xml version=\"1.0\"?>\n<html>"})
    EXPECT_TRUE(begins_as_page(page)) << page;
  for (const char* text : {"html", "<p>A paragraph</p>", "<!-- a remark -->", "About <html>", ""})
    EXPECT_FALSE(begins_as_page(text)) << text;
}

TEST(Formats, HaveNamesAndMediaTypes) {
  EXPECT_EQ(type_of_name("Essay.DOCX"), "docx");
  EXPECT_EQ(type_of_name("page.xhtml"), "html");
  EXPECT_EQ(type_of_name("scan.jpeg"), "picture");
  EXPECT_EQ(type_of_name("a.txt"), "text");
  EXPECT_EQ(type_of_name("essay"), "");
  EXPECT_EQ(type_of_media("image/x-djvu"), "djvu");
  EXPECT_EQ(type_of_media("application/x-zip-compressed-fb2"), "fb2");
  EXPECT_EQ(type_of_media("text/plain"), "");
  EXPECT_TRUE(is_media_of_files("application/zip"));
  EXPECT_TRUE(is_media_of_files("text/html"));
  EXPECT_FALSE(is_media_of_files("text/plain"));
  EXPECT_EQ(media_of_type("djvu", "AT&TFORM"), "image/vnd.djvu");
  EXPECT_EQ(media_of_type("picture", "\xFF\xD8\xFF"), "image/jpeg");
  EXPECT_EQ(media_of_type("picture", std::string_view("MM\0*", 4)), "image/tiff");
  EXPECT_EQ(media_of_type("fb2", "PK\x03\x04"), "application/x-zip-compressed-fb2");
  EXPECT_EQ(media_of_type("fb2", "<?xml"), "application/x-fictionbook+xml");
  EXPECT_EQ(media_of_type("html", "<html>"), "text/html");
  EXPECT_EQ(media_of_type("mediawiki", "text"), "text/plain");
  EXPECT_EQ(media_of_type("filtered", "?"), "application/octet-stream");
}

class Encoding : public ::testing::TestWithParam<const char*> {};

TEST_P(Encoding, IsFoundConvertedAndNamed) {
  const std::string bytes = in(GetParam(), kRussian);
  EXPECT_EQ(decode_text(bytes, GetParam(), "file").value(), kRussian);
  EXPECT_EQ(decode_text(bytes, "auto", "file").value(), kRussian);
  const Error refused = decode_text(bytes, "utf-8", "file").error();
  EXPECT_EQ(refused.code,
            std::string_view(GetParam()).starts_with("utf-16") ? Errc::type_unsupported : Errc::invalid_utf8);
  EXPECT_THAT(refused.remedy, HasSubstr("--encoding " + guess_encoding(bytes).value()));
}

INSTANTIATE_TEST_SUITE_P(Rows, Encoding,
                         ::testing::Values("windows-1251", "koi8-r", "iso-8859-5", "cp866", "mac-cyrillic",
                                           "utf-16le", "utf-16be"));

TEST(EncodingOfText, IsWhatAByteOrderMarkSays) {
  for (const char* marked : {"UTF-16", "UTF-16BE,version=1", "UTF-16LE,version=1", "UTF-32"})
    for (const char* encoding : {"utf-8", "auto"})
      EXPECT_EQ(decode_text(in(marked, kRussian), encoding, "file").value(), kRussian) << marked;
  const Error refused = decode_text("\xFF\xFE\x01\xD8q", "utf-8", "file").error();
  EXPECT_EQ(refused.code, Errc::file_damaged);
}

TEST(EncodingOfText, IsFoundBehindMuchAscii) {
  std::string text;
  while (text.size() < 100'000) text += "Words of plain ASCII, as a licence before a book has them.\n";
  text += kRussian;
  EXPECT_EQ(decode_text(in("windows-1251", text), "auto", "file").value(), text);
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
  EXPECT_EQ(refused.code, Errc::file_damaged);
  EXPECT_EQ(refused.what, "file");
}

TEST(EncodingOfText, MustBeKnown) {
  EXPECT_FALSE(check_encoding("auto").has_error());
  EXPECT_FALSE(check_encoding("cp866").has_error());
  for (const char* wrong : {"klingon", ""})
    EXPECT_EQ(check_encoding(wrong).error().code, Errc::invalid_argument);
}

struct LanguageRow {
  const char* encoding;
  const char* text;
};
void PrintTo(const LanguageRow& row, std::ostream* out) { *out << row.encoding; }
class EncodingOfLanguage : public ::testing::TestWithParam<LanguageRow> {};

TEST_P(EncodingOfLanguage, IsFoundOfAParagraph) {
  EXPECT_EQ(decode_text(in(GetParam().encoding, GetParam().text), "auto", "file").value(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, EncodingOfLanguage,
    ::testing::Values(
        LanguageRow{"windows-949",
                    "방앗간 주인은 물레방아 뒤에서 회색 거위 두 마리를 길렀다. 아침마다 거위들은 그가 "
                    "문을 열기 전에 마당을 건너갔다. 사월에 강물이 불어나자 아래 풀밭은 아흐레 동안 "
                    "물에 잠겼다."},
        LanguageRow{"iso-2022-jp",
                    "粉屋は水車小屋の裏で灰色のがちょうを二羽飼っていた。毎朝、門が開く前に庭を横切った。"},
        LanguageRow{"ibm852",
                    "A molnár két szürke libát tartott a malom mögött, és azok minden reggel átmentek az "
                    "udvaron, mielőtt kinyitotta volna a kaput. Amikor áprilisban megáradt a folyó, az "
                    "alsó rét kilenc napig víz alatt állt, és senki sem érhette el a hidat."},
        LanguageRow{"ibm850",
                    "Der Müller hielt hinter der Mühle zwei graue Gänse, und jeden Morgen überquerten sie "
                    "den Hof, bevor er das Tor geöffnet hatte. Als der Fluß im April höher stieg, stand die "
                    "untere Wiese neun Tage unter Wasser."},
        LanguageRow{"ibm850",
                    "Mølleren holdt to grå gæs bag møllen, og hver morgen gik de over gården, før han havde "
                    "åbnet porten. Da åen steg i april, stod den nederste eng ni dage under vand."},
        LanguageRow{
            "ibm850",
            "Il mugnaio teneva due oche grigie, perchè il cane non c'era più. Ogni mattina, già "
            "prima che aprisse, passò il cortile chi poteva; così è sempre stato, finchè il fiume salì."},
        LanguageRow{
            "windows-1252",
            "Il mugnaio teneva due oche grigie, perché il cane non c'era più. Ogni mattina, già "
            "prima che aprisse, passò il cortile chi poteva; così è sempre stato, finché il fiume salì."},
        LanguageRow{"windows-1257",
                    "Malūnininkas už malūno laikė dvi pilkas žąsis, ir kiekvieną rytą jos pereidavo "
                    "kiemą, kol jis dar nebuvo atidaręs vartų. „Kai balandį upė pakils, – sakė jis, "
                    "– žemutinė pieva devynias dienas bus po vandeniu.“"},
        LanguageRow{"windows-1250",
                    "Młynarz trzymał za młynem dwie szare gęsi, które każdego ranka przechodziły "
                    "przez podwórze, zanim otworzył bramę. „Gdy w kwietniu rzeka wzbierze – mówił – "
                    "dolna łąka będzie przez dziewięć dni stała pod wodą”."},
        LanguageRow{"windows-1253",
                    "Ο μυλωνάς είχε δύο γκρίζες χήνες πίσω από τον μύλο, και κάθε πρωί περνούσαν την "
                    "αυλή πριν ανοίξει την πύλη. «Όταν φουσκώσει το ποτάμι – έλεγε – το κάτω λιβάδι "
                    "θα μείνει εννιά μέρες κάτω από το νερό»."}));

/// ICU does not have the encoding; its letters with a comma below are those with a cedilla of another.
/// English has no letters beyond ASCII; its typography says which of the Latin encodings it is in.
TEST(EncodingOfText, OfEnglishIsFoundByItsTypography) {
  const std::string text =
      "My first place\u2014well to be honest, it was a coffee shop in the Mile End Road\u2014I\u2019m not "
      "ashamed of it. We all have our beginnings. Young \u201cKipper,\u201d as we called him, had no name of "
      "his own, not that he knew of, and I\u2019d get a paper from him. \u201cDon\u2019t,\u201d he said.\n";
  for (const char* const encoding : {"windows-1252", "windows-1250", "windows-1254", "windows-1257"})
    EXPECT_EQ(*decode_text(in(encoding, text), "auto", "file"), text) << encoding;
  const std::string without_dashes =
      "They\u2019re said to be \u201cready\u201d, aren\u2019t they? We\u2019ll see.\n";
  EXPECT_EQ(*decode_text(in("windows-1252", without_dashes), "auto", "file"), without_dashes);
  // As IBM 850 has them, these dashes are a letter of French and Italian.
  const std::string dashes =
      "`She is not \u2014 dead,\u00b4 he said \u2014 and \u2014 `My dear!\u00b4 \u2014 was all he had to "
      "say.\n";
  EXPECT_EQ(*decode_text(in("windows-1252", dashes), "auto", "file"), dashes);
}

TEST(EncodingOfText, OfRomanianInIso885916IsReadWithCedillas) {
  const std::string text =
      "Morarul ţinea două gâşte cenuşii în spatele morii şi în fiecare dimineaţă ele treceau prin curte "
      "înainte ca "
      "el să deschidă poarta. Când râul a crescut în aprilie, pajiştea de jos a stat nouă zile sub apă.";
  EXPECT_EQ(decode_text(in("iso-8859-2", text), "auto", "file").value(), text);
}

struct ShortRow {
  const char* encoding;
  const char* text;
};
void PrintTo(const ShortRow& row, std::ostream* out) { *out << row.encoding << ": " << row.text; }
class ShortText : public ::testing::TestWithParam<ShortRow> {};

TEST_P(ShortText, OfRussianIsReadByItsWords) {
  const std::string bytes = in(GetParam().encoding, GetParam().text);
  EXPECT_EQ(decode_text(bytes, "auto", "file").value(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Rows, ShortText,
                         ::testing::Values(ShortRow{"windows-1251", "Гуси плывут по воде."},
                                           ShortRow{"koi8-r", "Гуси плывут по воде."},
                                           ShortRow{"cp866", "Гуси плывут по воде."},
                                           ShortRow{"cp866", "Глава вторая"}));

TEST(ShortText, OfAnotherLanguageIsNotGuessed) {
  EXPECT_EQ(decode_text(in("windows-1252", "D\u00e9j\u00e0 vu"), "auto", "file").error().code,
            Errc::type_unsupported);
}

TEST(Auto, ADamagedByteOfALongTextInUtf8IsMarked) {
  const std::string damaged = kRussian + " \xd0" + kRussian;
  EXPECT_EQ(decode_text(damaged, "auto", "file").value(), kRussian + " \uFFFD" + kRussian);
  EXPECT_EQ(decode_text(damaged, "utf-8", "file").error().code, Errc::invalid_utf8);
}

}  // namespace
}  // namespace akin::extract
