// The bytes of a file, decompressed where it is a bzip2 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/error.h"

namespace akin::ingest {

/// Reads a file or, for "-", standard input; what begins as bzip2 ("BZh") is decompressed, also where it is
/// many streams one after another, as in MediaWiki's multistream dumps. One thread.
class ByteSource {
 public:
  /// Errors: not_found, io, invalid_argument (a folder).
  [[nodiscard]] static Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path);
  virtual ~ByteSource() = default;

  /// The next bytes, up to `room`; 0 at the end. Errors: io, corrupt (broken compression).
  [[nodiscard]] virtual Result<std::size_t> read(char* into, std::size_t room) = 0;
  /// Up to the first 1024 bytes, before anything was read.
  [[nodiscard]] virtual Result<std::string_view> peek() = 0;
  /// Bytes of the file itself that were read.
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
};

}  // namespace akin::ingest
