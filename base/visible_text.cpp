#include "base/visible_text.h"

#include "base/hex.h"

namespace akin {

std::string visible_text(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  const auto escape = [&shown](char c) { shown.append("\\x").append(hex_of({&c, 1})); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
    if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) {
      escape(text[at]);
      escape(text[++at]);
    } else if ((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7F) {
      escape(text[at]);
    } else {
      shown += text[at];
    }
  }
  return shown;
}

}  // namespace akin
