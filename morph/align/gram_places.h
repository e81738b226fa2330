// Where the grams of a long text are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// The places of a text's grams of one shape (shape_in_a_row), in buckets by the leading bits of their
/// hashes. The next bits of the hash are beside each place, as many as a number of 32 bits has room for, so
/// that a gram that the text does not have costs two reads. 4.25 to 4.5 bytes a word. Immutable. Const
/// members may be called from any number of threads at once.
class GramPlaces {
 public:
  /// Time: linear in the words.
  GramPlaces(const NumberedWords& words, std::uint64_t shape);

  [[nodiscard]] std::uint64_t shape() const noexcept { return shape_; }
  /// The memory for a text of so many words, at most.
  [[nodiscard]] static std::size_t bytes_of(std::size_t words) noexcept;

  /// Calls visit(first word) for each gram with this hash (RollingSum::value), in order, until it returns
  /// false; false if it did. `words`: those that were given to the constructor. Faster for ascending hashes.
  template <class Visit>
  bool for_each(const NumberedWords& words, std::uint64_t hash, const Visit& visit) const {
    const std::size_t bucket = bucket_of(hash);
    const std::uint32_t tag = tag_of(hash);
    for (std::uint32_t at = begins_[bucket]; at < begins_[bucket + 1]; ++at) {
      if (((entries_[at] ^ tag) & ~place_mask_) != 0) continue;
      const std::uint32_t place = entries_[at] & place_mask_;
      if (gram_hash(words, place) == hash && !visit(place)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::uint64_t gram_hash(const NumberedWords& words, std::size_t place) const noexcept;
  [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>(hash >> (64 - bucket_bits_));
  }
  /// Bits of the hash where those of a place are not.
  [[nodiscard]] std::uint32_t tag_of(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash << bucket_bits_ >> 32U) & ~place_mask_;
  }

  std::uint64_t shape_;
  unsigned bucket_bits_;
  std::uint32_t place_mask_;
  std::vector<std::uint32_t> begins_;   ///< of each bucket, and the end
  std::vector<std::uint32_t> entries_;  ///< by bucket, in each by place: a tag and a place
};

}  // namespace akin
