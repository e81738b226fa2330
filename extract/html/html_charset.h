// Finds the encoding of a page, and converts its text to UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

/// The encoding that a page declares: by a byte order mark, an XML declaration, or a meta element among the
/// first 4096 bytes ("prescan" of the HTML standard, section 13.2.3.2, which reads 1024). As there,
/// iso-8859-1 and ascii mean windows-1252, and utf-16 in a meta element means utf-8.
[[nodiscard]] std::optional<std::string> declared_charset(std::string_view bytes);

/// A page's bytes as well-formed UTF-8, without byte order mark. Without a declaration they are in
/// `undeclared` (text_encoding.h): kUtf8Name, kAutoName, or a name. Bytes that are invalid in the encoding
/// become U+FFFD as in browsers, up to one in a hundred characters. If the declared encoding is unknown, or
/// not that of the page, the page is in UTF-8, or else, with kAutoName, in the encoding that its bytes show.
/// Errors: invalid_utf8 (no declaration, and not UTF-8), unsupported (an unknown encoding), file_damaged
/// (more bytes are invalid: the declaration is wrong).
[[nodiscard]] Result<std::string> to_utf8(std::string_view bytes, const std::string& name,
                                          std::string_view undeclared = kUtf8Name);

}  // namespace akin::extract
