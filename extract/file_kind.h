// Recognizes files that are not plain text by their first bytes, so that their markup is never indexed as
// text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::extract {

/// Bytes of a file that not_text looks at.
inline constexpr std::size_t kKindBytes = 4096;

/// Why a file cannot be read as plain text of a single-byte encoding or UTF-8: it begins as a PDF, an RTF
/// file, an office document, an e-book, an archive, a picture, a program, or has zero bytes as UTF-16 has.
/// `begin`: its first kKindBytes or more. Error: type_unsupported, with what to convert it with, or
/// unsupported (zero bytes); nothing for text.
[[nodiscard]] std::optional<Error> not_text(std::string_view begin, const std::string& name);

}  // namespace akin::extract
