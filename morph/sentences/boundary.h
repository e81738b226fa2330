// Where one sentence ends and the next begins. The rule depends neither on language nor on letter case; it
// looks at a bounded neighbourhood of the mark, so a passage splits the same way wherever it is quoted. The
// rule in words: docs/sentences.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace akin {

/// How many characters before and after the mark the rule may look at. It never looks further, so more
/// context cannot change an answer.
inline constexpr std::size_t kBoundaryWindow = 96;

/// Whether `c` ends a sentence in a script that sets no space after it.
[[nodiscard]] constexpr bool is_unspaced_terminator(char32_t c) {
  switch (c) {
    case U'\u0f0d':  // Tibetan
    case U'\u0f0e':
    case U'\u104b':  // Burmese
    case U'\u17d4':  // Khmer
    case U'\u17d5':
    case U'\u3002':  // ideographic
      return true;
    default:
      return false;
  }
}

/// Whether `c` may end a sentence: . ! ? and the full stops and question marks of other scripts. `c` is NFKC,
/// so there is no single character for an ellipsis.
[[nodiscard]] constexpr bool is_terminator(char32_t c) {
  if (c < 0x80) return c == U'.' || c == U'!' || c == U'?';
  if (c < 0x589) return false;
  switch (c) {
    case U'\u0589':  // Armenian
    case U'\u061f':  // Arabic
    case U'\u06d4':
    case U'\u0964':  // Devanagari
    case U'\u0965':
    case U'\u1362':  // Ethiopic
    case U'\u1367':
    case U'\u203d':  // interrobang
      return true;
    default:
      return is_unspaced_terminator(c);
  }
}

/// Where the sentence that may end at block[at] ends: the index one past its last character, including
/// closing quotes and brackets; nullopt if the sentence continues. block[at] is a terminator, the first of
/// its run ("?!", "..."); for a later one of a run the answer is always nullopt.
///
/// `block` is one paragraph, or a window of it that holds at least kBoundaryWindow characters before and
/// after `at` except where the paragraph begins or ends. It is NFKC, case-folded (default full or simple
/// folding) and without ignorable characters; white space of any kind and a single line break count as a
/// space. Allocates nothing. Requires at < block.size().
[[nodiscard]] std::optional<std::size_t> sentence_end(std::u32string_view block, std::size_t at);

/// Whether a blank line after `before` is white space like any other, so that only sentence_end decides:
/// after a colon, and after , ! ? a dash, or two full stops or more, which quotation marks and brackets may
/// follow (fewer than kClosersSeen). `before` is folded as a block is, without white space at its end, and
/// every dash is U+2014.
[[nodiscard]] bool goes_on_past_blank_line(std::u32string_view before);
inline constexpr std::size_t kClosersSeen = 8;

}  // namespace akin
