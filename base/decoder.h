// Text in other encodings than UTF-8, by the converters of ICU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct UConverter;

namespace akin {

/// Converts from one encoding to UTF-8. One thread at a time.
class Decoder {
 public:
  /// What becomes of bytes that are invalid in the encoding.
  enum class Invalid : std::uint8_t { replaced, refused };

  /// Most bytes of a call.
  static constexpr std::size_t kMostBytes =
      static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 4;

  /// Nothing if ICU does not know the name.
  [[nodiscard]] static std::optional<Decoder> open(const std::string& encoding,
                                                   Invalid invalid = Invalid::replaced);

  /// The text; invalid bytes become U+FFFD (a single one U+001A in encodings of two bytes, as ICU does), or
  /// nothing is returned. Nothing for more than kMostBytes either.
  [[nodiscard]] std::optional<std::string> decode(std::string_view bytes);

 private:
  struct Close {
    void operator()(UConverter* converter) const noexcept;
  };
  std::unique_ptr<UConverter, Close> converter_;
};

/// What a byte without a character is in CharactersOfBytes.
inline constexpr char32_t kNoCharacter = 0xfffd;

/// The character of each byte, in an encoding of one byte per character.
using CharactersOfBytes = std::array<char32_t, 256>;

/// Nothing if ICU does not know the name, or if the encoding has more than one byte per character.
[[nodiscard]] std::optional<CharactersOfBytes> characters_of_bytes(const std::string& encoding);

}  // namespace akin
