// What differs within an aligned passage. The last step of alignment; docs/alignment.md has the definition.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/align/align.h"
#include "morph/align/word_sequence.h"

namespace akin {

enum class ChangeKind : std::uint8_t {
  inserted,    ///< words of B that A does not have here
  left_out,    ///< words of A that B does not have here
  replaced,    ///< words of A where B has others
  moved,       ///< the same words in another place of the passage
  inflected,   ///< another form of the same word
  look_alike,  ///< the same word with letters, or invisible characters, that disguise it
  synonym,     ///< a word where B has a synonym; only if the dictionary has synonyms
};
inline constexpr std::size_t kChangeKinds = 7;

/// "inserted", "left_out" and so on.
[[nodiscard]] std::string_view name_of(ChangeKind kind) noexcept;

/// One change. A range is empty, at the place of the change, in the text that has no words there.
struct WordChange {
  ChangeKind kind = ChangeKind::inserted;
  WordRange a, b;
  friend bool operator==(const WordChange&, const WordChange&) = default;
};

/// A text with its words.
struct WrittenWords {
  std::string_view text;
  const WordSequence& words;
};

/// The changes that turn the passage of A into that of B, by their places in A, then in B. A moved word may
/// be inflected, too; otherwise each word is in one change at most. Time: linear in the words of the passage,
/// but for the sorting of its fragments.
[[nodiscard]] std::vector<WordChange> find_changes(const AlignedPassage& passage, const WrittenWords& a,
                                                   const WrittenWords& b, const Dictionary& dictionary);

}  // namespace akin
