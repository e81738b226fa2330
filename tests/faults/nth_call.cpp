// A library for LD_PRELOAD in which one call on a file fails: the n-th of its kind on a name below a folder.
// The file AKIN_NTH_CALL says which; it is mapped, so a test sets it and reads the counts while the program
// runs.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind : std::uint32_t {
  kOpen,
  kRead,
  kWrite,
  kSync,
  kRename,
  kMakeFolder,
  kRemove,
  kTruncate,
  kList,
  kKinds
};

/// The file; nth_call.py has the same layout.
struct Control {
  std::atomic<std::uint32_t> kind;                       ///< kKinds: none fails
  std::atomic<std::uint32_t> error;                      ///< errno; 0: a write of half the bytes
  std::atomic<std::uint64_t> nth;                        ///< which call fails, counted from 1
  std::array<std::atomic<std::uint64_t>, kKinds> calls;  ///< so far
  std::atomic<std::uint64_t> failed;
  std::array<char, 256> folder;  ///< only names below it count
};

Control* control = nullptr;

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool is_below(const char* path) {
  const char* folder = control->folder.data();
  return path != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool strikes(Kind kind) {
  if (control->calls[kind].fetch_add(1) + 1 != control->nth || control->kind != kind) return false;
  control->failed.fetch_add(1);
  errno = static_cast<int>(control->error.load());
  return true;
}

/// `path` as the program gives it: the tests give absolute ones.
bool fails(Kind kind, const char* path) { return control != nullptr && is_below(path) && strikes(kind); }

bool fails(Kind kind, int descriptor) {
  if (control == nullptr) return false;
  std::array<char, 64> link{};
  std::array<char, 512> name{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  const int kept = errno;
  const bool named = readlink(link.data(), name.data(), name.size() - 1) > 0;
  errno = kept;
  return named && is_below(name.data()) && strikes(kind);
}

mode_t mode_of(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

__attribute__((constructor)) void open_control() {
  const char* path = std::getenv("AKIN_NTH_CALL");
  if (path == nullptr) return;
  const int file = real<int (*)(const char*, int, ...)>("open")(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* map = ::mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (map != MAP_FAILED) control = static_cast<Control*>(map);
}

}  // namespace

extern "C" {

#define AKIN_OPEN(name)                                                      \
  int name(const char* path, int flags, ...) {                               \
    std::va_list arguments;                                                  \
    va_start(arguments, flags);                                              \
    const mode_t mode = mode_of(flags, arguments);                           \
    va_end(arguments);                                                       \
    static const auto next = real<int (*)(const char*, int, mode_t)>(#name); \
    return fails(kOpen, path) ? -1 : next(path, flags, mode);                \
  }
AKIN_OPEN(open)
AKIN_OPEN(open64)
#undef AKIN_OPEN

ssize_t read(int file, void* bytes, size_t count) {
  static const auto next = real<ssize_t (*)(int, void*, size_t)>("read");
  return fails(kRead, file) ? -1 : next(file, bytes, count);
}

#define AKIN_PREAD(name)                                                          \
  ssize_t name(int file, void* bytes, size_t count, off_t at) {                   \
    static const auto next = real<ssize_t (*)(int, void*, size_t, off_t)>(#name); \
    return fails(kRead, file) ? -1 : next(file, bytes, count, at);                \
  }
AKIN_PREAD(pread)
AKIN_PREAD(pread64)
#undef AKIN_PREAD

ssize_t write(int file, const void* bytes, size_t count) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (!fails(kWrite, file)) return next(file, bytes, count);
  return control->error == 0 ? next(file, bytes, (count + 1) / 2) : -1;
}

#define AKIN_PWRITE(name)                                                               \
  ssize_t name(int file, const void* bytes, size_t count, off_t at) {                   \
    static const auto next = real<ssize_t (*)(int, const void*, size_t, off_t)>(#name); \
    if (!fails(kWrite, file)) return next(file, bytes, count, at);                      \
    return control->error == 0 ? next(file, bytes, (count + 1) / 2, at) : -1;           \
  }
AKIN_PWRITE(pwrite)
AKIN_PWRITE(pwrite64)
#undef AKIN_PWRITE

#define AKIN_WRITEV(name)                                                                               \
  ssize_t name(int file, const iovec* parts, int count, off_t at) {                                     \
    static const auto next = real<ssize_t (*)(int, const iovec*, int, off_t)>(#name);                   \
    return fails(kWrite, file) ? (errno = errno == 0 ? EIO : errno, -1) : next(file, parts, count, at); \
  }
AKIN_WRITEV(pwritev)
AKIN_WRITEV(pwritev64)
#undef AKIN_WRITEV

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto next = real<ssize_t (*)(int, const iovec*, int)>("writev");
  if (!fails(kWrite, file)) return next(file, parts, count);
  return control->error == 0 ? next(file, parts, 1) : -1;
}

#define AKIN_SYNC(name)                                 \
  int name(int file) {                                  \
    static const auto next = real<int (*)(int)>(#name); \
    return fails(kSync, file) ? -1 : next(file);        \
  }
AKIN_SYNC(fsync)
AKIN_SYNC(fdatasync)
#undef AKIN_SYNC

int rename(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  return fails(kRename, to) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(kRename, to) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int mkdir(const char* path, mode_t mode) {
  static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
  return fails(kMakeFolder, path) ? -1 : next(path, mode);
}

int unlink(const char* path) {
  static const auto next = real<int (*)(const char*)>("unlink");
  return fails(kRemove, path) ? -1 : next(path);
}

int remove(const char* path) {
  static const auto next = real<int (*)(const char*)>("remove");
  return fails(kRemove, path) ? -1 : next(path);
}

#define AKIN_TRUNCATE(name)                                    \
  int name(int file, off_t bytes) {                            \
    static const auto next = real<int (*)(int, off_t)>(#name); \
    return fails(kTruncate, file) ? -1 : next(file, bytes);    \
  }
AKIN_TRUNCATE(ftruncate)
AKIN_TRUNCATE(ftruncate64)
#undef AKIN_TRUNCATE

#define AKIN_LIST(name, entry)                                   \
  entry* name(DIR* folder) {                                     \
    static const auto next = real<entry* (*)(DIR*)>(#name);      \
    return fails(kList, dirfd(folder)) ? nullptr : next(folder); \
  }
AKIN_LIST(readdir, dirent)
AKIN_LIST(readdir64, dirent64)
#undef AKIN_LIST
}
