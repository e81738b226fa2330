#include "tests/bench/memory_limit.h"

#include <unistd.h>

#include <fstream>

#include "tests/bench/bench.h"

namespace akin::bench {

namespace {

/// Where hierarchies are mounted, and what their limit is called.
struct Hierarchy {
  const char* root;
  const char* limit;
};

constexpr Hierarchy kHierarchies[] = {{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
                                      {"/sys/fs/cgroup", "memory.max"}};

bool write_number(const std::filesystem::path& file, std::uint64_t number) {
  if (!std::filesystem::exists(file)) return false;
  std::ofstream out(file);
  out << number << std::flush;
  return static_cast<bool>(out);
}

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t bytes) {
  for (const Hierarchy& hierarchy : kHierarchies) {
    folder_ = std::filesystem::path(hierarchy.root) / ("akin-bench-" + std::to_string(getpid()));
    std::error_code refused;
    if (!std::filesystem::create_directory(folder_, refused)) continue;
    if (write_number(folder_ / hierarchy.limit, bytes)) return;
    rmdir(folder_.c_str());
  }
  throw Skipped("no control group of memory can be made (as root, with the memory controller)");
}

MemoryLimit::~MemoryLimit() { rmdir(folder_.c_str()); }

void MemoryLimit::join() const {
  if (!write_number(folder_ / "cgroup.procs", static_cast<std::uint64_t>(getpid())))
    throw Skipped("this process cannot enter a control group");
}

}  // namespace akin::bench
