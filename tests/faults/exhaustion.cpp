// A library for LD_PRELOAD that makes memory and threads run out: allocations and pthread_create fail at
// random, as often as the file AKIN_EXHAUSTION demands. The file is mapped, so a test changes the rates and
// reads the counts while the program runs; without the file nothing fails. When the program aborts, the stack
// is written to stderr.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

/// The file. Zero turns a kind of failure off; exhaustion.py has the same layout.
struct Control {
  std::atomic<std::uint64_t> memory_one_in, threads_one_in;
  std::atomic<std::uint64_t> least_bytes;  ///< smaller allocations always succeed
  std::atomic<std::uint64_t> failed_memory, failed_threads;
  std::atomic<std::uint64_t> drawn;
  std::atomic<std::uint64_t> burst_ms;  ///< so long, all further allocations of the same thread fail too
};

Control* control = nullptr;

bool strikes(const std::atomic<std::uint64_t>& one_in, std::atomic<std::uint64_t>& count) {
  const std::uint64_t rate = one_in.load(std::memory_order_relaxed);
  if (rate == 0) return false;
  // splitmix64 of the number of the draw
  std::uint64_t random = control->drawn.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15U;
  random = (random ^ (random >> 30U)) * 0xbf58476d1ce4e5b9U;
  random = (random ^ (random >> 27U)) * 0x94d049bb133111ebU;
  if ((random ^ (random >> 31U)) % rate != 0) return false;
  count.fetch_add(1, std::memory_order_relaxed);
  return true;
}

std::uint64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

thread_local std::uint64_t burst_ends = 0;

bool memory_fails(std::size_t bytes) {
  if (control == nullptr || bytes < control->least_bytes.load(std::memory_order_relaxed)) return false;
  const bool in_burst = burst_ends != 0 && milliseconds() < burst_ends;
  if (!in_burst) {
    burst_ends = 0;
    if (!strikes(control->memory_one_in, control->failed_memory)) return false;
    const std::uint64_t length = control->burst_ms.load(std::memory_order_relaxed);
    if (length != 0) burst_ends = milliseconds() + length;
  }
  errno = ENOMEM;
  return true;
}

void write_stack(int signal) {
  std::array<void*, 64> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())),
                       STDERR_FILENO);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

__attribute__((constructor)) void open_control() {
  const char* path = std::getenv("AKIN_EXHAUSTION");
  if (path == nullptr) return;
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* map = ::mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (map == MAP_FAILED) return;
  std::array<void*, 1> frame{};
  backtrace(frame.data(), 1);  // loads what it needs now
  std::signal(SIGABRT, write_stack);
  std::signal(SIGSEGV, write_stack);
  control = static_cast<Control*>(map);
}

}  // namespace

// glibc's own names of its allocator, and the standard names that this library takes.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) { return memory_fails(bytes) ? nullptr : __libc_malloc(bytes); }

void* calloc(std::size_t count, std::size_t bytes) {
  return memory_fails(count * bytes) ? nullptr : __libc_calloc(count, bytes);
}

void* realloc(void* block, std::size_t bytes) {
  return memory_fails(bytes) ? nullptr : __libc_realloc(block, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return memory_fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (memory_fails(bytes)) return ENOMEM;
  *block = __libc_memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (control != nullptr && strikes(control->threads_one_in, control->failed_threads)) return EAGAIN;
  return create(thread, attributes, start, argument);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
