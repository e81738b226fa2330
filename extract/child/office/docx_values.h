// Values of attributes of a DOCX.
#pragma once

#include <string>
#include <string_view>

#include "extract/child/xml.h"

namespace akin::extract {

/// Of a length in EMU; 0 without one.
[[nodiscard]] double centimetres(std::string_view emu);

/// A number, mostly of twentieths of a point; 0 without one.
[[nodiscard]] int twentieths(std::string_view written);

/// Whether a line or row of this height, in twentieths of a point, has nothing that anybody reads.
[[nodiscard]] bool is_low(std::string_view height);

/// Whether an "ind" says where lines begin; and whether all of them begin half a centimetre to the right, or
/// more. Entries of lists begin to the left of the others.
[[nodiscard]] bool has_left_indent(const XmlAttributes& indent);
[[nodiscard]] bool is_set_off_by(const XmlAttributes& indent);

/// Whether the element has what was deleted, or what was there before a change of properties.
[[nodiscard]] bool is_of_the_past(std::string_view name);

/// Whether a footnote or endnote is what is drawn between notes and the body.
[[nodiscard]] bool is_separator_of_notes(const XmlAttributes& note);

/// Whether a field shows what its code says, at once (EQ, MACROBUTTON, GOTOBUTTON) or when it is updated
/// (QUOTE, IF).
[[nodiscard]] bool shows_its_code(std::string_view code);

/// The character of a "sym". Fonts of symbols have their glyphs from U+F000 on; of those only the Greek ones
/// of the font Symbol are letters, others part words.
[[nodiscard]] std::string symbol_of(const XmlAttributes& attributes);

}  // namespace akin::extract
