// Letterspaced words: т е к с т, т.е.к.с.т.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"

namespace akin {

/// Adds edits that join the letters of each letterspaced word, in the order of the text.
///
/// A chain is five or more words of one letter (Latin, Cyrillic or Greek), between each two the same single
/// separator (a blank, a full stop, or a no-break, thin or other narrow space), or an apostrophe between two
/// of them. Two letters suffice where a fortieth of the words are chains of five or more with that kind of
/// separator: blank, full stop, no-break space or thin space. One word in 400 is enough for thin and no-break
/// spaces, and for a chain with blanks that has more than one blank on a side and no word beside a single
/// one, if most chains with blanks have more than one on a side. Up to four letters that a no-break space
/// parts from a word are not a chain, as Russian print has it after prepositions. Letters in the order of the
/// alphabet are a list, and letters after full stops among which there is a capital are an abbreviation:
/// neither is a chain. The separators of a chain are removed. If they are blanks, and most of the chains are
/// not set off by more than one blank, a chain may hold several words: its blanks become hyphenations, so
/// that the dictionary decides where its words end.
void find_spaced_letters(std::string_view utf8, std::vector<ArrivalEdit>& edits);

/// Whether a separator at one of the bytes [from, to) is the first of five letters that it separates. Every
/// text for which find_spaced_letters adds edits has such a place, with letters of one size in UTF-8, one or
/// two bytes.
[[nodiscard]] bool begins_spaced_letters(std::string_view utf8, std::size_t from, std::size_t to);

}  // namespace akin
