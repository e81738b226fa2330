// The sentence rule's knowledge of single words, from the files in morph/abbreviations/, which are compiled
// in. Their README.md explains the headings, one for each use below.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace akin {

/// What a word indicates about a full stop near it; a set of bits.
enum WordUse : std::uint16_t {
  kNoUse = 0,
  kLeads = 1 << 0,
  kLeadsNumber = 1 << 1,
  kRarelyEnds = 1 << 2,
  kOftenEnds = 1 << 3,
  kBeforeOrdinal = 1 << 4,
  kAfterOrdinal = 1 << 5,
  kStarts = 1 << 6,
  kStartsBeforeNumber = 1 << 7,
  kGoesOn = 1 << 8,
  kAuthor = 1 << 9,
  kSays = 1 << 10,
  kAuthorAfterDash = 1 << 11,
  kManner = 1 << 12,
  kUnit = 1 << 13,
};

/// An immutable table of spellings, built once. Its members may be called from any number of threads and
/// allocate nothing, except for words with digits. Spellings are compared by their 64-bit keys; hyphens,
/// white space, ё/е, ß/ss, acutes on Latin consonants and rings make no difference.
class BoundaryLexicon {
 public:
  static const BoundaryLexicon& instance();

  /// Uses of a word, or of an abbreviation with dots inside ("т.д"). `word` is case-folded.
  /// Letters that digits took the place of count as in classes (dict/ask/respelling.h): "r3plied".
  [[nodiscard]] std::uint16_t uses(std::u32string_view word) const;

  /// Whether `word` begins with an entry "word*" of that use.
  [[nodiscard]] bool begins(std::u32string_view word, WordUse use) const noexcept;

  /// Whether `word` ends with an entry "-end" of that use; never for fewer than four characters.
  [[nodiscard]] bool ends(std::u32string_view word, WordUse use) const noexcept;

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint16_t uses = kNoUse;  ///< kNoUse: the place is free
  };

  BoundaryLexicon();
  void read(std::string_view file);
  void add(std::u32string_view spelling, std::uint16_t use);
  [[nodiscard]] std::uint16_t find(std::uint64_t key) const noexcept {
    const bool may_be = (filter_[key % kFilterBits / 64] >> (key % 64) & 1U) != 0;
    return may_be ? find_in_table(key) : std::uint16_t{kNoUse};
  }
  [[nodiscard]] std::uint16_t find_in_table(std::uint64_t key) const noexcept;

  static constexpr std::size_t kFilterBits = 65'536;
  std::vector<std::uint64_t> filter_;  ///< a bit for the low bits of each key: most words stop at it
  std::vector<Entry> table_;  ///< open addressing, a power of two of places, at most half of them taken
  std::size_t taken_ = 0;
};

}  // namespace akin
