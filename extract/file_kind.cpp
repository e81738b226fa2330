#include "extract/file_kind.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "extract/text_encoding.h"

namespace akin::extract {

namespace {

struct Kind {
  std::string_view begin;
  const char* what;
  const char* remedy;
};

constexpr const char* kOffice = "convert it to text first: soffice --headless --convert-to txt:Text FILE";
constexpr const char* kBook = "convert it to text first, for instance with ebook-convert or pandoc";
constexpr const char* kArchive =
    "send or name the files in it one by one, or store all of them: akin index ARCHIVE";
constexpr const char* kUnpack = "unpack it, and index the texts in it";
constexpr const char* kPicture =
    "install tesseract-ocr and its data of the picture's language, and do not switch ocr off";
constexpr const char* kOtherPicture = "convert it to PNG: its text can then be recognized";
constexpr const char* kNoText = "index texts";

constexpr std::array kKinds = {
    Kind{"%PDF-", "a PDF", "convert it to text first: pdftotext FILE.pdf - | akin index - --id ID"},
    Kind{"{\\rtf", "an RTF document", kOffice},
    Kind{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a document of an old Office program (DOC, XLS, PPT)", kOffice},
    Kind{"%!PS", "PostScript", "convert it to text first: ps2ascii FILE"},
    Kind{"AT&TFORM", "a DjVu document", "convert it to text first: djvutxt FILE"},
    Kind{"PK\x05\x06", "an empty ZIP archive", kArchive},
    Kind{"\x1F\x8B", "compressed by gzip", kArchive},
    Kind{"BZh", "compressed by bzip2", kArchive},
    Kind{"\xFD"
         "7zXZ",
         "compressed by xz", kArchive},
    Kind{"\x28\xB5\x2F\xFD", "compressed by zstd", kArchive},
    Kind{"7z\xBC\xAF\x27\x1C", "a 7-Zip archive", kArchive},
    Kind{"Rar!\x1A\x07", "a RAR archive", kUnpack},
    Kind{"\x89PNG\r\n\x1A\n", "a picture (PNG)", kPicture},
    Kind{"\xFF\xD8\xFF", "a picture (JPEG)", kPicture},
    Kind{"GIF87a", "a picture (GIF)", kOtherPicture},
    Kind{"GIF89a", "a picture (GIF)", kOtherPicture},
    Kind{std::string_view("II*\0", 4), "a picture (TIFF)", kPicture},
    Kind{std::string_view("MM\0*", 4), "a picture (TIFF)", kPicture},
    Kind{"\x7F"
         "ELF",
         "a program", kNoText},
    Kind{std::string_view("SQLite format 3\0", 16), "an SQLite database", kNoText},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What a ZIP file is by the names at its beginning.
Kind kind_of_zip(std::string_view begin) {
  if (contains(begin, "application/epub+zip")) return {"", "an e-book (EPUB)", kBook};
  if (contains(begin, "application/vnd.oasis.opendocument"))
    return {"", "an OpenDocument file (ODT)", kOffice};
  if (contains(begin, "word/")) return {"", "a Word document (DOCX)", kOffice};
  if (contains(begin, "[Content_Types].xml") || contains(begin, "_rels/"))
    return {"", "an Office document", kOffice};
  return {"", "a ZIP archive", kArchive};
}

std::optional<Kind> kind_of(std::string_view begin) {
  if (begin.starts_with("PK\x03\x04")) return kind_of_zip(begin);
  for (const Kind& kind : kKinds) {
    if (begin.starts_with(kind.begin)) return kind;
  }
  constexpr std::size_t kMobi = 60;
  if (begin.substr(std::min(kMobi, begin.size())).starts_with("BOOKMOBI"))
    return Kind{"", "an e-book (MOBI)", kBook};
  if (begin.starts_with(kUtf8Mark)) begin.remove_prefix(kUtf8Mark.size());
  if (trimmed(begin, " \t\r\n").starts_with('<') && contains(begin, "<FictionBook"))
    return Kind{"", "an e-book (FB2)", kBook};
  return std::nullopt;
}

/// Text has no zero bytes; a single one may be a mistake in a file, but not one in a hundred bytes.
bool has_zero_bytes(std::string_view begin) {
  const auto zeros = static_cast<std::size_t>(std::ranges::count(begin, '\0'));
  return zeros > 0 && zeros * 100 >= begin.size();
}

}  // namespace

std::optional<Error> not_text(std::string_view begin, const std::string& name) {
  begin = begin.substr(0, kKindBytes);
  if (const auto kind = kind_of(begin))
    return Error{Errc::type_unsupported, name, std::string("is not plain text but ") + kind->what,
                 kind->remedy};
  if (has_zero_bytes(begin)) {
    return Error{Errc::unsupported, name, "is not plain text: it has zero bytes",
                 "if it is UTF-16 or UTF-32, convert it: iconv -f UTF-16 -t UTF-8"};
  }
  return std::nullopt;
}

}  // namespace akin::extract
