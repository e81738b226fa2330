// Sums of many dense posting lists at once, bit-sliced: plane k holds bit k of every document's sum, so that
// a word of a bitmap is added to 64 sums by a few logical operations (P. O'Neil, D. Quass, "Improved query
// performance with variant indexes", SIGMOD 1997).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/codec/posting.h"

namespace akin {

/// Sums over documents numbered below `documents`, none above `most`. Memory is bit_width(most) + 2 bits for
/// each document; the thread keeps it for its next query, so only one object may live in a thread at a time.
class OverlapPlanes {
 public:
  /// A posting list is dense, so that counting it here pays, if at least one document in so many has its
  /// feature.
  static constexpr std::uint64_t kDense = 256;
  /// Documents whose planes are adjacent, and the words of one of their planes.
  static constexpr std::uint32_t kGroup = 512;
  static constexpr std::uint32_t kGroupWords = kGroup / 64;

  OverlapPlanes(std::uint64_t documents, std::uint64_t most);
  OverlapPlanes(const OverlapPlanes&) = delete;
  OverlapPlanes& operator=(const OverlapPlanes&) = delete;

  /// Announces a list that adds at most `most` to any sum; its postings follow, each document once, and then
  /// `end_list`.
  void begin_list(std::uint32_t most) noexcept { most_so_far_ += most; }
  /// Adds x, at least 1, to a document's sum; false if its number was never given out.
  [[nodiscard]] bool add(DocNumber document, std::uint32_t x) noexcept {
    const auto number = static_cast<std::uint32_t>(document);
    if (number >= documents_) return false;
    wait(waiting_, number);
    some_wait_ = true;
    if (x > 1) add_once_more(number, x - 1);
    return true;
  }
  /// Adds x, at least 1, to the sum of a document that is set in the list's bits; false if its number was
  /// never given out.
  [[nodiscard]] bool add_to_bit(DocNumber document, std::uint32_t x) noexcept {
    const auto number = static_cast<std::uint32_t>(document);
    if (number >= documents_) return false;
    add_once_more(number, x);
    return true;
  }
  /// Adds 1 for every bit that is set. `first`: the document of the first one, a multiple of kGroup; `bits`:
  /// `words` little-endian words, a multiple of kGroupWords. False if a number was never given out.
  [[nodiscard]] bool add_bits(std::uint32_t first, const char* bits, std::uint32_t words) noexcept;
  void end_list() noexcept;

  /// Of the lists that have ended.
  [[nodiscard]] std::uint32_t sum(DocNumber document) const noexcept;

  /// Calls visit(document) for every document with a sum of at least `least`, ascending.
  template <class Visit>
  void for_each_at_least(std::uint64_t least, Visit visit) const {
    if (least > most_so_far_) return;
    for (std::uint32_t group = 0; group < groups_; ++group) {
      const std::array<std::uint64_t, kGroupWords> over = at_least(group, least);
      for (std::uint32_t word = 0; word < kGroupWords; ++word) {
        for (std::uint64_t rest = over[word]; rest != 0; rest &= rest - 1) {
          const std::uint32_t bit = word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
          if (group * kGroup + bit < documents_) visit(DocNumber{group * kGroup + bit});
        }
      }
    }
  }

 private:
  struct Memory {
    std::vector<std::uint64_t> planes;
    std::vector<std::uint64_t> waiting;
    std::vector<std::uint64_t> again;
  };
  static Memory& kept();
  static void wait(std::vector<std::uint64_t>& words, std::uint32_t number) noexcept {
    words[number / 64] |= std::uint64_t{1} << (number % 64);
  }
  /// Adds x, at least 1, to a document's sum, once in a list.
  void add_once_more(std::uint32_t number, std::uint32_t x) noexcept {
    wait(again_, number);
    some_wait_again_ = true;
    if (x > 1) add_more(number, x - 1);
  }
  /// Adds what waits to the sums.
  void add_waiting(std::vector<std::uint64_t>& words) noexcept;
  /// Ripples x through the planes of one document.
  void add_more(std::uint32_t number, std::uint32_t x) noexcept;
  /// Adds one word a lane to a group.
  void add_group(std::uint32_t group, const void* words) noexcept;
  /// The planes that sums so far can reach.
  [[nodiscard]] unsigned used() const noexcept { return static_cast<unsigned>(std::bit_width(most_so_far_)); }
  [[nodiscard]] std::uint64_t* group_at(std::uint32_t group) const noexcept {
    return planes_.data() + std::size_t{group} * count_ * kGroupWords;
  }
  [[nodiscard]] std::array<std::uint64_t, kGroupWords> at_least(std::uint32_t group,
                                                                std::uint64_t least) const noexcept;

  std::uint64_t documents_;
  std::uint32_t groups_;
  unsigned count_;  ///< planes
  std::uint64_t most_so_far_ = 0;
  std::vector<std::uint64_t>& planes_ = kept().planes;  ///< by group, plane and word
  /// Documents to whose sums `end_list` adds 1: setting a bit costs less than adding it. All 0 between lists.
  std::vector<std::uint64_t>& waiting_ = kept().waiting;
  bool some_wait_ = false;
  /// The same for those to whose sums it adds another 1.
  std::vector<std::uint64_t>& again_ = kept().again;
  bool some_wait_again_ = false;
};

}  // namespace akin
