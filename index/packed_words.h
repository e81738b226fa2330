// The words of a text in little memory, to be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "morph/align/word_sequence.h"
#include "morph/text/scanner.h"

namespace akin {

/// Words in 6 to 7 bytes each instead of 24: classes by number, places by the distance from the word before.
class PackedWords {
 public:
  /// The words of a text, packed as they are read: a long text is read in parts, on all cores. Errors: as
  /// scan_text.
  [[nodiscard]] static Result<PackedWords> of(std::string_view utf8, const Dictionary& dictionary);

  explicit PackedWords(const WordSequence& words);

  /// The words that were packed.
  [[nodiscard]] WordSequence unpacked() const;
  /// Those of a stretch. Time: linear in it.
  [[nodiscard]] WordSequence unpacked(WordRange stretch) const;
  /// Their classes. Must not outlive this object.
  [[nodiscard]] NumberedWords numbered() const noexcept { return {classes_, words_}; }
  /// The memory that it takes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  /// Where a word begins in places_, and where the word before it ends; the first of a part counts from 0.
  struct Milestone {
    std::size_t at = 0;
    std::uint32_t word = 0;
    std::uint32_t range_end = 0, bytes_end = 0;
  };
  static constexpr std::uint32_t kMilestone = 1024;

  class Packer;
  class Reader;
  PackedWords() = default;
  /// The words of a text's parts, one after the other. Takes them one by one.
  [[nodiscard]] static PackedWords joined(std::vector<PackedWords> parts);

  std::vector<std::uint64_t> classes_;  ///< by number, as they first occur
  std::vector<std::uint32_t> words_;    ///< the numbers of their classes
  /// For each word: varint(distance from the end of the word before in code points, zigzag, doubled; +1 if
  /// that in bytes differs), if so varint(the difference, zigzag), then varint(length in code points times 4
  /// plus a LengthKind), and for LengthKind::other varint(bytes minus code points, zigzag).
  std::string places_;
  std::vector<Milestone> milestones_;  ///< of each word whose index in its part is a multiple of kMilestone
};

}  // namespace akin
