#include "base/files.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <utility>

namespace akin {

namespace {

constexpr mode_t kFileMode = 0644;
constexpr mode_t kFolderMode = 0755;

Result<void> write_whole(const FileHandle& file, const std::filesystem::path& name,
                         std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(errno, name.string(), "write");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file.get()) != 0) return system_error(errno, name.string(), "write");
  return {};
}

// The door, the room and the workshop are bytes of the lock file.
constexpr off_t kDoor = 0;
constexpr off_t kRoom = 1;
constexpr off_t kWorkshop = 2;

/// Locks or unlocks one byte for this open file; false if another holds it.
Result<bool> set_lock(const FileHandle& file, const std::filesystem::path& name, off_t byte, short kind) {
  struct flock request = {};
  request.l_type = kind;
  request.l_whence = SEEK_SET;
  request.l_start = byte;
  request.l_len = 1;
  if (fcntl(file.get(), F_OFD_SETLK, &request) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  return system_error(errno, name.string(), "lock");
}

Result<bool> wait_for_lock(const FileHandle& file, const std::filesystem::path& name, off_t byte, short kind,
                           std::chrono::steady_clock::time_point deadline) {
  constexpr std::chrono::milliseconds kPause(1);
  for (;;) {
    AKIN_TRY(const bool locked, set_lock(file, name, byte, kind));
    if (locked) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
}

/// Whether the name still leads to the open file: a folder may be dropped and made anew while one waits.
bool is_at(const FileHandle& file, const std::filesystem::path& name) {
  struct stat open_file = {};
  struct stat named = {};
  return fstat(file.get(), &open_file) == 0 && stat(name.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

Error busy(const std::filesystem::path& file, std::string_view holder) {
  return Error{Errc::busy, file.parent_path().filename().string(), std::string(holder) + " is running",
               "repeat when it has ended"};
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

Result<std::string> read_small_file(const std::filesystem::path& file) {
  const FileHandle handle(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (handle.get() < 0) return system_error(errno, file.string(), "open");
  std::string content;
  std::array<char, 512> buffer{};
  for (;;) {
    const ssize_t got = read(handle.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno, file.string(), "read");
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Result<void> replace_file(const std::filesystem::path& file, std::string_view content) {
  std::filesystem::path temporary = file;
  temporary += ".tmp";
  {
    const FileHandle handle(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
    if (handle.get() < 0) return system_error(errno, temporary.string(), "make");
    AKIN_CHECK(write_whole(handle, temporary, content));
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
  if (fsync(handle.get()) != 0) return system_error(errno, folder.string(), "write to the disk");
  return {};
}

Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST)
      return Error{Errc::already_exists, to.string(), "there is something by this name", ""};
    return system_error(errno, from.string(), "rename");
  }
  return sync_folder(to.parent_path());
}

std::string random_token() {
  unsigned long long bits = 0;
  // For 8 bytes getrandom fails only before the system has any entropy, and then waits.
  while (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", bits);
  return digits;
}

Result<FolderLock> FolderLock::lock(const std::filesystem::path& file, short kind,
                                    std::chrono::milliseconds patience, std::string_view holder) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    FileHandle handle(open(file.c_str(), O_RDWR | O_CLOEXEC));
    if (handle.get() < 0) return system_error(errno, file.string(), "open");
    AKIN_TRY(const bool through_door, wait_for_lock(handle, file, kDoor, kind, deadline));
    if (!through_door) return busy(file, holder);
    AKIN_TRY(const bool in_room, wait_for_lock(handle, file, kRoom, kind, deadline));
    if (!in_room) return busy(file, holder);
    if (kind == F_RDLCK) AKIN_CHECK(set_lock(handle, file, kDoor, F_UNLCK));
    if (is_at(handle, file)) return FolderLock(std::move(handle));
  }
}

Result<FolderLock> FolderLock::shared(const std::filesystem::path& file, std::chrono::milliseconds patience,
                                      std::string_view holder) {
  return lock(file, F_RDLCK, patience, holder);
}

Result<FolderLock> FolderLock::exclusive(const std::filesystem::path& file,
                                         std::chrono::milliseconds patience, std::string_view holder) {
  return lock(file, F_WRLCK, patience, holder);
}

Result<FolderLock> FolderLock::workshop(const std::filesystem::path& file, std::chrono::milliseconds patience,
                                        std::string_view holder) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    FileHandle handle(open(file.c_str(), O_RDWR | O_CLOEXEC));
    if (handle.get() < 0) return system_error(errno, file.string(), "open");
    AKIN_TRY(const bool locked, wait_for_lock(handle, file, kWorkshop, F_WRLCK, deadline));
    if (!locked) return busy(file, holder);
    if (is_at(handle, file)) return FolderLock(std::move(handle));
  }
}

}  // namespace akin
