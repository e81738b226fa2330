#include "extract/child/page/pdf_text.h"

#include <ErrorCodes.h>
#include <GfxFont.h>
#include <GlobalParams.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/utf8.h"
#include "extract/child/errors.h"
#include "extract/formats/text_encoding.h"
#include "extract/html/css_values.h"

namespace akin::extract {

namespace {

/// Letters smaller than this nobody reads, in points.
constexpr double kTiny = 2;
/// After letters smaller than this, tiny ones belong to the same picture of a page.
constexpr double kSmallPrint = 5;
constexpr std::size_t kMostGrounds = 10000;
/// What is less opaque is not seen.
constexpr double kTransparent = 0.05;

GfxRGB fill_colour(const GfxState& state) {
  GfxRGB colour;
  state.getFillRGB(&colour);
  return colour;
}

bool is_near(const GfxRGB& a, const GfxRGB& b) {
  const auto bytes = [](const GfxRGB& colour) {
    return Colour{colToByte(colour.r), colToByte(colour.g), colToByte(colour.b)};
  };
  return is_same_colour(bytes(a), bytes(b));
}

bool is_white(const GfxRGB& colour) { return is_near(colour, {gfxColorComp1, gfxColorComp1, gfxColorComp1}); }

/// poppler's callback of errors has no argument of its own.
bool fill_is_unknown = false;

/// Whether what is filled has another colour than the state says.
bool fills_otherwise(const GfxState& state) {
  auto& of = const_cast<GfxState&>(state);  // poppler's getter is not const
  const bool has_pattern =
      of.getFillColorSpace() != nullptr && of.getFillColorSpace()->getMode() == csPattern;
  return fill_is_unknown || has_pattern;
}

/// Whether the point is nearer to an edge of the page than its text is, where printers leave notes.
bool is_in_margin(const GfxState& state, double x, double y) {
  constexpr double kMargin = 1.0 / 20;
  const double width = state.getPageWidth(), height = state.getPageHeight();
  const auto near = [](double at, double length) {
    return at < kMargin * length || at > length - kMargin * length;
  };
  return near(x, width) || near(y, height);
}

bool is_one_rectangle(const GfxState& state) {
  const GfxPath* path = state.getPath();
  if (path->getNumSubpaths() != 1) return false;
  const GfxSubpath* part = path->getSubpath(0);
  if (part->getNumPoints() < 4 || part->getNumPoints() > 5) return false;
  for (int i = 1; i < part->getNumPoints(); ++i) {
    const bool level = part->getX(i) == part->getX(i - 1) || part->getY(i) == part->getY(i - 1);
    if (!level || part->getCurve(i)) return false;
  }
  return true;
}

constexpr bool is_latin(Unicode c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
constexpr bool is_cyrillic(Unicode c) { return c >= 0x400 && c <= 0x45F; }

/// Poppler knows where those of other alphabets are.
bool takes_marks(Unicode letter) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(letter), &status);
  return script == USCRIPT_CYRILLIC || script == USCRIPT_LATIN || script == USCRIPT_GREEK;
}

Unicode small(Unicode c) {
  if (c >= 'A' && c <= 'Z') return c + 0x20;
  if (c >= 0x410 && c <= 0x42F) return c + 0x20;
  return c >= 0x400 && c <= 0x40F ? c + 0x50 : c;
}

/// Fonts draw these letters of two scripts with one glyph.
bool look_alike(Unicode cyrillic, Unicode latin) {
  constexpr std::u32string_view kCyrillic = U"аеорсухіїјѕвкмнт", kLatin = U"aeopcyxiïjsbkmht";
  const auto found = kCyrillic.find(static_cast<char32_t>(small(cyrillic)));
  return found != std::u32string_view::npos && kLatin[found] == static_cast<char32_t>(small(latin));
}

/// Whether a font that names its glyph `named` cannot mean `given`. Old fonts draw Cyrillic letters under
/// Latin names, so a Latin name says nothing about another script.
bool contradicts(Unicode named, Unicode given) {
  if (is_latin(named) && is_latin(given)) return small(named) != small(given);
  if (!is_cyrillic(named)) return false;
  if (is_cyrillic(given)) return small(named) != small(given);
  return is_latin(given) && !look_alike(named, given);
}

constexpr CharCode kCodes = 256;

/// The font, if its glyphs have codes of one byte and names; else null.
const Gfx8BitFont* simple_font(const GfxState& state) {
  const auto& font = state.getFont();
  return !font || font->isCIDFont() ? nullptr : static_cast<const Gfx8BitFont*>(font.get());
}

/// Whether the font names its glyphs. A symbolic TrueType font finds them by code, whatever its encoding
/// says, and for one without an encoding poppler makes up names that are not in the file.
bool names_glyphs(const Gfx8BitFont& font) {
  if (font.getType() == fontType3) return false;
  return font.getType() != fontTrueType || (font.getHasEncoding() && !font.isSymbolic());
}

/// The character that a glyph's name stands for: one of Adobe's list, "uni0430" or "u0430"; 0 for others.
Unicode meaning_of(const char* name) {
  const Unicode listed = globalParams->mapNameToUnicodeText(name);
  if (listed != 0) return listed;
  std::string_view digits = name;
  digits = digits.substr(0, digits.find('.'));  // of a variant, such as "uni0430.sc"
  if (!digits.starts_with('u')) return 0;
  digits.remove_prefix(digits.starts_with("uni") ? 3 : 1);
  Unicode character = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), character, 16);
  constexpr std::size_t kFewest = 4, kMost = 6;
  const bool right = error == std::errc() && end == digits.data() + digits.size() &&
                     digits.size() >= kFewest && digits.size() <= kMost;
  return right ? character : 0;
}

}  // namespace

