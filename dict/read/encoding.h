// The character encoding of a dictionary pair, as its SET line names it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace akin {

/// UTF-8, or any encoding of one byte per character that ICU knows (KOI8-R, ISO8859-1 … -15,
/// microsoft-cp1251, TIS620 …): the encodings that Hunspell accepts.
class Encoding {
 public:
  /// The default, as in Hunspell: ISO 8859-1.
  Encoding();

  /// Nothing if no converter has the name, or if the encoding is neither UTF-8 nor one byte per character.
  [[nodiscard]] static std::optional<Encoding> named(std::string_view name);

  /// Replaces `letters` with the characters of `bytes`; false if the bytes are not in this encoding.
  [[nodiscard]] bool decode(std::string_view bytes, std::u32string& letters) const;

  /// Replaces `bytes` with the encoded letters; false if a letter is not in this encoding.
  [[nodiscard]] bool encode(std::u32string_view letters, std::string& bytes) const;

 private:
  bool utf8_ = false;
  std::array<char32_t, 256> to_unicode_{};
  std::vector<std::pair<char32_t, unsigned char>> from_unicode_;  // sorted
};

}  // namespace akin
