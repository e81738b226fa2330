#include "tests/bench/process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <vector>

namespace akin::bench {

namespace {

void raise_to(std::atomic<std::uint64_t>& peak, std::uint64_t value) noexcept {
  if (value > peak) peak = value;
}

/// Pages of an open file that the kernel holds, and all its pages.
std::pair<std::size_t, std::size_t> cached_pages(int file, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* map = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) throw std::runtime_error("cannot map a file to look at its pages");
  std::vector<unsigned char> resident((bytes + page - 1) / page);
  const int failed = mincore(map, bytes, resident.data());
  munmap(map, bytes);
  if (failed != 0) throw std::runtime_error("cannot ask which pages are cached");
  const auto held = std::count_if(resident.begin(), resident.end(), [](auto one) { return (one & 1U) != 0; });
  return {static_cast<std::size_t>(held), resident.size()};
}

}  // namespace

Memory memory_now() {
  Memory memory;
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return memory;
  unsigned long long kilobytes = 0;
  for (char line[256]; std::fgets(line, sizeof line, status) != nullptr;) {
    if (std::sscanf(line, "VmRSS: %llu", &kilobytes) == 1) memory.resident = kilobytes << 10U;
    if (std::sscanf(line, "RssAnon: %llu", &kilobytes) == 1) memory.anonymous = kilobytes << 10U;
  }
  std::fclose(status);
  return memory;
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

MemoryWatch::MemoryWatch() {
  look();
  thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      look();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
}

void MemoryWatch::look() noexcept {
  const Memory now = memory_now();
  raise_to(resident_, now.resident);
  raise_to(anonymous_, now.anonymous);
}

void stay_on_one_core() {
  cpu_set_t allowed, one;
  CPU_ZERO(&allowed);
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (unsigned core = CPU_SETSIZE; core-- > 0;) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

double process_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

double drop_cached_pages(const std::filesystem::path& folder) {
  std::size_t held = 0, all = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.file_size() == 0) continue;
    const int file = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw std::runtime_error("cannot open " + entry.path().string());
    fdatasync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    const auto [some, pages] = cached_pages(file, entry.file_size());
    close(file);
    held += some;
    all += pages;
  }
  return all == 0 ? 0.0 : static_cast<double>(held) / static_cast<double>(all);
}

std::uint64_t disk_bytes(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    struct stat status {};
    if (entry.is_regular_file() && stat(entry.path().c_str(), &status) == 0)
      bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  return bytes;
}

}  // namespace akin::bench
