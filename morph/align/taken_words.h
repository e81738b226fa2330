// Which words of a text are taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "morph/align/word_sequence.h"

namespace akin {

/// A set of words of a text of `size` words; empty at first. Ranges must lie within the text. Of a long text
/// only the parts with words that are taken cost time and memory.
class TakenWords {
 public:
  explicit TakenWords(std::size_t size)
      : taken_(static_cast<char*>(std::calloc(size + 1, 1))) {  // NOLINT(cppcoreguidelines-no-malloc)
    if (taken_ == nullptr) throw std::bad_alloc();
  }

  /// Words of a range that are not taken.
  [[nodiscard]] std::uint32_t free(WordRange range) const {
    return static_cast<std::uint32_t>(std::count(at(range.begin), at(range.end), char{0}));
  }
  void take(WordRange range) {
    count_ += free(range);
    std::fill(at(range.begin), at(range.end), char{1});
  }
  void give_back(WordRange range) {
    count_ -= range.size() - free(range);
    std::fill(at(range.begin), at(range.end), char{0});
  }
  /// All words that are taken.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  struct Free {
    void operator()(char* taken) const noexcept { std::free(taken); }  // NOLINT(cppcoreguidelines-no-malloc)
  };
  [[nodiscard]] char* at(std::uint32_t word) const noexcept { return taken_.get() + word; }

  std::unique_ptr<char, Free> taken_;
  std::uint64_t count_ = 0;
};

}  // namespace akin
