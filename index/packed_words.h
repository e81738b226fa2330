// The words of a text in little memory, to be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// Words in 6 to 7 bytes each instead of 24: classes by number, places by the distance from the word before.
class PackedWords {
 public:
  explicit PackedWords(const WordSequence& words);

  /// WordSequence::classes of the words that were packed.
  [[nodiscard]] std::vector<std::uint64_t> classes() const;
  /// The words that were packed.
  [[nodiscard]] WordSequence unpacked() const;
  /// The memory that it takes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  std::vector<std::uint64_t> classes_;  ///< by number, as they first occur
  std::vector<std::uint32_t> words_;    ///< the numbers of their classes
  /// For each word: varint(distance from the end of the word before in code points, zigzag, doubled; +1 if
  /// that in bytes differs), if so varint(the difference, zigzag), then varint(length in code points times 4
  /// plus a LengthKind), and for LengthKind::other varint(bytes minus code points, zigzag).
  std::string places_;
};

}  // namespace akin