Error unreadable(PDFDoc& document) {
  return document.getErrorCode() == errEncrypted ? encrypted() : damaged("is a PDF that cannot be opened");
}

void note_error(ErrorCategory, Goffset, const char* message) {
  if (message != nullptr && std::string_view(message) == "Bad color space (fill)") fill_is_unknown = true;
}

void append_characters(std::string& to, const Unicode* characters, int count) {
  constexpr Unicode kLast = 0x10FFFF, kFirstSurrogate = 0xD800, kLastSurrogate = 0xDFFF;
  for (int i = 0; i < count; ++i) {
    const Unicode c = characters[i];
    const bool right = c <= kLast && c != 0 && (c < kFirstSurrogate || c > kLastSurrogate);
    append_utf8(to, right ? static_cast<char32_t>(c) : U'\uFFFD');
  }
}

std::string text_of(const GooString& string) {
  const std::string bytes(string.c_str(), static_cast<std::size_t>(string.getLength()));
  if (bytes.starts_with("\xFE\xFF") || bytes.starts_with(kUtf8Mark)) {
    const Result<std::string> text = decode_text(bytes, kAutoName, "");
    return text.has_value() ? *text : std::string();
  }
  std::string text;
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

void VisibleText::begin_page(const PagePictures* pictures, bool as_said) {
  pictures_ = pictures;
  as_said_ = as_said;
  said_.begin_page();
  base_ = {};
  grounds_.clear();
  large_.clear();
  hidden_ = beside_ = margin_ = {};
  seen_ = {};
  margin_places_.clear();
  too_small_.clear();
  wrong_.clear();
  counts_ = {};
  fill_is_unknown = false;
  last_size_ = kSmallPrint;
  may_hide_ = has_pictures_ = false;
}

void VisibleText::endPage() {
  const auto among_seen = [&](const Place& at) { return seen_.contains(at.x, at.y); };
  (std::ranges::any_of(margin_places_, among_seen) ? hidden_ : beside_).add(margin_);
  WithPatterns::endPage();
}

void VisibleText::beginActualText(GfxState* state, const GooString* said) {
  said_.begin(text_of(*said));
  if (as_said_) WithPatterns::beginActualText(state, said);
}

void VisibleText::endActualText(GfxState* state) {
  said_.end();
  if (as_said_) WithPatterns::endActualText(state);
}

bool VisibleText::is_said_otherwise() const noexcept {
  constexpr std::uint64_t kFewest = 20, kShare = 20;  // one in so many
  return said_.denied() >= kFewest && said_.denied() * kShare >= counts_.seen;
}

void VisibleText::updateFillColorSpace(GfxState* state) {
  fill_is_unknown = false;
  WithPatterns::updateFillColorSpace(state);
}

void VisibleText::drawChar(GfxState* state, double x, double y, double dx, double dy, double origin_x,
                           double origin_y, CharCode code, int bytes, const Unicode* characters, int count) {
  if (count == 0 || characters == nullptr || characters[0] == 0xFFFD || characters[0] == 0)
    ++counts_.unreadable;
  const bool known = !count_guess(*state, code, characters, count);
  compare_with_name(*state, code, characters, count);
  Place at{0, 0, std::abs(state->getTransformedFontSize())};
  state->transform(x + dx / 2, y + dy / 2, &at.x, &at.y);
  const HidingSet ways = hiding(*state, at);
  ++counts_.all;
  if (ways == set_of(Hiding::size) && last_size_ < kSmallPrint)
    return append_characters(too_small_, characters, count);
  if (ways != 0) return hide(*state, {x, y, dx, characters, count}, ways);
  last_size_ = at.size;
  seen_.add(at.x, at.y);
  if (has_shadow(at, characters, count)) return;
  const bool blank = count > 0 && characters != nullptr && characters[0] == ' ';
  if (!blank) ++counts_.seen;
  if (known && count == 1 && characters != nullptr) said_.glyph(characters[0]);
  const Unicode first = count == 1 && characters != nullptr ? characters[0] : 0;
  if (takes_mark(*state, first, x, y))
    // Poppler would part the word where a mark is drawn over the letter before it.
    return TextOutputDev::drawChar(state, base_.x, base_.y, 0, 0, origin_x, origin_y, code, bytes, characters,
                                   count);
  base_ = {x + dx, y + dy, takes_marks(first) ? at.size : 0};
  TextOutputDev::drawChar(state, x, y, dx, dy, origin_x, origin_y, code, bytes, characters, count);
}

bool VisibleText::takes_mark(const GfxState& state, Unicode mark, double x, double y) const {
  double right = 0, down = 0;
  state.transformDelta(x - base_.x, y - base_.y, &right, &down);
  return u_charType(static_cast<UChar32>(mark)) == U_NON_SPACING_MARK && std::abs(right) < base_.size &&
         std::abs(down) < base_.size;
}

HidingSet VisibleText::hiding(const GfxState& state, Place at) const {
  if (is_outside(state, at)) return set_of(Hiding::outside);
  constexpr int kInvisible = 3;  // "Tr": neither fill nor stroke, 7 to clip too
  if ((state.getRender() & kInvisible) == kInvisible) {
    const bool recognized = pictures_ != nullptr && pictures_->has_at(at.x, at.y);  // in a scan
    return recognized ? HidingSet{0} : set_of(Hiding::switched_off);
  }
  const bool type3 = state.getFont() && state.getFont()->getType() == fontType3;
  if (!type3 && at.size < kTiny) return set_of(Hiding::size);
  if (has_colour_of_ground(state, at)) return set_of(Hiding::colour);
  const bool covered = pictures_ != nullptr && pictures_->covers(counts_.all, at.x, at.y);
  return covered ? set_of(Hiding::covered) : HidingSet{0};
}

/// Whether the same letter was drawn beside and below or above, as the shadow of a title is. Poppler itself
/// drops those that are nearer than a tenth of their size.
bool VisibleText::has_shadow(Place at, const Unicode* characters, int count) {
  constexpr double kLarge = 14, kNear = 0.2, kLevel = 0.01;
  constexpr std::size_t kMost = 2000;
  if (at.size < kLarge || count < 1 || characters == nullptr) return false;
  const bool shadow = std::ranges::any_of(large_, [&](const Letter& one) {
    const double aside = std::abs(one.at.x - at.x), below = std::abs(one.at.y - at.y);
    return one.character == characters[0] && one.at.size == at.size && aside < kNear * at.size &&
           below < kNear * at.size && below > kLevel * at.size;
  });
  if (!shadow && large_.size() < kMost) large_.push_back({characters[0], at});
  return shadow;
}

bool VisibleText::is_outside(const GfxState& state, Place at) const {
  constexpr double kNear = 1;
  const Box page{-kNear, -kNear, state.getPageWidth() + kNear, state.getPageHeight() + kNear};
  if (!page.contains(at.x, at.y)) return true;
  Box clip = clipped(state, page);
  return !Box{clip.left - at.size, clip.top - at.size, clip.right + at.size, clip.bottom + at.size}.contains(
      at.x, at.y);
}

bool VisibleText::has_colour_of_ground(const GfxState& state, Place at) const {
  const bool fills = state.getRender() == 0 || state.getRender() == 4;
  if (!fills || fills_otherwise(state)) return false;
  if (state.getFillOpacity() < kTransparent) return true;
  const auto ground = std::find_if(grounds_.rbegin(), grounds_.rend(),
                                   [&](const Ground& one) { return one.box.contains(at.x, at.y); });
  const GfxRGB colour = fill_colour(state);
  const bool same =
      ground == grounds_.rend() ? is_white(colour) : ground->plain && is_near(ground->colour, colour);
  return same && (pictures_ == nullptr || !pictures_->has_at(at.x, at.y));
}

/// Of areas other than rectangles only the extent is known: they are a ground for white letters alone.
void VisibleText::add_ground(const GfxState& state) {
  const bool opaque = state.getFillOpacity() >= 1 && state.getBlendMode() == gfxBlendNormal;
  Ground ground{clipped(state, path_box(state)), fill_colour(state),
                opaque && !fills_otherwise(state) && is_one_rectangle(state)};
  const bool counts = ground.plain || fill_is_unknown || !is_white(ground.colour);
  if (counts && ground.box.area() > 0 && grounds_.size() < kMostGrounds) grounds_.push_back(ground);
}

/// A thick line that is level or upright is a rectangle, as underlines behind headings are.
void VisibleText::add_stroke(const GfxState& state) {
  constexpr double kThick = 4;
  const GfxPath* path = state.getPath();
  const double half = state.getTransformedLineWidth() / 2;
  if (2 * half < kThick || path->getNumSubpaths() != 1 || path->getSubpath(0)->getNumPoints() != 2) return;
  Box box = path_box(state);
  const bool level = box.bottom == box.top;
  if (!level && box.left != box.right) return;
  (level ? box.top : box.left) -= half;
  (level ? box.bottom : box.right) += half;
  GfxRGB colour;
  state.getStrokeRGB(&colour);
  const bool opaque = state.getStrokeOpacity() >= 1 && state.getBlendMode() == gfxBlendNormal;
  if (opaque && grounds_.size() < kMostGrounds) grounds_.push_back({clipped(state, box), colour, true});
}

void VisibleText::hide(const GfxState& state, const Glyph& glyph, HidingSet ways) {
  double at_x = 0, at_y = 0, width = 0, height = 0;
  state.transform(glyph.x, glyph.y, &at_x, &at_y);
  state.transformDelta(glyph.dx, 0, &width, &height);
  const bool outside = ways == set_of(Hiding::outside), in_margin = is_in_margin(state, at_x, at_y);
  if (in_margin && !outside) margin_places_.push_back({at_x, at_y, 0});
  HiddenText& part = outside ? beside_ : in_margin ? margin_ : hidden_;
  part.ways |= ways;
  std::string& hidden = part.text;
  const double gap = std::max(std::abs(width) * 0.3, 0.05);
  if (std::abs(at_y - hidden_y_) > gap || std::abs(at_x - hidden_x_) > gap) hidden += ' ';
  append_characters(hidden, glyph.characters, glyph.count);
  hidden_x_ = at_x + width;
  hidden_y_ = at_y;
}

bool VisibleText::count_guess(const GfxState& state, CharCode code, const Unicode* characters, int count) {
  const Gfx8BitFont* font = simple_font(state);
  if (font == nullptr || font->hasToUnicodeCMap() || code >= kCodes || count < 1 || characters == nullptr)
    return false;
  const char* name = font->getCharName(static_cast<int>(code));
  if (name == nullptr || characters[0] == ' ' || meaning_of(name) != 0) return false;
  const std::string_view whole = name;  // poppler reads "a.sc" as a
  if (meaning_of(std::string(whole.substr(0, whole.find('.'))).c_str()) != 0) return false;
  ++counts_.guessed;
  const Unicode c = characters[0];
  if (is_latin(c) && small(c) == c) ++counts_.guessed_small;
  return true;
}

void VisibleText::compare_with_name(const GfxState& state, CharCode code, const Unicode* characters,
                                    int count) {
  const Gfx8BitFont* font = simple_font(state);
  if (font == nullptr || !names_glyphs(*font) || !font->hasToUnicodeCMap()) return;
  if (count != 1 || characters == nullptr || code >= kCodes) return;
  const char* name = font->getCharName(static_cast<int>(code));
  if (name == nullptr || !contradicts(meaning_of(name), characters[0])) return;
  ++counts_.wrong;
  if (wrong_.size() < kSampleBytes) append_characters(wrong_, characters, count);
}

}  // namespace akin::extract
