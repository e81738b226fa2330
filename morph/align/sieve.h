// Reads a long text for its alignment with a short one: its words need only be distinguished from those of
// the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/align/word_sequence.h"

namespace akin {

/// What is needed of a text B to align it with A. Memory: 4 bytes a word, and one in 300 of the text.
class SievedText {
 public:
  /// Reads B as it is, without the checks and the arrangement of scan_text. nullopt if too many of its words
  /// would have to be scanned, as in scripts without blanks; a third of the time of a scan may be lost then.
  /// `a`: the classes of A's words.
  [[nodiscard]] static std::optional<SievedText> of(std::string_view b, std::span<const std::uint64_t> a,
                                                    const Dictionary& dictionary);

  /// The words of B by the number of their class, where all classes that A does not have count as one. Must
  /// not outlive this object.
  [[nodiscard]] NumberedWords numbered() const noexcept { return {classes_, words_}; }

  /// Words of a stretch with their own classes, and places in the text. `text`: B. Time: linear in the
  /// stretch.
  [[nodiscard]] WordSequence read(WordRange stretch, std::string_view text,
                                  const Dictionary& dictionary) const;

 private:
  friend class Sieve;
  /// A place at which scan_stretch can begin and end: before a word, and after the one before it.
  struct Milestone {
    std::uint32_t word = 0, byte = 0, code_point = 0;
  };

  std::vector<std::uint64_t> classes_;  ///< one that A does not have, then those of A
  std::vector<std::uint32_t> words_;    ///< the indexes of their classes
  std::vector<Milestone> milestones_;   ///< in order; from the text's beginning to its end
};

/// Whether SievedText::of is likely to succeed: looks at some parts of a text.
[[nodiscard]] bool can_be_sieved(std::string_view b, const Dictionary& dictionary);

/// Texts of so many bytes are worth sieving: keeping all of their words would take much memory.
inline constexpr std::size_t kLongText = std::size_t{8} << 20U;

}  // namespace akin
