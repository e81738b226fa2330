#include "base/file_lock.h"

#include <fcntl.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/waiting.h"

namespace akin {

namespace {

// Bytes of the lock file (docs/index-format.md).
constexpr off_t kGateByte = 0;
constexpr off_t kLockByte = 1;
constexpr off_t kMaintenanceByte = 2;

constexpr mode_t kLockFileMode = 0644;

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
  Result<bool> locked = false;
  const auto patience =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  const Waited waited = wait_for(patience, [&] {
    locked = set_lock(file, name, byte, kind);
    return locked.has_error() || *locked;
  });
  if (waited == Waited::stopped) return stopped_work();
  return locked;
}

Error busy(const std::filesystem::path& file, std::string_view holder) {
  return Error{Errc::busy, file.parent_path().filename().string(), std::string(holder) + " is running",
               "repeat when it has ended"};
}

/// Opens the file and calls acquire(handle), which returns whether it got the lock, until the file is the one
/// that the name leads to. Error also: `taken` (it did not).
template <class Acquire>
Result<FileHandle> locked(const std::filesystem::path& file, int flags, const Error& taken,
                          const Acquire& acquire) {
  for (;;) {
    FileHandle handle(open(file.c_str(), flags | O_CLOEXEC, kLockFileMode));
    if (handle.get() < 0) return system_error(errno, file.string(), (flags & O_CREAT) != 0 ? "make" : "open");
    AKIN_TRY(const bool acquired, acquire(handle));
    if (!acquired) return taken;
    if (is_still_at(handle, file)) return handle;
  }
}

/// Through the gate; a shared holder leaves it open.
Result<FileHandle> lock_behind_gate(const std::filesystem::path& file, short kind,
                                    std::chrono::milliseconds patience, std::string_view holder) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  return locked(file, O_RDWR, busy(file, holder), [&](const FileHandle& handle) -> Result<bool> {
    AKIN_TRY(const bool has_gate, wait_for_lock(handle, file, kGateByte, kind, deadline));
    if (!has_gate) return false;
    AKIN_TRY(const bool has_lock, wait_for_lock(handle, file, kLockByte, kind, deadline));
    if (has_lock && kind == F_RDLCK) AKIN_CHECK(set_lock(handle, file, kGateByte, F_UNLCK));
    return has_lock;
  });
}

}  // namespace

Result<FileLock> FileLock::shared(const std::filesystem::path& file, std::chrono::milliseconds patience,
                                  std::string_view holder) {
  AKIN_TRY(FileHandle handle, lock_behind_gate(file, F_RDLCK, patience, holder));
  return FileLock(std::move(handle));
}

Result<FileLock> FileLock::exclusive(const std::filesystem::path& file, std::chrono::milliseconds patience,
                                     std::string_view holder) {
  AKIN_TRY(FileHandle handle, lock_behind_gate(file, F_WRLCK, patience, holder));
  return FileLock(std::move(handle));
}

Result<FileLock> FileLock::maintenance(const std::filesystem::path& file, std::chrono::milliseconds patience,
                                       std::string_view holder) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  AKIN_TRY(FileHandle handle, locked(file, O_RDWR, busy(file, holder), [&](const FileHandle& open_file) {
             return wait_for_lock(open_file, file, kMaintenanceByte, F_WRLCK, deadline);
           }));
  return FileLock(std::move(handle));
}

Result<FileHandle> open_alone(const std::filesystem::path& file, const Error& taken) {
  return locked(file, O_WRONLY | O_CREAT, taken,
                [&](const FileHandle& handle) { return set_lock(handle, file, kLockByte, F_WRLCK); });
}

}  // namespace akin
