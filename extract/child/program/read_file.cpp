#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/page/picture.h"
#include "extract/child/readers.h"
#include "extract/child/unpack.h"
#include "extract/formats/formats.h"

namespace akin::extract {

namespace {

Error unsupported_type(std::string reason) {
  return {Errc::type_unsupported, "file", std::move(reason),
          "akin reads PDF, DjVu, DOCX, DOC, ODT, EPUB, FB2, RTF, e-mail, XML, HTML and plain text, and "
          "pictures where "
          "tesseract is installed; convert it to one of them"};
}

/// What "altChunk" of a DOCX refers to, beside HTML and XML.
bool is_docx_chunk(std::string_view lower) {
  constexpr std::array<std::string_view, 5> kEnds = {".rtf", ".docx", ".mht", ".mhtml", ".txt"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return lower.ends_with(end); });
}

/// What a document in a ZIP archive may consist of; fonts are not unpacked, nor pictures that are not
/// recognized.
bool is_text_member(std::string_view name) {
  const std::string lower = ascii_lower(name);
  const auto ends = [&](std::string_view end) { return lower.ends_with(end); };
  return lower == "mimetype" || ends(".xml") || ends(".rels") || ends(".opf") || ends(".ncx") ||
         ends(".css") || ends("html") || ends(".htm") || ends(".xht") || ends(".svg") || ends(".fb2") ||
         is_docx_chunk(lower) || is_recognized_member(lower);
}

using Read = Result<void> (*)(const Archive&, DocumentBuilder&);

Result<Document> read_with(const char* type, Read read, const Archive& archive, std::uint64_t most_text) {
  DocumentBuilder builder(type, most_text);
  AKIN_CHECK(read(archive, builder));
  return std::move(builder).take("file");
}

Result<Document> read_with(const char* type, Result<void> (*read)(std::string_view, DocumentBuilder&),
                           std::string_view bytes, std::uint64_t most_text) {
  DocumentBuilder builder(type, most_text);
  AKIN_CHECK(read(bytes, builder));
  return std::move(builder).take("file");
}

Result<std::optional<Document>> some(Result<Document> document) {
  if (document.has_error()) return document.error();
  return std::optional(*std::move(document));
}

/// Nothing if it is an archive of other files. A book beside other files, such as its cover, is read unless
/// `alone`.
Result<std::optional<Document>> read_zip(const Archive& archive, std::uint64_t most_text, bool alone) {
  const std::string* mimetype = archive.find("mimetype");
  const std::string_view mime = mimetype == nullptr ? std::string_view() : trimmed(*mimetype);
  if (mime.starts_with("application/vnd.oasis.opendocument.text"))
    return some(read_with("odt", read_odt, archive, most_text));
  if (mime == "application/epub+zip" || archive.find("META-INF/container.xml") != nullptr)
    return some(read_with("epub", read_epub, archive, most_text));
  if (is_docx(archive)) return some(read_with("docx", read_docx, archive, most_text));
  const auto& members = archive.members();
  const auto book = std::ranges::find_if(
      members, [](const auto& member) { return ascii_lower(member.first).ends_with(".fb2"); });
  if (book != members.end() && members.size() == 1 && (archive.files() == 1 || !alone))
    return some(read_with("fb2", read_fb2, book->second, most_text));
  if (!mime.empty() || archive.find("[Content_Types].xml") != nullptr)
    return unsupported_type("is a document in a ZIP archive, but not a DOCX, ODT, EPUB or one FB2");
  return std::optional<Document>();
}

/// Whether what is left of a damaged ZIP are files of their own, not parts of a document.
bool holds_files(const Unpacked& unpacked) {
  constexpr std::array<std::string_view, 6> kParts = {"mimetype",  "META-INF/",           "_rels/",
                                                      "docProps/", "[Content_Types].xml", "word/"};
  const auto is_part = [&](const Member& member) {
    return std::ranges::any_of(kParts, [&](std::string_view part) { return member.name.starts_with(part); });
  };
  const auto is_whole = [](const Member& member) { return !member.error; };
  return std::ranges::none_of(unpacked.members, is_part) && std::ranges::any_of(unpacked.members, is_whole);
}

}  // namespace

Result<Document> read_file(std::string_view bytes, std::uint64_t most_text) {
  switch (type_of(bytes)) {
    case FileType::pdf:
      return read_with("pdf", read_pdf, bytes, most_text);
    case FileType::zip: {
      AKIN_TRY(const Archive archive, Archive::read(bytes, is_text_member));
      AKIN_TRY(std::optional<Document> document, read_zip(archive, most_text, false));
      if (document) return *std::move(document);
      return unsupported_type("is a ZIP archive, but not a DOCX, ODT, EPUB or one FB2");
    }
    case FileType::djvu:
      return read_with("djvu", read_djvu, bytes, most_text);
    case FileType::rtf:
      return read_with("rtf", read_rtf, bytes, most_text);
    case FileType::fb2:
      return read_with("fb2", read_fb2, bytes, most_text);
    case FileType::xml:
      return read_with("xml", read_other_xml, bytes, most_text);
    case FileType::mhtml:
      return read_with("mhtml", read_mhtml, bytes, most_text);
    case FileType::mail:
      return read_with("mail", read_mail, bytes, most_text);
    case FileType::compound:
      return read_with("doc", read_doc, bytes, most_text);
    case FileType::picture:
      return read_with("picture", read_picture, bytes, most_text);
    case FileType::archive:
      return unsupported_type("is an archive");
    case FileType::other:
      break;
  }
  return unsupported_type("has a type that akin-extract does not read");
}

Result<Content> read_content(std::string_view bytes, std::uint64_t most_text) {
  const FileType type = type_of(bytes);
  if (type == FileType::zip) {
    const Result<Archive> archive = Archive::read(bytes, is_text_member);
    if (archive.has_value()) {
      AKIN_TRY(std::optional<Document> document, read_zip(*archive, most_text, true));
      if (document) return Content(*std::move(document));
    } else if (archive.error().code != Errc::file_encrypted) {  // an error of each of its members
      if (archive.error().code != Errc::file_damaged) return archive.error();
      Result<Unpacked> unpacked = unpack(bytes);
      if (unpacked.has_error() || !holds_files(*unpacked)) return archive.error();
      return Content(*std::move(unpacked));
    }
  }
  if (type == FileType::zip || type == FileType::archive) {
    AKIN_TRY(Unpacked unpacked, unpack(bytes));
    return Content(std::move(unpacked));
  }
  AKIN_TRY(Document document, read_file(bytes, most_text));
  return Content(std::move(document));
}

}  // namespace akin::extract
