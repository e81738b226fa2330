// A library for LD_PRELOAD that delays the calls by which processes meet each other in files: one in
// AKIN_DELAYS of them, before or after it, for up to 12 ms. What takes place in a few microseconds else, such
// as preparing a lock file, is then often interrupted by a kill.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

std::uint64_t rate() {
  static const char* const wished = std::getenv("AKIN_DELAYS");
  return wished == nullptr ? 0 : std::strtoull(wished, nullptr, 10);
}

/// splitmix64 of the clock and the number of the draw.
std::uint64_t random_number() {
  static std::atomic<std::uint64_t> drawn{0};
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::uint64_t random = static_cast<std::uint64_t>(now.tv_nsec) + drawn.fetch_add(1) * 0x9e3779b97f4a7c15U;
  random = (random ^ (random >> 30U)) * 0xbf58476d1ce4e5b9U;
  random = (random ^ (random >> 27U)) * 0x94d049bb133111ebU;
  return random ^ (random >> 31U);
}

void delay() {
  constexpr std::uint64_t kMostNanoseconds = 12'000'000;
  const std::uint64_t one_in = rate();
  if (one_in == 0 || random_number() % one_in != 0) return;
  const timespec pause{0, static_cast<long>(random_number() % kMostNanoseconds)};
  nanosleep(&pause, nullptr);
}

/// The function that this library's takes the place of.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <class Call>
auto delayed(const Call& call) {
  delay();
  const auto result = call();
  const int error = errno;
  delay();
  errno = error;
  return result;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const real = next<int(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return delayed([&] { return real(path, flags, mode); });
}

int fcntl(int file, int command, ...) {
  static auto* const real = next<int(int, int, ...)>("fcntl");
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return delayed([&] { return real(file, command, argument); });
}

int flock(int file, int operation) {
  static auto* const real = next<int(int, int)>("flock");
  return delayed([&] { return real(file, operation); });
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  static auto* const real = next<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
  if (file < 0) return real(address, bytes, protection, flags, file, offset);
  return delayed([&] { return real(address, bytes, protection, flags, file, offset); });
}

ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t offset) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return delayed([&] { return real(file, bytes, count, offset); });
}

int fdatasync(int file) {
  static auto* const real = next<int(int)>("fdatasync");
  return delayed([&] { return real(file); });
}

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  return delayed([&] { return real(file); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return delayed([&] { return real(from, to); });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static auto* const real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return delayed([&] { return real(from_folder, from, to_folder, to, flags); });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const real = next<int(int, const char*, int)>("unlinkat");
  return delayed([&] { return real(folder, path, flags); });
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int fcntl64(int file, int command, ...) __attribute__((alias("fcntl")));
void* mmap64(void*, std::size_t, int, int, int, off_t) __attribute__((alias("mmap")));
ssize_t pwrite64(int, const void*, std::size_t, off_t) __attribute__((alias("pwrite")));
}
