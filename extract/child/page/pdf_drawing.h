// Draws pages of a PDF in the sandbox, which has no fonts but those of the document.
#pragma once

#include <GfxFont.h>
#include <PDFDoc.h>
#include <SplashOutputDev.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>

namespace akin::extract {

inline constexpr double kPointsPerInch = 72;

/// The dots per inch at which a page is drawn: those wanted, or fewer, so that it has so many pixels at most.
[[nodiscard]] inline int dots_for(PDFDoc& document, int number, int wanted, double most_pixels) {
  const double inches = document.getPageCropWidth(number) * document.getPageCropHeight(number) /
                        kPointsPerInch / kPointsPerInch;
  const double most = std::sqrt(most_pixels / std::max(inches, 1e-3));
  return std::clamp(wanted, 1, static_cast<int>(std::clamp(most, 1.0, 1e4)));
}

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
