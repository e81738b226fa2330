// Formats of files: how a file of each begins, under which names it is sent, and whether akin-extract reads
// it. All functions read one table (formats.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::extract {

/// Which reader of akin-extract a file is for.
enum class FileType : std::uint8_t {
  other,  ///< plain text, HTML, or what nobody reads
  pdf,
  djvu,
  zip,  ///< DOCX, ODT, EPUB, FB2 in ZIP, or another archive: its members decide
  rtf,
  fb2,
  mhtml,     ///< a web page in one file
  mail,      ///< an e-mail, or a mailbox
  xml,       ///< any other but XHTML and a dump of MediaWiki
  archive,   ///< tar, 7z, or compressed by gzip, bzip2, xz or zstd
  picture,   ///< PNG, JPEG or TIFF, whose text can be recognized
  compound,  ///< the container of old Office files, and of encrypted new ones
};

/// Bytes of a file that these functions look at.
inline constexpr std::size_t kFormatBytes = 4096;

/// Of a file that begins so.
[[nodiscard]] FileType type_of(std::string_view begin) noexcept;

/// Whether a file begins as bzip2 does: "BZh", a digit, and the mark of a block or of the end. Requires its
/// first kBzip2Bytes, if it has so many.
[[nodiscard]] bool is_bzip2(std::string_view begin) noexcept;
inline constexpr std::size_t kBzip2Bytes = 10;

/// Why a file cannot be read as plain text of a single-byte encoding or UTF-8: it begins as a PDF, an RTF
/// file, an office document, an e-book, an archive, a picture, a program, or has zero bytes as UTF-16 has or
/// control characters of many kinds, so that its markup is never indexed as text. Error: type_unsupported,
/// with what to convert it with; nothing for text.
[[nodiscard]] std::optional<Error> not_text(std::string_view begin, const std::string& name);

/// Whether a file begins as a page of HTML does, whatever its name is: Word saves pages as .doc, too.
[[nodiscard]] bool begins_as_page(std::string_view begin);

/// The Document::type that the end of a file's name stands for: "Essay.DOCX" → "docx". Empty if it stands for
/// none.
[[nodiscard]] std::string_view type_of_name(std::string_view name);

/// The same of a media type without parameters, in lower case: "application/pdf" → "pdf".
[[nodiscard]] std::string_view type_of_media(std::string_view media);

/// Whether clients send a file of some format under this media type: that of a format, or one for any file.
[[nodiscard]] bool is_media_of_files(std::string_view media);

/// The media type of a file with these bytes whose Document::type is known: "pdf" → "application/pdf".
/// application/octet-stream for one of a type that has none.
[[nodiscard]] std::string_view media_of_type(std::string_view type, std::string_view bytes);

}  // namespace akin::extract
