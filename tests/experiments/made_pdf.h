// Makes PDFs whose letters are of any script, drawn as a test wants them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace akin::experiments {

/// What a font says of its letters.
enum class FontMap : std::uint8_t {
  right,  ///< name of the glyph and character map agree
  wrong,  ///< the character map gives another letter than the name
  none,   ///< neither says anything
};

/// Pages of A4, in points, with y upwards. Every letter is 0.6 of its size wide. Text is placed only; what
/// hides it is written around it by `add`.
class MadePdf {
 public:
  static constexpr double kWidth = 595, kHeight = 842;

  void begin_page() { pages_.emplace_back(); }
  /// Content of the page in PDF's own operators.
  void add(std::string_view operators) { (pages_.back() += operators) += '\n'; }
  /// Characters of the Basic Multilingual Plane. `maps`: one for each character, or empty for all right.
  void add_text(double x, double y, double size, std::u32string_view text,
                const std::vector<FontMap>& maps = {});
  [[nodiscard]] std::size_t pages() const noexcept { return pages_.size(); }

  [[nodiscard]] std::string bytes() const;

 private:
  /// A font shows so many characters, beside the blank.
  static constexpr std::size_t kCodes = 200;
  struct Glyph {
    std::size_t font = 0;
    unsigned code = 0;
  };
  struct Font {
    FontMap map;
    std::u32string characters;  ///< code kFirstCode is the first
  };
  [[nodiscard]] Glyph glyph_of(char32_t c, FontMap map);

  std::vector<std::string> pages_;
  std::vector<Font> fonts_;
  std::map<std::pair<FontMap, char32_t>, Glyph> glyphs_;
};

}  // namespace akin::experiments
