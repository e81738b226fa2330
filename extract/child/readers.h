// The readers, one for each format. Each fills a builder; an error has no name in it yet. What each reads and
// leaves out is in docs/formats.md.
#pragma once

#include <string_view>

#include "base/error.h"
#include "extract/child/archive.h"
#include "extract/child/builder.h"
#include "extract/content.h"

namespace akin::extract {

/// The text of a file of any type that is read here, which its bytes decide. `most_text`: bytes of text.
/// Errors: the five of reading files; unsupported (a part of a DOCX).
[[nodiscard]] Result<Document> read_file(std::string_view bytes, std::uint64_t most_text);

/// The same, or the members of an archive.
[[nodiscard]] Result<Content> read_content(std::string_view bytes, std::uint64_t most_text);

/// Whether a ZIP archive is an Office Open XML text: its [Content_Types].xml lists such a main part, or the
/// main part that _rels/.rels names begins with the element `document`. A workbook's or a presentation's is
/// another.
[[nodiscard]] bool is_docx(const Archive& archive);
/// Office Open XML text (ECMA-376).
[[nodiscard]] Result<void> read_docx(const Archive& archive, DocumentBuilder& builder);
/// OpenDocument text (ISO/IEC 26300), also as one flat XML file.
[[nodiscard]] Result<void> read_odt(const Archive& archive, DocumentBuilder& builder);
/// EPUB 2 and 3.
[[nodiscard]] Result<void> read_epub(const Archive& archive, DocumentBuilder& builder);
/// FictionBook 2.
[[nodiscard]] Result<void> read_fb2(std::string_view bytes, DocumentBuilder& builder);
/// Any other XML: of TEI the text with its notes, otherwise the text of the elements.
[[nodiscard]] Result<void> read_other_xml(std::string_view bytes, DocumentBuilder& builder);
/// A page with what it shows, in one file (RFC 2557): the page.
[[nodiscard]] Result<void> read_mhtml(std::string_view bytes, DocumentBuilder& builder);
/// An e-mail (RFC 5322, MIME) or a mailbox of them: the plain text of each, or else its page. Error also:
/// file_encrypted.
[[nodiscard]] Result<void> read_mail(std::string_view bytes, DocumentBuilder& builder);
/// A page of HTML within another file. Errors: those of read_html.
[[nodiscard]] Result<void> read_page(std::string_view bytes, std::string_view undeclared,
                                     DocumentBuilder& builder);
/// The binary format of Word 97 to 2003 (MS-DOC), and nothing else that is in the same container.
[[nodiscard]] Result<void> read_doc(std::string_view bytes, DocumentBuilder& builder);
/// Rich Text Format 1.9.
[[nodiscard]] Result<void> read_rtf(std::string_view bytes, DocumentBuilder& builder);
/// DjVu, by djvulibre: the text layer. Starts a thread.
[[nodiscard]] Result<void> read_djvu(std::string_view bytes, DocumentBuilder& builder);
/// PDF, by poppler.
[[nodiscard]] Result<void> read_pdf(std::string_view bytes, DocumentBuilder& builder);
/// A picture (PNG, JPEG, TIFF) whose text Ocr::of_process() recognizes. Error also: type_unsupported, where
/// it does not.
[[nodiscard]] Result<void> read_picture(std::string_view bytes, DocumentBuilder& builder);
/// Loads what reads pictures. Call before close_sandbox.
void warm_up_pictures();
/// Opens a small PDF, so that poppler has read what it reads once. Call before close_sandbox.
void warm_up_pdf();

}  // namespace akin::extract
