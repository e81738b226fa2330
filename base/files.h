// Files: read whole, and changed so that the change survives a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// Owns a file descriptor. Move-only.
class FileHandle {
 public:
  explicit FileHandle(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle();
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// Whether the name leads to this open file or folder: it may have been removed and made again meanwhile.
[[nodiscard]] bool is_still_at(const FileHandle& file, const std::filesystem::path& name) noexcept;

/// Writes all bytes where the file is. Errors about `what`: disk_full, io.
[[nodiscard]] Result<void> write_all(const FileHandle& file, std::string_view bytes, const std::string& what);
/// Fills `bytes` with what the file has from `at` on, and returns how many there are: fewer at its end. Error
/// about `what`: io.
[[nodiscard]] Result<std::size_t> read_at(int file, std::uint64_t at, std::span<char> bytes,
                                          const std::string& what);

/// Takes bytes, one piece after another.
using ByteSink = std::function<Result<void>(std::string_view bytes)>;

/// Gives a file's bytes. Errors: not_found, io, those of `take`.
[[nodiscard]] Result<void> read_file(const std::filesystem::path& file, const ByteSink& take);

/// The same for a file that somebody else made: errors also invalid_argument (a link, a device, a pipe or
/// anything else that is not a regular file) and too_large (over `most` bytes; nothing beyond them is read).
[[nodiscard]] Result<void> read_foreign_file(const std::filesystem::path& file, std::uint64_t most,
                                             const ByteSink& take);

/// A file's bytes. Errors: not_found, io, too_large (over `most` bytes).
[[nodiscard]] Result<std::string> read_whole_file(const std::filesystem::path& file,
                                                  std::uint64_t most = ~std::uint64_t{0});

/// Replaces a file by one rename: a reader sees the old content or the new, after a crash too.
/// Durable when it returns. Uses FILE.tmp next to it.
[[nodiscard]] Result<void> replace_file(const std::filesystem::path& file, std::string_view content);

/// Makes one folder, whose parent exists; an existing one is fine. Durable.
[[nodiscard]] Result<void> make_folder(const std::filesystem::path& folder);

/// Brings the entries of a folder (names made, renamed and removed in it) to the disk.
[[nodiscard]] Result<void> sync_folder(const std::filesystem::path& folder);

/// Renames within one file system, and syncs the parent of the new name. Error: already_exists if there is
/// something.
[[nodiscard]] Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to);

/// 16 random hex digits.
[[nodiscard]] std::string random_token();

}  // namespace akin
