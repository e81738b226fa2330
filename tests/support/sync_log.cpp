#include "tests/support/sync_log.h"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <set>

namespace akin::test {
namespace {

std::atomic<bool> is_noting = false;  // looked at without the lock: a child may be forked at any time
std::mutex log_mutex;                 // guards the rest
std::filesystem::path log_folder;
std::vector<std::string> log_events;

void note(const char* event, const std::filesystem::path& path) {
  const std::lock_guard lock(log_mutex);
  const std::string below = path.lexically_relative(log_folder).string();
  if (below.empty() || below.starts_with("..")) return;
  std::string line = std::string(event) + " " + below;
  if (!log_events.empty() && log_events.back() == line) return;
  log_events.push_back(std::move(line));
}

void note_open(const char* event, int descriptor) {
  if (!is_noting) return;
  std::array<char, 4096> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = readlink(link.c_str(), target.data(), target.size());
  if (size > 0) note(event, std::filesystem::path(target.data(), target.data() + size));
}

void note_named(const char* path) {
  if (is_noting) note("name", path);
}

template <class Function>
Function system_function(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

SyncLog::SyncLog(const std::filesystem::path& folder) {
  const std::lock_guard lock(log_mutex);
  log_folder = std::filesystem::canonical(folder);
  log_events.clear();
  is_noting = true;
}

SyncLog::~SyncLog() { is_noting = false; }

std::vector<std::string> SyncLog::events() {
  const std::lock_guard lock(log_mutex);
  return log_events;
}

std::vector<std::string> SyncLog::events_before_naming(const std::string& path) {
  std::vector<std::string> all = events();
  all.erase(std::ranges::find(all, "name " + path), all.end());
  return all;
}

std::vector<std::string> not_synced(const std::vector<std::string>& events) {
  std::set<std::string> open;
  for (const std::string& event : events) {
    const std::string path = event.substr(event.find(' ') + 1);
    if (event.starts_with("write ")) open.insert(path);
    if (event.starts_with("sync ")) open.erase(path);
  }
  return {open.begin(), open.end()};
}

}  // namespace akin::test

// In the place of the system's.
extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto real = akin::test::system_function<ssize_t (*)(int, const void*, size_t)>("write");
  akin::test::note_open("write", descriptor);
  return real(descriptor, bytes, size);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  static const auto real = akin::test::system_function<ssize_t (*)(int, const iovec*, int)>("writev");
  akin::test::note_open("write", descriptor);
  return real(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  static const auto real =
      akin::test::system_function<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  akin::test::note_open("write", descriptor);
  return real(descriptor, bytes, size, at);
}

int fsync(int descriptor) {
  static const auto real = akin::test::system_function<int (*)(int)>("fsync");
  const int outcome = real(descriptor);
  akin::test::note_open("sync", descriptor);
  return outcome;
}

int fdatasync(int descriptor) {
  static const auto real = akin::test::system_function<int (*)(int)>("fdatasync");
  const int outcome = real(descriptor);
  akin::test::note_open("sync", descriptor);
  return outcome;
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = akin::test::system_function<int (*)(const char*, const char*)>("rename");
  akin::test::note_named(to);
  return real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static const auto real =
      akin::test::system_function<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  akin::test::note_named(to);
  return real(from_folder, from, to_folder, to, flags);
}

}  // extern "C"
