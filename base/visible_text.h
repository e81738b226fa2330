// Text that is shown to people, perhaps on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace akin {

/// The text with each control character that could steer a terminal as \xNN for each of its bytes: those of
/// C0 but tab and line feed, DEL, and those of C1, U+0080 to U+009F. Takes any bytes.
[[nodiscard]] std::string visible_text(std::string_view text);

}  // namespace akin
