// What marked content of a PDF says that its glyphs mean (ActualText), beside what their fonts say.
#pragma once

#include <CharTypes.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace akin::extract {

/// Counts, of a page, the letters whose meaning it denies. Programs say what ligatures, hyphens and formulas
/// mean, which have their letters. What is said in another script than Latin of glyphs under Latin names
/// denies nothing: old fonts have them.
class SaidLetters {
 public:
  void begin_page() { *this = {}; }
  /// What is said of the glyphs up to the next end.
  void begin(std::string_view utf8);
  /// A glyph that is seen, by its font.
  void glyph(Unicode character);
  void end();

  [[nodiscard]] std::uint64_t denied() const noexcept { return denied_; }
  /// What is said in their place, the beginning.
  [[nodiscard]] const std::string& sample() const noexcept { return sample_; }

 private:
  std::string said_, sample_;
  std::u32string drawn_;  ///< small letters
  std::uint64_t denied_ = 0;
  bool open_ = false;
};

}  // namespace akin::extract
