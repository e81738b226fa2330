// Memory in large pages, for tables that are read at random: the processor then finds the page of nearly
// every place at once.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace akin {

/// Zeros, in pages of 2 MiB if the system has such pages and half of one is needed. Memory that is not
/// written to takes no room.
class LargePages {
 public:
  /// Throws std::bad_alloc.
  explicit LargePages(std::size_t bytes) : mapped_(bytes + kPage) {
    mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
    begin_ = static_cast<char*>(mapping_) + (kPage - address % kPage) % kPage;
    if (bytes >= kPage / 2) static_cast<void>(madvise(begin_, bytes, MADV_HUGEPAGE));
  }
  LargePages(const LargePages&) = delete;
  LargePages& operator=(const LargePages&) = delete;
  ~LargePages() { munmap(mapping_, mapped_); }

  [[nodiscard]] void* begin() const noexcept { return begin_; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;

  std::size_t mapped_;
  void* mapping_ = nullptr;
  char* begin_ = nullptr;
};

}  // namespace akin
