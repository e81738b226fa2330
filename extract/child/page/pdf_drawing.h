// Draws pages of a PDF in the sandbox, which has no fonts but those of the document.
#pragma once

#include <GfxFont.h>
#include <PDFDoc.h>
#include <SplashOutputDev.h>

#include <memory>
#include <set>
#include <string>

namespace akin::extract {

/// Draws all but the letters of fonts that the document lacks: the sandbox cannot open those of the system.
class PdfDrawing final : public SplashOutputDev {
 public:
  PdfDrawing(SplashColorMode mode, SplashColorPtr paper, PDFDoc& document)
      : SplashOutputDev(mode, 4, false, paper), document_(document) {
    startDoc(&document);
  }

  void drawChar(GfxState* state, double x, double y, double dx, double dy, double originX, double originY,
                CharCode code, int nBytes, const Unicode* u, int uLen) override {
    if (state->getFont() != last_font_) {
      last_font_ = state->getFont();
      has_font_ = last_font_ != nullptr && holds(*last_font_);
      if (!has_font_ && last_font_ != nullptr && last_font_->getName())
        missing_.insert(*last_font_->getName());
    }
    if (has_font_) SplashOutputDev::drawChar(state, x, y, dx, dy, originX, originY, code, nBytes, u, uLen);
  }

  /// The names of the fonts whose letters were not drawn.
  [[nodiscard]] const std::set<std::string>& missing_fonts() const noexcept { return missing_; }

 private:
  /// Glyphs of Type 3 are drawn as the page is.
  [[nodiscard]] bool holds(const GfxFont& letters) const {
    if (letters.getType() == fontType3) return true;
    Ref id = Ref::INVALID();
    return letters.getEmbeddedFontID(&id) && Object(id).fetch(document_.getXRef()).isStream();
  }

  PDFDoc& document_;
  std::shared_ptr<GfxFont> last_font_;
  bool has_font_ = false;
  std::set<std::string> missing_;
};

}  // namespace akin::extract
