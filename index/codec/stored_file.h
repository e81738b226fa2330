// Files that documents were read from, as collections keep them that store files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/sha256.h"

namespace akin {

/// The largest file that is kept, in bytes. (A database cannot return a value of more than a quarter of this
/// more often than it must: bytea in text form takes two bytes for each, and at most 1 GiB.)
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{256} << 20U;

/// A file to be kept. Views must live through the call.
struct FileView {
  std::string_view name;        ///< without folders; UTF-8, at most kMaxFileNameBytes; may be empty
  std::string_view media_type;  ///< "application/pdf"; at most kMaxFileNameBytes
  std::string_view bytes;       ///< never empty
};

struct StoredFile {
  std::string name, media_type, bytes;
  [[nodiscard]] FileView view() const noexcept { return {name, media_type, bytes}; }
  friend bool operator==(const StoredFile&, const StoredFile&) = default;
};

inline constexpr std::size_t kMaxFileNameBytes = 1000;

/// Nothing for an empty file: it has no text, so no document comes from it.
[[nodiscard]] inline std::optional<FileView> view_if_any(const StoredFile& file) noexcept {
  return file.bytes.empty() ? std::nullopt : std::optional(file.view());
}

/// As a store keeps it: name and media type, each counted; 0 and the bytes as they are, or 1 and one zstd
/// frame of them, whichever is shorter. Errors: too_large (kMaxFileBytes; the name), internal (the library
/// refuses).
[[nodiscard]] Result<std::string> encode_file(const FileView& file);

/// The file of such bytes. Error: corrupt, naming `where`, if it does not have this length and this digest.
[[nodiscard]] Result<StoredFile> decode_file(std::string_view stored, std::uint64_t file_bytes,
                                             const Sha256& sha256, const std::string& where);

}  // namespace akin
