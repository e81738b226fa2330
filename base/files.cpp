#include "base/files.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "base/waiting.h"

namespace akin {

namespace {

constexpr mode_t kFileMode = 0644;
constexpr mode_t kFolderMode = 0755;

Result<void> read_all(const FileHandle& handle, const std::filesystem::path& file, const ByteSink& take) {
  constexpr std::size_t kLeastBlock = std::size_t{1} << 10;
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  struct stat status = {};
  const bool is_short = fstat(handle.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                        status.st_size < static_cast<off_t>(kLeastBlock);
  std::vector<char> block(is_short ? kLeastBlock : kBlock);
  for (;;) {
    const ssize_t got = read(handle.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno, file.string(), "read");
    if (got == 0) return {};
    AKIN_CHECK(take({block.data(), static_cast<std::size_t>(got)}));
  }
}

}  // namespace

FileHandle::FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool is_still_at(const FileHandle& file, const std::filesystem::path& name) noexcept {
  struct stat open_file = {};
  struct stat named = {};
  return fstat(file.get(), &open_file) == 0 && stat(name.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

Result<void> write_all(const FileHandle& file, std::string_view bytes, const std::string& what) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(errno, what, "write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::size_t> read_at(int file, std::uint64_t at, std::span<char> bytes, const std::string& what) {
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t more = pread(file, bytes.data() + got, bytes.size() - got, static_cast<off_t>(at + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return system_error(errno, what, "read");
    if (more == 0) break;
    got += static_cast<std::size_t>(more);
  }
  return got;
}

Result<void> read_file(const std::filesystem::path& file, const ByteSink& take) {
  const FileHandle handle(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (handle.get() < 0) return system_error(errno, file.string(), "open");
  return read_all(handle, file, take);
}

Result<void> read_foreign_file(const std::filesystem::path& file, std::uint64_t most, const ByteSink& take) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  const FileHandle handle(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status = {};
  if (handle.get() < 0 && errno != ELOOP) return system_error(errno, file.string(), "open");
  if (handle.get() < 0 || fstat(handle.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{Errc::invalid_argument, file.string(), "it is not a regular file",
                 "put the file itself there, not a link or a device"};
  }
  std::uint64_t taken = 0;
  return read_all(handle, file, [&](std::string_view bytes) -> Result<void> {
    taken += bytes.size();
    if (taken <= most) return take(bytes);
    return Error{Errc::too_large, file.string(), "it has more than " + std::to_string(most) + " bytes", ""};
  });
}

Result<std::string> read_whole_file(const std::filesystem::path& file, std::uint64_t most) {
  std::string content;
  AKIN_CHECK(read_file(file, [&](std::string_view bytes) -> Result<void> {
    content += bytes;
    if (content.size() <= most) return {};
    return Error{Errc::too_large, file.string(), "it has more than " + std::to_string(most >> 20U) + " MiB",
                 ""};
  }));
  return content;
}

Result<void> replace_file(const std::filesystem::path& file, std::string_view content) {
  std::filesystem::path temporary = file;
  temporary += ".tmp";
  {
    const FileHandle handle(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
    if (handle.get() < 0) return system_error(errno, temporary.string(), "make");
    AKIN_CHECK(write_all(handle, content, temporary.string()));
    const Waiting waiting;
    if (fsync(handle.get()) != 0) return system_error(errno, temporary.string(), "write");
  }
  if (rename(temporary.c_str(), file.c_str()) != 0) return system_error(errno, file.string(), "replace");
  return sync_folder(file.parent_path());
}

Result<void> make_folder(const std::filesystem::path& folder) {
  if (mkdir(folder.c_str(), kFolderMode) != 0) {
    const int code = errno;
    struct stat there = {};
    if (code == EEXIST && stat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) return {};
    return system_error(code == EEXIST ? ENOTDIR : code, folder.string(), "make the folder");
  }
  const std::filesystem::path parent = folder.parent_path();
  return sync_folder(parent.empty() ? std::filesystem::path(".") : parent);
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const FileHandle handle(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.get() < 0) return system_error(errno, folder.string(), "open");
  const Waiting waiting;
  if (fsync(handle.get()) != 0) return system_error(errno, folder.string(), "write to the disk");
  return {};
}

Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST)
      return Error{Errc::already_exists, to.string(), "a file or folder with this name exists", ""};
    return system_error(errno, from.string(), "rename");
  }
  return sync_folder(to.parent_path());
}

std::string random_token() {
  std::uint64_t bits = 0;
  // For 8 bytes getrandom fails only before the system has any entropy, and then waits.
  while (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
  }
  return hex16(bits);
}

}  // namespace akin
