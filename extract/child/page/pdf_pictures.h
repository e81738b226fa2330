// What a page of a PDF shows besides text, so far as it decides which text is seen.
#pragma once

#include <OutputDev.h>
#include <Stream.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "extract/child/page/pdf_patterns.h"

namespace akin::extract {

/// The bytes of a PDF for a PDFDoc, which they must outlive. Poppler decodes a JPEG 2000 whenever a page has
/// one, only to learn its depth; pictures of these bytes say it, and have no filter. They cannot be drawn.
[[nodiscard]] std::unique_ptr<BaseStream> with_undecoded_pictures(std::string_view pdf);

/// In points, y downwards from the top of the page as it is shown.
struct Box {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;

  void add(double x, double y) noexcept {
    left = std::min(left, x), right = std::max(right, x);
    top = std::min(top, y), bottom = std::max(bottom, y);
  }
  [[nodiscard]] bool contains(double x, double y) const noexcept {
    return x >= left && x <= right && y >= top && y <= bottom;
  }
  [[nodiscard]] double area() const noexcept {
    return right > left && bottom > top ? (right - left) * (bottom - top) : 0;
  }
};

/// What is inside of the area that may be drawn at now.
[[nodiscard]] Box clipped(const GfxState& state, Box box);
/// The current path.
[[nodiscard]] Box path_box(const GfxState& state);

struct Picture {
  Box box;
  std::uint64_t glyphs = 0;  ///< that the page has drawn before it
  bool opaque = false;
};

/// Collects the pictures of one page, without decoding them.
class PagePictures : public WithPatterns<OutputDev> {
 public:
  void begin_page(double width, double height);

  /// Whether a picture or a gradient is at this place.
  [[nodiscard]] bool has_at(double x, double y) const noexcept;
  /// Whether one is drawn over what was the page's glyph number `glyph`, from 0. A picture that fills most of
  /// the page is a scan, under which its recognized text is drawn.
  [[nodiscard]] bool covers(std::uint64_t glyph, double x, double y) const noexcept;
  /// Whether pictures or drawn shapes make up the page, if it has no text.
  [[nodiscard]] bool fill_page() const noexcept;
  /// Whether they fill all of it, as a scan does, but for narrow margins.
  [[nodiscard]] bool fill_whole_page() const noexcept;

  bool upsideDown() override { return true; }
  bool useDrawChar() override { return true; }
  bool interpretType3Chars() override { return false; }
  void drawChar(GfxState*, double, double, double, double, double, double, CharCode, int, const Unicode*,
                int) override {
    ++glyphs_;
  }
  void beginTransparencyGroup(GfxState*, const double*, GfxColorSpace*, bool, bool, bool) override {
    ++groups_;
  }
  void endTransparencyGroup(GfxState*) override { --groups_; }
  void fill(GfxState*) override { ++shapes_; }
  void eoFill(GfxState*) override { ++shapes_; }
  void drawImage(GfxState* state, Object* ref, Stream* stream, int width, int height,
                 GfxImageColorMap* colours, bool interpolate, const int* mask, bool in_line) override;
  void drawImageMask(GfxState* state, Object* ref, Stream* stream, int width, int height, bool invert,
                     bool interpolate, bool in_line) override;
  void drawMaskedImage(GfxState* state, Object*, Stream*, int, int, GfxImageColorMap*, bool, Stream*, int,
                       int, bool, bool) override {
    add_picture(*state, false);
  }
  void drawSoftMaskedImage(GfxState* state, Object*, Stream*, int, int, GfxImageColorMap*, bool, Stream*, int,
                           int, GfxImageColorMap*, bool) override {
    add_picture(*state, false);
  }

 protected:
  void fill_pattern(const GfxState& state) override;

 private:
  void add_picture(const GfxState& state, bool opaque);
  /// That of the page which pictures have, more than 1 where they overlap.
  [[nodiscard]] double share_of_page() const noexcept;

  std::vector<Picture> pictures_;
  std::vector<Box> gradients_;
  std::uint64_t glyphs_ = 0, shapes_ = 0;
  int groups_ = 0;  ///< open ones, whose pictures may be blended, as shadows are
  double page_area_ = 0;
};

}  // namespace akin::extract
