// The bytes of a file, decompressed if it is a bzip2 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/error.h"

namespace akin::ingest {

/// Reads a file or, for "-", standard input. Input that begins as bzip2 (extract::is_bzip2) is decompressed,
/// even if it consists of many streams one after another, as in MediaWiki's multistream dumps. One thread.
class ByteSource {
 public:
  /// Errors: not_found, io, invalid_argument (a folder).
  [[nodiscard]] static Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path);
  virtual ~ByteSource() = default;

  /// The next bytes, up to `room`; 0 at the end. Errors: io, corrupt (broken compression).
  [[nodiscard]] virtual Result<std::size_t> read(char* into, std::size_t room) = 0;
  /// Up to the first 1024 bytes; call it before read().
  [[nodiscard]] virtual Result<std::string_view> peek() = 0;
  /// The number of bytes read from the file itself.
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
};

}  // namespace akin::ingest
