// Lists of texts by their keys, packed closely.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace akin::dedup {

/// Many short lists of numbers, which grow at their ends. A vector for each would take twice as much.
class KeyLists {
 public:
  /// Keys with the same low bits share a list.
  [[nodiscard]] static std::size_t list_of(std::uint32_t key) noexcept { return key % kLists; }

  /// Adds a number to a list, unless it is the one that was added to this list before.
  void add(std::size_t list, std::uint32_t number) {
    if (heads_.empty()) heads_.resize(kLists);
    Head& head = heads_[list];
    if (head.size > 0 && blocks_[head.block].numbers[(head.size - 1) % kBlock] == number) return;
    if (head.size % kBlock == 0) {
      blocks_.push_back({.before = head.block});
      head.block = static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    blocks_[head.block].numbers[head.size++ % kBlock] = number;
  }

  [[nodiscard]] std::size_t size(std::size_t list) const noexcept {
    return heads_.empty() ? 0 : heads_[list].size;
  }
  /// Calls visit(number) for each number of a list, in any order.
  template <class Visit>
  void for_each(std::size_t list, const Visit& visit) const {
    if (heads_.empty()) return;
    std::size_t left = heads_[list].size;
    for (std::uint32_t at = heads_[list].block; left > 0; at = blocks_[at].before) {
      const std::size_t here = (left - 1) % kBlock + 1;
      for (std::size_t i = 0; i < here; ++i) visit(blocks_[at].numbers[i]);
      left -= here;
    }
  }

  /// The memory that the numbers take.
  [[nodiscard]] std::size_t bytes() const noexcept { return blocks_.size() * sizeof(Block); }
  void clear() noexcept {
    heads_ = std::vector<Head>();  // an assigned {} would keep the memory
    blocks_ = std::vector<Block>();
  }

 private:
  static constexpr std::size_t kLists = std::size_t{1} << 18U;
  static constexpr std::size_t kBlock = 4;
  struct Block {
    std::array<std::uint32_t, kBlock> numbers{};
    std::uint32_t before = 0;  ///< of the same list
  };
  struct Head {
    std::uint32_t size = 0;
    std::uint32_t block = 0;  ///< the last one
  };

  std::vector<Head> heads_;  ///< empty as long as all lists are
  std::vector<Block> blocks_;
};

}  // namespace akin::dedup
