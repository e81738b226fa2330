#include "extract/child/page/pdf_pictures.h"

#include <Array.h>
#include <Dict.h>
#include <GfxState.h>

#include <utility>

namespace akin::extract {

namespace {

constexpr std::size_t kMostPictures = 10000;
/// The share of a page from which a picture is a scan of it.
constexpr double kScan = 0.5;

bool is_jpeg_2000(const Dict& dict) {
  if (!dict.lookupNF("Subtype").isName("Image")) return false;
  Object filter = dict.lookup("Filter");
  if (filter.isArray() && filter.arrayGetLength() > 0) filter = filter.arrayGet(filter.arrayGetLength() - 1);
  return filter.isName("JPXDecode");
}

class UndecodedPictures final : public MemStream {
 public:
  UndecodedPictures(std::string_view pdf, Goffset from, Goffset size, Object&& of)
      : MemStream(pdf.data(), from, size, std::move(of)), pdf_(pdf) {}

  /// Poppler makes each stream of the file from the dictionary that it gives to this.
  Stream* makeSubStream(Goffset from, bool limited, Goffset size, Object&& of) override {
    if (of.isDict() && is_jpeg_2000(*of.getDict())) {
      of.dictSet("BitsPerComponent", Object(8));  // of any JPEG 2000 in poppler
      if (of.dictLookupNF("ColorSpace").isNull()) of.dictSet("ColorSpace", Object(objName, "DeviceGray"));
      of.dictSet("Filter", Object(objNull));
    }
    const auto rest = static_cast<Goffset>(pdf_.size()) - from;
    return new UndecodedPictures(pdf_, from, limited ? std::min(size, rest) : rest, std::move(of));
  }

 private:
  std::string_view pdf_;
};

}  // namespace

std::unique_ptr<BaseStream> with_undecoded_pictures(std::string_view pdf) {
  return std::make_unique<UndecodedPictures>(pdf, 0, static_cast<Goffset>(pdf.size()), Object(objNull));
}

Box clipped(const GfxState& state, Box box) {
  Box clip;
  state.getClipBBox(&clip.left, &clip.top, &clip.right, &clip.bottom);
  return {std::max(box.left, clip.left), std::max(box.top, clip.top), std::min(box.right, clip.right),
          std::min(box.bottom, clip.bottom)};
}

Box path_box(const GfxState& state) {
  const GfxPath* path = state.getPath();
  Box box;
  for (int i = 0; i < path->getNumSubpaths(); ++i) {
    const GfxSubpath* part = path->getSubpath(i);
    for (int j = 0; j < part->getNumPoints(); ++j) {
      double x = 0, y = 0;
      state.transform(part->getX(j), part->getY(j), &x, &y);
      box.add(x, y);
    }
  }
  return box;
}

void PagePictures::begin_page(double width, double height) {
  pictures_.clear();
  gradients_.clear();
  glyphs_ = shapes_ = 0;
  groups_ = 0;
  page_area_ = width * height;
}

bool PagePictures::has_at(double x, double y) const noexcept {
  return std::ranges::any_of(pictures_, [&](const Picture& one) { return one.box.contains(x, y); }) ||
         std::ranges::any_of(gradients_, [&](const Box& box) { return box.contains(x, y); });
}

bool PagePictures::covers(std::uint64_t glyph, double x, double y) const noexcept {
  return std::ranges::any_of(pictures_, [&](const Picture& one) {
    return one.opaque && one.glyphs > glyph && one.box.area() < kScan * page_area_ && one.box.contains(x, y);
  });
}

bool PagePictures::fill_page() const noexcept {
  constexpr double kMuch = 0.25;
  constexpr std::uint64_t kLetters = 300;  // of text that is drawn
  return share_of_page() >= kMuch || shapes_ >= kLetters;
}

bool PagePictures::fill_whole_page() const noexcept {
  constexpr double kAll = 0.85;
  return share_of_page() >= kAll;
}

double PagePictures::share_of_page() const noexcept {
  double area = 0;
  for (const Picture& one : pictures_) area += one.box.area();
  return page_area_ > 0 ? area / page_area_ : 0;
}

void PagePictures::drawImage(GfxState* state, Object* ref, Stream* stream, int width, int height,
                             GfxImageColorMap* colours, bool interpolate, const int* mask, bool in_line) {
  add_picture(*state, mask == nullptr);
  OutputDev::drawImage(state, ref, stream, width, height, colours, interpolate, mask, in_line);
}

void PagePictures::drawImageMask(GfxState* state, Object* ref, Stream* stream, int width, int height,
                                 bool invert, bool interpolate, bool in_line) {
  add_picture(*state, false);
  OutputDev::drawImageMask(state, ref, stream, width, height, invert, interpolate, in_line);
}

void PagePictures::add_picture(const GfxState& state, bool opaque) {
  if (pictures_.size() == kMostPictures) return;
  Box box;
  for (const double at_x : {0.0, 1.0}) {
    for (const double at_y : {0.0, 1.0}) {
      double x = 0, y = 0;
      state.transform(at_x, at_y, &x, &y);
      box.add(x, y);
    }
  }
  // Of a picture that is turned the box is more than it covers.
  const auto& to_page = state.getCTM();
  const bool upright = (to_page[1] == 0 && to_page[2] == 0) || (to_page[0] == 0 && to_page[3] == 0);
  const bool solid = opaque && upright && groups_ == 0 && state.getFillOpacity() >= 1 &&
                     state.getBlendMode() == gfxBlendNormal;
  pictures_.push_back({clipped(state, box), glyphs_, solid});
}

void PagePictures::fill_pattern(const GfxState& state) {
  if (gradients_.size() < kMostPictures) gradients_.push_back(clipped(state, {-1e9, -1e9, 1e9, 1e9}));
}

}  // namespace akin::extract
