// Which text is restored, into what, and which is left alone.
#include "extract/plain/mended_encoding.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>

#include "base/utf8.h"
#include "extract/formats/claimed_type.h"
#include "extract/formats/formats.h"

namespace akin::extract {
namespace {

const std::string kRussianProse =
    "Дом стоял у самой реки, и никто о нём не помнил. Старый мельник умер зимой, а сын его уехал в город и "
    "больше не возвращался. Вечером в окнах было темно; только собака, лежавшая на крыльце, поднимала "
    "голову, "
    "когда мимо проходили люди. ГЛАВА ВТОРАЯ";
const std::string kQuoted = "Дом? «Кто там?» — спрашивала соседка. ";
const std::string kUkrainianProse =
    "Садок вишневий коло хати, хрущі над вишнями гудуть, плугатарі з плугами йдуть, співають ідучи дівчата, "
    "а "
    "матері вечерять ждуть. Сем'я вечеря коло хати, вечірня зіронька встає, дочка вечерять подає.";
const std::string kFrenchProse =
    "À la fin de l'été, où l'on était déjà fatigué de tout, il s'en alla à pied. Ça, c'est à moi, dit-elle; "
    "çà et "
    "là, on voyait des élèves âgés, près des hêtres. Noël était passé, et l'âme légère, éméché, il rêvait.";

/// The text in one encoding, read as another.
std::string misread(const std::string& text, const char* written, const char* read) {
  const auto convert = [](const std::string& from, const char* source, const char* target) {
    UErrorCode code = U_ZERO_ERROR;
    std::string to(from.size() * 4 + 16, '\0');
    const auto size = ucnv_convert(target, source, to.data(), static_cast<std::int32_t>(to.size()),
                                   from.data(), static_cast<std::int32_t>(from.size()), &code);
    EXPECT_TRUE(U_SUCCESS(code));
    to.resize(static_cast<std::size_t>(size));
    return to;
  };
  return convert(convert(text, "utf-8", written), read, "utf-8");
}

Document mended(const std::string& text) {
  Document document;
  document.type = "text";
  document.text = text;
  mend_encoding(document);
  return document;
}

struct MisreadRow {
  const char* name;
  const char* written;
  const char* read;
  std::string text;
};
void PrintTo(const MisreadRow& row, std::ostream* out) { *out << row.name; }
class Misread : public ::testing::TestWithParam<MisreadRow> {};

TEST_P(Misread, TextIsRestored) {
  const MisreadRow& row = GetParam();
  const std::string wrong = misread(row.text, row.written, row.read);
  const Document document = mended(wrong);
  EXPECT_EQ(document.text, row.text);
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts.front().kind, FileAlertKind::mended_encoding);
  EXPECT_GT(document.alerts.front().share, 0.7);
  EXPECT_EQ(document.alerts.front().at, 0U);
  EXPECT_EQ(document.alerts.front().sample.substr(0, 6), row.text.substr(0, 6));
  EXPECT_EQ(count_code_points(document.text), count_code_points(wrong));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Misread,
    ::testing::Values(MisreadRow{"Windows1251AsWindows1252", "windows-1251", "windows-1252",
                                 kQuoted + kRussianProse},
                      MisreadRow{"Windows1251AsLatin1", "windows-1251", "iso-8859-1", kRussianProse},
                      MisreadRow{"UkrainianAsWindows1252", "windows-1251", "windows-1252", kUkrainianProse},
                      MisreadRow{"Koi8AsLatin1", "koi8-r", "iso-8859-1", kRussianProse},
                      MisreadRow{"Koi8AsWindows1252", "koi8-r", "windows-1252", kRussianProse},
                      MisreadRow{"Cp866AsLatin1", "ibm866", "iso-8859-1", kRussianProse}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(MendedEncoding, OnlyTheWrongPartOfATextChanges) {
  const std::string wrong = misread(kRussianProse, "windows-1251", "windows-1252");
  const Document document = mended(kFrenchProse + "\n\n" + wrong + "\n\n" + kFrenchProse);
  EXPECT_EQ(document.text, kFrenchProse + "\n\n" + kRussianProse + "\n\n" + kFrenchProse);
}

TEST(MendedEncoding, TheTitleAndTheAuthorsAreRestoredToo) {
  Document document;
  document.text = misread(kRussianProse, "windows-1251", "windows-1252");
  document.metadata.title = misread("Старая мельница", "windows-1251", "windows-1252");
  document.metadata.authors = {misread("Антон Чехов", "windows-1251", "windows-1252"), "Émile Zola"};
  mend_encoding(document);
  EXPECT_EQ(document.metadata.title, "Старая мельница");
  EXPECT_EQ(document.metadata.authors, (std::vector<std::string>{"Антон Чехов", "Émile Zola"}));
}

class Honest : public ::testing::TestWithParam<std::string> {};

TEST_P(Honest, TextIsLeftAlone) {
  const Document document = mended(GetParam());
  EXPECT_EQ(document.text, GetParam());
  EXPECT_TRUE(document.alerts.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Honest,
    ::testing::Values(
        kFrenchProse, kRussianProse,
        "Über die Brücke führen Wege; schöne Mädchen, größere Häuser, müde Füße und süße Äpfel überall.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy. Já vím, že to tak není, ale ó, jak krásné je být tu s vámi.",
        "Tôi ở đây, và ông ấy cũng ở đó; à, ừ, ô, ấy là ý ấy. Mọi người đều được tự do và bình đẳng về phẩm "
        "giá.",
        "á í ó ú ý æ ö é á ei, það er á. Áður en á ó æ é þá. Æ, æ, ó já, á í, þú átt að fá ís.",
        // Greek read as Latin is wrong too, but not Cyrillic.
        misread("Η ζωή είναι ωραία και ο ήλιος λάμπει πάνω από τη θάλασσα κάθε πρωί όταν οι ψαράδες γυρίζουν",
                "iso-8859-7", "iso-8859-1"),
        // So is Hebrew, whose letters would be capitals.
        misread(
            "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם כולם חוננו בתבונה ובמצפון לפיכך חובה עליהם "
            "לנהוג איש ברעהו ברוח של אחוה",
            "iso-8859-8", "iso-8859-1"),
        "An article on encodings quotes " +
            misread("Привет, мир, это кракозябры", "windows-1251", "windows-1252") +
            " and goes on in English for the rest of its page, as articles on encodings do: their readers "
            "want to "
            "know how such a text comes into being, and what a program has to do so that it never does "
            "again."));

TEST(ClaimedType, AnotherTypeThanTheContentIsReported) {
  Document document;
  document.type = "rtf";
  document.text = "text";
  check_claim(document, type_of_name("Essay.DOCX"), "Essay.DOCX");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts.front().kind, FileAlertKind::type_contradicted);
  EXPECT_EQ(document.alerts.front().sample, "Essay.DOCX");
  EXPECT_DOUBLE_EQ(document.alerts.front().share, 1);
}

TEST(ClaimedType, TheTypeOfTheContentOrNoneIsNotReported) {
  Document document;
  document.type = "rtf";
  document.text = "text";
  check_claim(document, type_of_name("a.rtf"), "a.rtf");
  check_claim(document, type_of_name("essay"), "essay");
  check_claim(document, type_of_media("text/rtf"), "text/rtf");
  // Word itself saves RTF under .doc, and servers then send it as application/msword.
  check_claim(document, type_of_name("a.doc"), "a.doc");
  check_claim(document, type_of_media("application/msword"), "application/msword");
  check_claim(document, type_of_media("application/octet-stream"), "application/octet-stream");
  EXPECT_TRUE(document.alerts.empty());
}

}  // namespace
}  // namespace akin::extract
