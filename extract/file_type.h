// Which files akin-extract reads, by their first bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin::extract {

enum class FileType : std::uint8_t {
  other,  ///< plain text, HTML, or what nobody reads
  pdf,
  djvu,
  zip,  ///< DOCX, ODT, EPUB, FB2 in ZIP, or another archive: its members decide
  rtf,
  fb2,
  archive,   ///< tar, 7z, or compressed by gzip, bzip2, xz or zstd
  picture,   ///< PNG, JPEG or TIFF, whose text can be recognized
  compound,  ///< the container of old Office files, and of encrypted new ones
};

/// Of a file that begins so; kTypeBytes suffice.
[[nodiscard]] FileType type_of(std::string_view begin) noexcept;
inline constexpr std::size_t kTypeBytes = 4096;

}  // namespace akin::extract
