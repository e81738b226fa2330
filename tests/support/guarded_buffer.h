#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

namespace akin::test {

/// Memory whose end is followed by a page that nobody may read: a read beyond what put() returned ends the
/// program, with or without a sanitizer.
class GuardedBuffer {
 public:
  /// Room for so many bytes.
  explicit GuardedBuffer(std::size_t most)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), bytes_((most / page_ + 1) * page_) {
    void* const mapped =
        mmap(nullptr, bytes_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<char*>(mapped);
    if (mprotect(begin_ + bytes_, page_, PROT_NONE) != 0) throw std::runtime_error("cannot protect a page");
  }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer() { munmap(begin_, bytes_ + page_); }

  /// A copy of the bytes that ends where the protected page begins, until the next call.
  std::string_view put(std::string_view content) {
    if (content.size() > bytes_) throw std::length_error("more bytes than the buffer has room for");
    char* const begin = begin_ + bytes_ - content.size();
    if (!content.empty()) std::memcpy(begin, content.data(), content.size());
    return {begin, content.size()};
  }

 private:
  std::size_t page_;
  std::size_t bytes_;
  char* begin_;
};

}  // namespace akin::test
