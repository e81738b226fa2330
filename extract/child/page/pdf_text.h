// The text of a PDF's pages, parted into what a reader sees and what nobody sees.
#pragma once

#include <GfxState.h>
#include <PDFDoc.h>
#include <TextOutputDev.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "extract/child/page/pdf_page.h"
#include "extract/child/page/pdf_patterns.h"
#include "extract/child/page/pdf_pictures.h"
#include "extract/child/page/said_letters.h"
#include "extract/document.h"

namespace akin::extract {

/// Appends the characters that poppler gives, as UTF-8. What is not a character becomes U+FFFD.
void append_characters(std::string& to, const Unicode* characters, int count);

/// A text string of a PDF as UTF-8: UTF-16 with its mark, UTF-8 with its mark, or nearly Latin-1. Empty if it
/// is damaged.
[[nodiscard]] std::string text_of(const GooString& string);

/// Calls visit(line, block) for the lines of a page in reading order; blocks are numbered from 0.
template <class Visit>
void for_each_line(const TextOutputDev& text, const Visit& visit) {
  std::uint32_t number = 0;
  for (const TextFlow* flow = text.getFlows(); flow != nullptr; flow = flow->getNext()) {
    for (const TextBlock* block = flow->getBlocks(); block != nullptr; block = block->getNext(), ++number) {
      for (const TextLine* line = block->getLines(); line != nullptr; line = line->getNext())
        visit(*line, number);
    }
  }
}

/// What poppler reports of a document, as its callback. After a colour space that it cannot read it keeps the
/// colour before; until the next one is set, VisibleText takes what is filled to have an unknown colour.
void note_error(ErrorCategory category, Goffset position, const char* message);

/// The error of a document that poppler could not open.
[[nodiscard]] Error unreadable(PDFDoc& document);

/// Counts of glyphs, of a page or of a file.
struct GlyphCounts {
  std::uint64_t all = 0;
  std::uint64_t seen = 0;           ///< without blanks
  std::uint64_t unreadable = 0;     ///< no character is known
  std::uint64_t guessed = 0;        ///< no map and no name says which; poppler takes their codes
  std::uint64_t guessed_small = 0;  ///< such whose code is that of a small letter
  std::uint64_t wrong = 0;          ///< the font names another letter than the character map gives
};

/// Poppler's own arrangement of a page's text, but of what is seen only. The rest is collected apart.
class VisibleText : public WithPatterns<TextOutputDev> {
 public:
  VisibleText() : WithPatterns(nullptr, false, 0, false, false) {}

  /// `pictures`: of this page, which must outlive its reading; null if it seems to have none. Without
  /// `as_said`, glyphs have the letters of their fonts, whatever ActualText says of them.
  void begin_page(const PagePictures* pictures, bool as_said = true);

  void drawChar(GfxState* state, double x, double y, double dx, double dy, double origin_x, double origin_y,
                CharCode code, int bytes, const Unicode* characters, int count) override;
  void beginActualText(GfxState* state, const GooString* said) override;
  void endActualText(GfxState* state) override;
  void endPage() override;
  void updateFillColorSpace(GfxState* state) override;
  void fill(GfxState* state) override { add_ground(*state); }
  void eoFill(GfxState* state) override { add_ground(*state); }
  void stroke(GfxState* state) override { add_stroke(*state); }
  /// Lets poppler show it pictures, whether they are within a content stream or objects.
  bool needNonText() override { return true; }
  void drawImage(GfxState* state, Object* ref, Stream* stream, int width, int height,
                 GfxImageColorMap* colours, bool interpolate, const int* mask, bool in_line) override {
    may_hide_ = true;
    OutputDev::drawImage(state, ref, stream, width, height, colours, interpolate, mask, in_line);
  }
  // Only opaque pictures hide text.
  void drawImageMask(GfxState* state, Object* ref, Stream* stream, int width, int height, bool invert,
                     bool interpolate, bool in_line) override {
    has_pictures_ = true;
    OutputDev::drawImageMask(state, ref, stream, width, height, invert, interpolate, in_line);
  }
  void drawMaskedImage(GfxState*, Object*, Stream*, int, int, GfxImageColorMap*, bool, Stream*, int, int,
                       bool, bool) override {
    has_pictures_ = true;
  }
  void drawSoftMaskedImage(GfxState*, Object*, Stream*, int, int, GfxImageColorMap*, bool, Stream*, int, int,
                           GfxImageColorMap*, bool) override {
    has_pictures_ = true;
  }

