// The members of archives: ZIP, tar (also compressed by gzip, bzip2, xz or zstd) and 7z. Read by libarchive.
#pragma once

#include <string_view>

#include "base/error.h"
#include "extract/content.h"

namespace akin::extract {

/// Errors: file_damaged (nothing can be unpacked); file_encrypted (its table of contents);
/// file_too_large (more than kMostMembers entries, or kMostUnpacked bytes of names and contents);
/// type_unsupported (compressed, and not an archive).
[[nodiscard]] Result<Unpacked> unpack(std::string_view bytes);

}  // namespace akin::extract
