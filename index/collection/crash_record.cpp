#include "index/collection/crash_record.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace akin {

namespace {

constexpr std::string_view kDataFile = "/data.mdb";
constexpr std::string_view kGenerationPrefix = "gen-";

constexpr std::array<std::pair<int, std::string_view>, 5> kFaults = {
    {{SIGBUS, "SIGBUS"}, {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}}};

struct Handlers {
  std::array<struct sigaction, kFaults.size()> before{};
};

Handlers& handlers() {
  static Handlers kept;
  return kept;
}

// All below runs inside a signal handler: it allocates nothing, takes no locks, and calls only functions that
// POSIX lists as async-signal-safe.

/// Text of a bounded length in place.
template <std::size_t kCapacity>
class FixedText {
 public:
  void clear() noexcept { size_ = 0; }
  void add(char c) noexcept {
    if (size_ + 1 < kCapacity) text_[size_++] = c;
  }
  void add(std::string_view text) noexcept {
    for (const char c : text) add(c);
  }
  void add_number(std::uint64_t number) noexcept {
    std::array<char, 20> digits{};
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0) add(digits[--count]);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }
  [[nodiscard]] const char* c_str() noexcept {
    text_[size_] = '\0';
    return text_.data();
  }

 private:
  std::array<char, kCapacity> text_{};
  std::size_t size_ = 0;
};

using PathText = FixedText<PATH_MAX>;
using MapsLine = FixedText<PATH_MAX + 128>;

/// Takes a hexadecimal number from the beginning of a text.
std::uintptr_t take_hex(std::string_view& text) noexcept {
  std::uintptr_t number = 0;
  while (!text.empty()) {
    const char c = text.front();
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) break;
    number = number * 16 + static_cast<std::uintptr_t>(digit ? c - '0' : c - 'a' + 10);
    text.remove_prefix(1);
  }
  return number;
}

/// If a line of /proc/self/maps ("7f00-7fff r--s 00000000 08:01 1234   /path") maps the address from a file
/// of a store: the path of the store's record.
bool record_of_line(std::string_view line, std::uintptr_t address, PathText& record) noexcept {
  const std::uintptr_t begin = take_hex(line);
  if (line.empty() || line.front() != '-') return false;
  line.remove_prefix(1);
  const std::uintptr_t end = take_hex(line);
  if (address < begin || address >= end) return false;
  const std::size_t path = line.find('/');
  if (path == std::string_view::npos || !line.ends_with(kDataFile)) return false;
  const std::string_view folder = line.substr(path, line.size() - path - kDataFile.size());
  if (!folder.substr(folder.rfind('/') + 1).starts_with(kGenerationPrefix)) return false;
  record.clear();
  record.add(folder);
  record.add('/');
  record.add(kQuarantineFile);
  return true;
}

bool record_of_address(std::uintptr_t address, PathText& record) noexcept {
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return false;
  std::array<char, 1024> block{};
  MapsLine line;
  bool found = false;
  for (ssize_t got = 0; !found && (got = read(maps, block.data(), block.size())) > 0;) {
    for (const char c : std::string_view(block.data(), static_cast<std::size_t>(got))) {
      if (c != '\n') {
        line.add(c);
        continue;
      }
      found = record_of_line(line.view(), address, record);
      if (found) break;
      line.clear();
    }
  }
  close(maps);
  return found;
}

/// "SIGBUS 1763849887\n": the signal, and the time in seconds since the Unix epoch.
void write_record(const char* path, std::string_view signal) noexcept {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  FixedText<64> text;
  text.add(signal);
  text.add(' ');
  text.add_number(static_cast<std::uint64_t>(now.tv_sec));
  text.add('\n');
  // The file's name alone is a record, should the disk be full.
  static_cast<void>(!write(file, text.view().data(), text.view().size()));
  close(file);
}

void on_fault(int signal, siginfo_t* info, void*) {
  const int error = errno;
  const bool is_raised = info->si_code <= 0;  // by kill(), raise(), abort(), not by the processor
  std::size_t number = 0;
  while (kFaults[number].first != signal) ++number;
  if (!is_raised || info->si_pid == getpid()) {
    PathText mapped;
    if (!is_raised && record_of_address(reinterpret_cast<std::uintptr_t>(info->si_addr), mapped)) {
      write_record(mapped.c_str(), kFaults[number].second);
    } else if (store_in_use != nullptr) {
      write_record(store_in_use, kFaults[number].second);
    }
  }
  sigaction(signal, &handlers().before[number], nullptr);
  // Otherwise the fault repeats itself when the handler returns.
  if (is_raised) raise(signal);
  errno = error;
}

}  // namespace

void record_crashes() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kFaults.size(); ++i)
    sigaction(kFaults[i].first, &action, &handlers().before[i]);
}

const char* crash_record_path(const std::filesystem::path& store_folder) {
  static std::mutex mutex;
  // Never destroyed, and nothing is removed: a crash may use a path at any time.
  static auto* const paths = new std::set<std::string>;
  std::error_code failure;
  std::filesystem::path folder = std::filesystem::canonical(store_folder, failure);
  if (failure) folder = store_folder;
  const std::lock_guard guard(mutex);
  return paths->insert((folder / kQuarantineFile).string()).first->c_str();
}

}  // namespace akin