  /// Of the page, once it is read.
  [[nodiscard]] const HiddenText& hidden() const noexcept { return hidden_; }
  /// Apart from it: what is outside of the page, or in its margin and beyond all that is seen.
  [[nodiscard]] const HiddenText& beside() const noexcept { return beside_; }
  /// Tiny letters among small ones, as a picture of another page has them.
  [[nodiscard]] const std::string& too_small() const noexcept { return too_small_; }
  [[nodiscard]] const GlyphCounts& counts() const noexcept { return counts_; }
  /// Whether pictures are on the page that may hide text, and whether it has any, or gradients.
  [[nodiscard]] bool may_hide() const noexcept { return may_hide_; }
  [[nodiscard]] bool has_pictures() const noexcept { return may_hide_ || has_pictures_; }
  /// What the character map gives for wrong glyphs, the first of them.
  [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
  /// What ActualText says of the page's glyphs, and whether that is another text than they are.
  [[nodiscard]] const SaidLetters& said() const noexcept { return said_; }
  [[nodiscard]] bool is_said_otherwise() const noexcept;

 protected:
  void fill_pattern(const GfxState&) override { has_pictures_ = true; }

 private:
  /// A filled area.
  struct Ground {
    Box box;
    GfxRGB colour;
    bool plain;  ///< a rectangle of this colour and nothing else
  };
  struct Place {
    double x, y;  ///< the glyph's middle on its base line
    double size;  ///< of the font
  };
  struct Glyph {
    double x, y, dx;
    const Unicode* characters;
    int count;
  };
  /// The last letter that takes marks, and where it ends; its size is 0 if none was the last.
  struct Base {
    double x = 0, y = 0, size = 0;
  };
  struct Letter {
    Unicode character;
    Place at;
  };

  [[nodiscard]] HidingSet hiding(const GfxState& state, Place at) const;
  [[nodiscard]] bool has_colour_of_ground(const GfxState& state, Place at) const;
  [[nodiscard]] bool is_outside(const GfxState& state, Place at) const;
  [[nodiscard]] bool has_shadow(Place at, const Unicode* characters, int count);
  void add_ground(const GfxState& state);
  void add_stroke(const GfxState& state);
  [[nodiscard]] bool takes_mark(const GfxState& state, Unicode mark, double x, double y) const;
  void hide(const GfxState& state, const Glyph& glyph, HidingSet ways);
  /// Returns whether only its code says which character the glyph is.
  bool count_guess(const GfxState& state, CharCode code, const Unicode* characters, int count);
  void compare_with_name(const GfxState& state, CharCode code, const Unicode* characters, int count);

  const PagePictures* pictures_ = nullptr;
  std::vector<Ground> grounds_;
  std::vector<Letter> large_;            ///< letters that are large enough for a shadow
  HiddenText hidden_, beside_, margin_;  ///< the last until the page ends
  Box seen_;                             ///< has the letters that are seen
  std::vector<Place> margin_places_;
  std::string too_small_, wrong_;
  double last_size_ = 0;  ///< of the last letter that is seen
  bool may_hide_ = false, has_pictures_ = false, as_said_ = true;
  SaidLetters said_;
  Base base_;
  double hidden_x_ = 0, hidden_y_ = 0;
  GlyphCounts counts_;
};

}  // namespace akin::extract
