#include "extract/formats/formats.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "extract/formats/mail_header.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

namespace {

/// One way in which files of a format begin. A format with several has a row for each.
struct Format {
  std::string_view mark;       ///< at the beginning; of markup after a byte order mark and blanks
  std::string_view also = {};  ///< at the place also_at; or, if that is 0, words that are all in kFormatBytes
  std::size_t also_at = 0;
  std::string_view but = {};  ///< words, separated by blanks, none of which is in kFormatBytes
  FileType reader = FileType::other;
  const char* what = "";           ///< "is not plain text but …"
  const char* remedy = "";         ///< of who cannot have it read
  std::string_view type = {};      ///< Document::type
  std::string_view media = {};     ///< media types, separated by blanks, the registered one first
  std::string_view suffixes = {};  ///< ends of names, separated by blanks
};

constexpr const char* kOffice = "convert it to text first: soffice --headless --convert-to txt:Text FILE";
constexpr const char* kPrinted = "save it as PDF: soffice --headless --convert-to pdf FILE";
constexpr const char* kBook = "convert it to text first, for instance with ebook-convert or pandoc";
constexpr const char* kArchive =
    "send or name the files in it one by one, or store all of them: akin index ARCHIVE";
constexpr const char* kUnpack = "unpack it, and index the texts in it";
constexpr const char* kPicture =
    "install tesseract-ocr and its data of the picture's language, and do not switch ocr off";
constexpr const char* kOtherPicture = "convert it to PNG: its text can then be recognized";
constexpr const char* kNoText = "index texts";
constexpr const char* kNews = "news (NewsML-G2)";
constexpr const char* kNoNews = "take the text out of contentSet first, for instance with xsltproc";

constexpr std::string_view kPdf = "%PDF-", kZip = "PK\x03\x04", kBzip2 = "BZh", kXml = "<?xml";

// The first row that a file fits decides, so a ZIP archive of anything is the last of those with its mark.
constexpr std::array kFormats = {
    Format{.mark = kPdf,
           .reader = FileType::pdf,
           .what = "a PDF",
           .remedy = "convert it to text first: pdftotext FILE.pdf - | akin index - --id ID",
           .type = "pdf",
           .media = "application/pdf",
           .suffixes = ".pdf"},
    Format{.mark = "AT&TFORM",
           .reader = FileType::djvu,
           .what = "a DjVu document",
           .remedy = "convert it to text first: djvutxt FILE",
           .type = "djvu",
           .media = "image/vnd.djvu image/x-djvu",
           .suffixes = ".djvu .djv"},
    Format{.mark = kZip,
           .also = "application/epub+zip",
           .reader = FileType::zip,
           .what = "an e-book (EPUB)",
           .remedy = kBook,
           .type = "epub",
           .media = "application/epub+zip",
           .suffixes = ".epub"},
    Format{.mark = kZip,
           .also = "application/vnd.oasis.opendocument.presentation",
           .reader = FileType::zip,
           .what = "a presentation (ODP)",
           .remedy = kPrinted},
    Format{.mark = kZip,
           .also = "application/vnd.oasis.opendocument.spreadsheet",
           .reader = FileType::zip,
           .what = "a spreadsheet (ODS)",
           .remedy = kPrinted},
    Format{.mark = kZip,
           .also = "application/vnd.oasis.opendocument",
           .reader = FileType::zip,
           .what = "an OpenDocument file (ODT)",
           .remedy = kOffice,
           .type = "odt",
           .media = "application/vnd.oasis.opendocument.text",
           .suffixes = ".odt"},
    Format{.mark = kZip,
           .also = "ppt/ _rels/",
           .but = "word/",
           .reader = FileType::zip,
           .what = "a presentation (PPTX)",
           .remedy = kPrinted},
    Format{.mark = kZip,
           .also = "xl/ _rels/",
           .but = "word/",
           .reader = FileType::zip,
           .what = "a spreadsheet (XLSX)",
           .remedy = kPrinted},
    Format{.mark = kZip,
           .also = "word/",
           .reader = FileType::zip,
           .what = "a Word document (DOCX)",
           .remedy = kOffice,
           .type = "docx",
           .media = "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
           .suffixes = ".docx"},
    Format{.mark = kZip,
           .also = "[Content_Types].xml",
           .reader = FileType::zip,
           .what = "an Office document",
           .remedy = kPrinted},
    Format{.mark = kZip,
           .also = "_rels/",
           .reader = FileType::zip,
           .what = "an Office document",
           .remedy = kPrinted},
    Format{.mark = kZip, .reader = FileType::zip, .what = "a ZIP archive", .remedy = kArchive},
    Format{.mark = "PK\x05\x06", .reader = FileType::zip, .what = "an empty ZIP archive", .remedy = kArchive},
    Format{.mark = "\x1F\x8B", .reader = FileType::archive, .what = "compressed by gzip", .remedy = kArchive},
    Format{.mark = kBzip2,
           .also = "1AY&SY",  // of a block: the digits of pi
           .also_at = 4,
           .reader = FileType::archive,
           .what = "compressed by bzip2",
           .remedy = kArchive},
    Format{.mark = kBzip2,
           .also = "\x17rE8P\x90",  // of the end: the digits of its square root
           .also_at = 4,
           .reader = FileType::archive,
           .what = "compressed by bzip2",
           .remedy = kArchive},
    Format{.mark = "\xFD"
                   "7zXZ",
           .reader = FileType::archive,
           .what = "compressed by xz",
           .remedy = kArchive},
    Format{.mark = "\x28\xB5\x2F\xFD",
           .reader = FileType::archive,
           .what = "compressed by zstd",
           .remedy = kArchive},
    Format{.mark = "7z\xBC\xAF\x27\x1C",
           .reader = FileType::archive,
           .what = "a 7-Zip archive",
           .remedy = kArchive},
    Format{.mark = "",
           .also = "ustar",  // POSIX.1-2001, "ustar Interchange Format"
           .also_at = 257,
           .reader = FileType::archive,
           .what = "an archive (tar)",
           .remedy = kArchive},
    Format{.mark = "Rar!\x1A\x07", .what = "a RAR archive", .remedy = kUnpack},
    Format{.mark = "\x89PNG\r\n\x1A\n",
           .reader = FileType::picture,
           .what = "a picture (PNG)",
           .remedy = kPicture,
           .type = "picture",
           .media = "image/png",
           .suffixes = ".png"},
    Format{.mark = "\xFF\xD8\xFF",
           .reader = FileType::picture,
           .what = "a picture (JPEG)",
           .remedy = kPicture,
           .type = "picture",
           .media = "image/jpeg",
           .suffixes = ".jpg .jpeg"},
    Format{.mark = std::string_view("II*\0", 4),
           .reader = FileType::picture,
           .what = "a picture (TIFF)",
           .remedy = kPicture,
           .type = "picture",
           .media = "image/tiff",
           .suffixes = ".tif .tiff"},
    Format{.mark = std::string_view("MM\0*", 4),
           .reader = FileType::picture,
           .what = "a picture (TIFF)",
           .remedy = kPicture,
           .type = "picture",
           .media = "image/tiff"},
    Format{.mark = "GIF87a", .what = "a picture (GIF)", .remedy = kOtherPicture},
    Format{.mark = "GIF89a", .what = "a picture (GIF)", .remedy = kOtherPicture},
    Format{.mark = "{\\rtf",
           .reader = FileType::rtf,
           .what = "an RTF document",
           .remedy = kOffice,
           .type = "rtf",
           .media = "application/rtf text/rtf",
           .suffixes = ".rtf"},
    Format{.mark = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
           .reader = FileType::compound,
           .what = "a document of an old Office program (DOC, XLS, PPT)",
           .remedy = kOffice,
           .type = "doc",
           .media = "application/msword",
           .suffixes = ".doc"},
    Format{
        .mark = "<",
        .also = "<FictionBook",
        .reader = FileType::fb2,
        .what = "an e-book (FB2)",
        .remedy = kBook,
        .type = "fb2",
        .media = "application/x-fictionbook+xml application/x-fictionbook application/x-zip-compressed-fb2",
        .suffixes = ".fb2"},
    Format{.mark = kXml, .also = "<newsItem", .reader = FileType::xml, .what = kNews, .remedy = kNoNews},
    Format{.mark = kXml, .also = "<newsMessage", .reader = FileType::xml, .what = kNews, .remedy = kNoNews},
    Format{.mark = kXml,
           .but = "<html <mediawiki",
           .reader = FileType::xml,
           .what = "XML",
           .remedy = "convert it to text first, for instance with pandoc or xsltproc",
           .type = "xml",
           .media = "application/xml text/xml application/tei+xml",
           .suffixes = ".xml"},
    Format{.mark = "MIME-Version:",
           .also = "multipart/related",
           .but = "Message-ID: Message-Id: Received:",  // an e-mail with pictures
           .reader = FileType::mhtml,
           .what = "a web page in one file (MHTML)",
           .remedy = "open it in a browser, and save it as HTML",
           .type = "mhtml",
           .media = "multipart/related application/x-mimearchive",
           .suffixes = ".mht .mhtml"},
    Format{.mark = "From: <Saved by ",
           .also = "multipart/related",
           .reader = FileType::mhtml,
           .what = "a web page in one file (MHTML)",
           .remedy = "open it in a browser, and save it as HTML",
           .type = "mhtml"},
    Format{.mark = "%!PS", .what = "PostScript", .remedy = "convert it to text first: ps2ascii FILE"},
    Format{.mark = std::string_view("\xDB\xA5-\0", 4), .what = "a document of Word 2", .remedy = kOffice},
    Format{.mark = "", .also = "BOOKMOBI", .also_at = 60, .what = "an e-book (MOBI)", .remedy = kBook},
    Format{.mark = "\x7F"
                   "ELF",
           .what = "a program",
           .remedy = kNoText},
    Format{
        .mark = std::string_view("SQLite format 3\0", 16), .what = "an SQLite database", .remedy = kNoText},
    // Any bytes may be these, so only names distinguish them.
    Format{.mark = "",
           .type = "html",
           .media = "text/html application/xhtml+xml",
           .suffixes = ".html .htm .xhtml"},
    Format{.mark = "", .type = "mail", .media = "message/rfc822 application/mbox", .suffixes = ".eml .mbox"},
    Format{.mark = "", .type = "text", .suffixes = ".txt"},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Calls see(word) for the words between blanks until it returns true; whether it did.
template <class See>
bool any_word(std::string_view words, See see) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (see(word)) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

/// After a byte order mark and blanks.
std::string_view markup_of(std::string_view begin) {
  if (begin.starts_with(kUtf8Mark)) begin.remove_prefix(kUtf8Mark.size());
  return trimmed(begin, " \t\r\n");
}

bool fits(const Format& format, std::string_view begin) {
  if (format.mark.empty() && format.also.empty()) return false;
  if (!(format.mark.starts_with('<') ? markup_of(begin) : begin).starts_with(format.mark)) return false;
  if (any_word(format.but, [&](std::string_view word) { return contains(begin, word); })) return false;
  if (format.also_at == 0)
    return !any_word(format.also, [&](std::string_view word) { return !contains(begin, word); });
  return begin.size() > format.also_at && begin.substr(format.also_at).starts_with(format.also);
}

/// Nothing for text.
const Format* format_of(std::string_view begin) {
  begin = begin.substr(0, kFormatBytes);
  const auto* const format =
      std::ranges::find_if(kFormats, [&](const Format& one) { return fits(one, begin); });
  return format == kFormats.end() ? nullptr : format;
}

/// The Document::type of the first format of which see(word) is true for one of its names.
template <class See>
std::string_view type_with(std::string_view Format::*names, See see) {
  const auto* const format =
      std::ranges::find_if(kFormats, [&](const Format& one) { return any_word(one.*names, see); });
  return format == kFormats.end() ? std::string_view() : format->type;
}

/// Text has no zero bytes; a single one may be a mistake in a file, but not one in a hundred bytes.
bool has_zero_bytes(std::string_view begin) {
  const auto zeros = static_cast<std::size_t>(std::ranges::count(begin, '\0'));
  return zeros > 0 && zeros * 100 >= begin.size();
}

/// Text has line breaks and tabs, at times a form feed, and of the other control characters those of its
/// encoding or of one purpose; bytes at random have nearly all of them, one in ten bytes.
bool has_controls_of_data(std::string_view begin) {
  constexpr std::size_t kKinds = 8, kOneIn = 50;
  std::array<bool, 0x20> seen{};
  std::size_t count = 0;
  for (const char c : begin) {
    const auto byte = static_cast<unsigned char>(c);
    // Backspace to carriage return; the end of a text of DOS, and what begins a sequence of ISO 2022.
    if (byte >= 0x20 || (byte >= 0x08 && byte <= 0x0D) || byte == 0x1A || byte == 0x1B) continue;
    seen[byte] = true;
    ++count;
  }
  return static_cast<std::size_t>(std::ranges::count(seen, true)) >= kKinds && count * kOneIn >= begin.size();
}

}  // namespace

FileType type_of(std::string_view begin) noexcept {
  const Format* const format = format_of(begin);
  if (format != nullptr && format->reader != FileType::other) return format->reader;
  // Readers of PDF accept its mark anywhere in the first 1024 bytes; text may quote it, and an archive begin
  // with a PDF.
  constexpr std::size_t kMostBeforePdf = 1024;
  if (format == nullptr && begins_as_mail(begin)) return FileType::mail;
  const bool late = contains(begin.substr(0, kMostBeforePdf), kPdf);
  return late && contains(begin.substr(0, kFormatBytes), "obj") ? FileType::pdf : FileType::other;
}

bool is_bzip2(std::string_view begin) noexcept {
  const Format* const format = format_of(begin.substr(0, kBzip2Bytes));
  return format != nullptr && format->mark == kBzip2;
}

std::optional<Error> not_text(std::string_view begin, const std::string& name) {
  if (const Format* const format = format_of(begin); format != nullptr)
    return Error{Errc::type_unsupported, name, std::string("is not plain text but ") + format->what,
                 format->remedy};
  if (has_zero_bytes(begin.substr(0, kFormatBytes))) {
    return Error{Errc::type_unsupported, name, "is not plain text: it has zero bytes",
                 "if it is UTF-16 or UTF-32, convert it: iconv -f UTF-16 -t UTF-8"};
  }
  if (has_controls_of_data(begin.substr(0, kFormatBytes))) {
    return Error{Errc::type_unsupported, name, "is not plain text: it has control characters of many kinds",
                 "save it as PDF or as text with the program that it belongs to"};
  }
  return std::nullopt;
}

bool begins_as_page(std::string_view begin) {
  const std::string lower = ascii_lower(markup_of(begin.substr(0, kFormatBytes)));
  const auto begins = [&](std::string_view mark) { return lower.starts_with(mark); };
  return begins("<!doctype html") || begins("<html") ||
         ((begins("<!--") || begins(kXml)) && contains(lower, "<html"));
}

std::string_view type_of_name(std::string_view name) {
  const std::string lower = ascii_lower(name);
  return type_with(&Format::suffixes, [&](std::string_view suffix) { return lower.ends_with(suffix); });
}

std::string_view type_of_media(std::string_view media) {
  return type_with(&Format::media, [&](std::string_view one) { return one == media; });
}

bool is_media_of_files(std::string_view media) {
  return media == "application/octet-stream" || media == "application/zip" || !type_of_media(media).empty();
}

std::string_view media_of_type(std::string_view type, std::string_view bytes) {
  if (type == "text" || type == "mediawiki") return "text/plain";
  if (type == "fb2" && bytes.starts_with("PK")) return "application/x-zip-compressed-fb2";
  const auto has_type = [&](const Format& one) { return one.type == type; };
  const auto* format =
      std::ranges::find_if(kFormats, [&](const Format& one) { return has_type(one) && fits(one, bytes); });
  if (format == kFormats.end()) format = std::ranges::find_if(kFormats, has_type);
  if (format == kFormats.end()) return "application/octet-stream";
  return format->media.substr(0, format->media.find(' '));
}

}  // namespace akin::extract
