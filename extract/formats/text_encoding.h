// Encodings of plain text: which one bytes are probably written in, by uchardet, and their conversion to
// UTF-8 by ICU.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::extract {

/// U+FEFF in UTF-8, which begins some files.
inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

/// The encoding of every file without a byte order mark, unless another is named.
inline constexpr std::string_view kUtf8Name = "utf-8";
/// The encoding that guess_encoding finds for each file.
inline constexpr std::string_view kAutoName = "auto";

/// Error: invalid_argument (ICU does not know the encoding; "auto" is fine).
[[nodiscard]] Result<void> check_encoding(std::string_view name);

/// The encoding of bytes that are not plain UTF-8, in lower case: by their byte order mark, as UTF-16 without
/// one if one order of the bytes gives letters and blanks, else by uchardet's statistics over their
/// beginning, or as the encoding in which a few Russian words look like words. Nothing if none of these is
/// clear.
[[nodiscard]] std::optional<std::string> guess_encoding(std::string_view bytes);

/// The error of a text of more than Decoder::kMostBytes in another encoding: too_large.
[[nodiscard]] Error too_long_to_convert(const std::string& name);

/// What to do with a file that is not UTF-8, with its probable encoding: the remedy of an error.
[[nodiscard]] std::string encoding_remedy(std::string_view bytes);

/// The bytes of a file as a text in UTF-8 without a byte order mark. `encoding`: kUtf8Name, kAutoName, or a
/// name known to ICU; with kAutoName, a damaged byte among fifty characters or more of UTF-8 is U+FFFD; a
/// byte order mark decides before kUtf8Name and kAutoName, as in the Encoding standard. `name` is the file's
/// name in errors. Errors: unsupported (not_text; UTF-16 without a mark as kUtf8Name; no encoding was found),
/// invalid_utf8 (with the probable encoding as remedy), file_damaged (bytes that are invalid in the
/// encoding).
[[nodiscard]] Result<std::string> decode_text(std::string bytes, std::string_view encoding,
                                              const std::string& name);

}  // namespace akin::extract
