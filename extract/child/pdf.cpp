#include <ErrorCodes.h>
#include <GlobalParams.h>
#include <PDFDoc.h>
#include <Page.h>
#include <TextOutputDev.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/child/errors.h"
#include "extract/child/pdf_page.h"
#include "extract/child/readers.h"
#include "extract/text_encoding.h"

namespace akin::extract {

namespace {

constexpr int kMostPages = 100000;
/// Letters smaller than this nobody reads, in points.
constexpr double kTiny = 2;
/// A colour whose parts are all at least this is white.
constexpr double kWhite = 0.97;
/// The share of glyphs without a known character from which they are reported.
constexpr double kUnreadableShare = 0.05;

struct Box {
  double left, top, right, bottom;
  [[nodiscard]] bool contains(double x, double y) const {
    return x >= left && x <= right && y >= top && y <= bottom;
  }
};

bool is_white(const GfxState& state) {
  GfxRGB colour;
  state.getFillRGB(&colour);
  return colToDbl(colour.r) >= kWhite && colToDbl(colour.g) >= kWhite && colToDbl(colour.b) >= kWhite;
}

/// The characters that poppler gives, as UTF-8. What is no character becomes U+FFFD.
void append_characters(std::string& to, const Unicode* characters, int count) {
  constexpr Unicode kLast = 0x10FFFF, kFirstSurrogate = 0xD800, kLastSurrogate = 0xDFFF;
  for (int i = 0; i < count; ++i) {
    const Unicode c = characters[i];
    const bool right = c <= kLast && c != 0 && (c < kFirstSurrogate || c > kLastSurrogate);
    append_utf8(to, right ? static_cast<char32_t>(c) : U'\uFFFD');
  }
}

/// Poppler's own arrangement of a page's text, but of what is seen only.
class VisibleText : public TextOutputDev {
 public:
  VisibleText() : TextOutputDev(nullptr, false, 0, false, false) {}

  void begin_page(bool has_pictures) {
    has_pictures_ = has_pictures;
    grounds_.clear();
  }

  void drawChar(GfxState* state, double x, double y, double dx, double dy, double origin_x, double origin_y,
                CharCode code, int bytes, const Unicode* characters, int count) override {
    ++glyphs_;
    if (count == 0 || characters == nullptr || characters[0] == 0xFFFD || characters[0] == 0) ++unreadable_;
    if (is_hidden(*state, x, y)) {
      hide(*state, x, y, dx, characters, count);
    } else {
      TextOutputDev::drawChar(state, x, y, dx, dy, origin_x, origin_y, code, bytes, characters, count);
    }
  }

  void fill(GfxState* state) override { add_ground(*state); }
  void eoFill(GfxState* state) override { add_ground(*state); }

  [[nodiscard]] std::string take_hidden() { return std::exchange(hidden_, {}); }
  [[nodiscard]] std::uint64_t glyphs() const noexcept { return glyphs_; }
  [[nodiscard]] std::uint64_t unreadable() const noexcept { return unreadable_; }

 private:
  [[nodiscard]] bool is_hidden(const GfxState& state, double x, double y) const {
    constexpr int kInvisible = 3;  // "Tr": neither fill nor stroke, 7 to clip too
    if ((state.getRender() & kInvisible) == kInvisible) return !has_pictures_;  // text recognized in a scan
    const bool type3 = state.getFont() && state.getFont()->getType() == fontType3;
    if (!type3 && std::abs(state.getTransformedFontSize()) < kTiny) return true;
    const bool fills = state.getRender() == 0 || state.getRender() == 4;
    if (!fills || has_pictures_ || !is_white(state)) return false;
    double at_x = 0, at_y = 0;
    state.transform(x, y, &at_x, &at_y);
    return std::ranges::none_of(grounds_, [&](const Box& box) { return box.contains(at_x, at_y); });
  }

  /// An area that is not white, on which white letters are seen.
  void add_ground(const GfxState& state) {
    constexpr std::size_t kMostGrounds = 10000;
    if (is_white(state) || grounds_.size() == kMostGrounds) return;
    const GfxPath* path = state.getPath();
    Box box{1e9, 1e9, -1e9, -1e9};
    for (int i = 0; i < path->getNumSubpaths(); ++i) {
      const GfxSubpath* part = path->getSubpath(i);
      for (int j = 0; j < part->getNumPoints(); ++j) {
        double x = 0, y = 0;
        state.transform(part->getX(j), part->getY(j), &x, &y);
        box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x), std::max(box.bottom, y)};
      }
    }
    if (box.right > box.left && box.bottom > box.top) grounds_.push_back(box);
  }

  void hide(const GfxState& state, double x, double y, double dx, const Unicode* characters, int count) {
    double at_x = 0, at_y = 0, width = 0, height = 0;
    state.transform(x, y, &at_x, &at_y);
    state.transformDelta(dx, 0, &width, &height);
    const double gap = std::max(std::abs(width) * 0.3, 0.05);
    if (std::abs(at_y - hidden_y_) > gap || std::abs(at_x - hidden_x_) > gap) hidden_ += ' ';
    append_characters(hidden_, characters, count);
    hidden_x_ = at_x + width;
    hidden_y_ = at_y;
  }

  std::vector<Box> grounds_;
  std::string hidden_;
  double hidden_x_ = 0, hidden_y_ = 0;
  std::uint64_t glyphs_ = 0, unreadable_ = 0;
  bool has_pictures_ = false;
};

/// The line's words. The size is of most of its letters.
PdfLine make_line(const TextLine& line, std::uint32_t block) {
  PdfLine made;
  made.left = made.top = 1e9;
  made.block = block;
  int letters = 0;
  for (const TextWord* word = line.getWords(); word != nullptr; word = word->getNext()) {
    double left = 0, top = 0, right = 0, bottom = 0;
    word->getBBox(&left, &top, &right, &bottom);
    made.left = std::min(made.left, left);
    made.top = std::min(made.top, top);
    made.right = std::max(made.right, right);
    made.bottom = std::max(made.bottom, bottom);
    for (int i = 0; i < word->getLength(); ++i) append_characters(made.text, word->getChar(i), 1);
    if (word->getSpaceAfter()) made.text += ' ';
    if (word->getLength() > letters) {
      letters = word->getLength();
      made.size = word->getFontSize();
    }
  }
  while (made.text.ends_with(' ')) made.text.pop_back();
  return made;
}

PdfPage make_page(const VisibleText& text, PDFDoc& document, int number) {
  PdfPage page;
  page.width = document.getPageCropWidth(number);
  page.height = document.getPageCropHeight(number);
  std::uint32_t block = 0;
  for (const TextFlow* flow = text.getFlows(); flow != nullptr; flow = flow->getNext()) {
    for (const TextBlock* one = flow->getBlocks(); one != nullptr; one = one->getNext(), ++block) {
      for (const TextLine* line = one->getLines(); line != nullptr; line = line->getNext()) {
        PdfLine made = make_line(*line, block);
        if (!made.text.empty()) page.lines.push_back(std::move(made));
      }
    }
  }
  return page;
}

bool has_pictures(::Page& page) {
  Dict* resources = page.getResourceDict();
  if (resources == nullptr) return false;
  const Object objects = resources->lookup("XObject");
  if (!objects.isDict()) return false;
  for (int i = 0; i < objects.dictGetLength(); ++i) {
    const Object object = objects.dictGetVal(i);
    if (object.isStream() && object.streamGetDict()->lookup("Subtype").isName("Image")) return true;
  }
  return false;
}

/// A string of the document's information: UTF-16 with its mark, UTF-8 with its mark, or nearly Latin-1.
std::string information(PDFDoc& document, const char* key) {
  const auto entry = document.getDocInfoStringEntry(key);
  if (entry == nullptr) return {};
  const std::string bytes(entry->c_str(), static_cast<std::size_t>(entry->getLength()));
  const bool marked = bytes.starts_with("\xFE\xFF") || bytes.starts_with(kUtf8Mark);
  if (marked) {
    const Result<std::string> text = decode_text(bytes, kAutoName, "");
    return text.has_value() ? *text : std::string();
  }
  std::string text;
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

/// "D:20240131…" → "2024-01-31"; anything else unchanged.
std::string date_of(const std::string& written) {
  constexpr std::size_t kDay = 10;
  if (!written.starts_with("D:") || written.size() < kDay) return written;
  return written.substr(2, 4) + "-" + written.substr(6, 2) + "-" + written.substr(8, 2);
}

void read_information(PDFDoc& document, FileMetadata& metadata) {
  metadata.title = information(document, "Title");
  if (std::string author = information(document, "Author"); !author.empty())
    metadata.authors.push_back(std::move(author));
  metadata.date = date_of(information(document, "CreationDate"));
}

void ignore_error(ErrorCategory, Goffset, const char*) {}

Error unreadable(int code) {
  if (code == errEncrypted) return encrypted();
  return damaged("is a PDF that cannot be opened");
}

}  // namespace

Result<void> read_pdf(std::string_view bytes, DocumentBuilder& builder) {
  PDFDoc document(new MemStream(bytes.data(), 0, static_cast<Goffset>(bytes.size()), Object(objNull)));
  if (!document.isOk()) return unreadable(document.getErrorCode());
  const int count = document.getNumPages();
  if (count <= 0) return damaged("is a PDF without pages");
  if (count > kMostPages) return too_large("has more than " + std::to_string(kMostPages) + " pages");
  read_information(document, builder.metadata());
  VisibleText text;
  std::vector<PdfPage> pages;
  std::uint64_t bytes_of_text = 0;
  for (int number = 1; number <= count; ++number) {
    ::Page* page = document.getPage(number);
    PdfPage made;
    if (page != nullptr && page->isOk()) {
      text.begin_page(has_pictures(*page));
      constexpr double kPointsPerInch = 72;
      document.displayPage(&text, number, kPointsPerInch, kPointsPerInch, 0, false, true, false);
      made = make_page(text, document, number);
      join_rows(made);
    }
    builder.page(static_cast<std::uint32_t>(number));
    builder.hide(text.take_hidden());
    for (const PdfLine& line : made.lines) bytes_of_text += line.text.size();
    pages.push_back(std::move(made));
    if (bytes_of_text > builder.most_bytes()) break;  // add_pages finds the same
  }
  if (static_cast<double>(text.unreadable()) > kUnreadableShare * static_cast<double>(text.glyphs()))
    builder.count_unreadable(text.unreadable());
  remove_running_heads(pages);
  add_pages(pages, builder);
  return {};
}

void warm_up_pdf() {
  globalParams = std::make_unique<GlobalParams>();
  setErrorCallback(ignore_error);
  // One page with one word, in a font that is not embedded.
  constexpr std::string_view kSmall =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count "
      "1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"
      "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
      "4 0 obj<</Length 33>>stream\nBT /F 12 Tf 9 9 Td (word) Tj ET  \nendstream endobj\n"
      "trailer<</Root 1 0 R>>\n";
  DocumentBuilder builder("pdf", kSmall.size());
  (void)read_pdf(kSmall, builder);
}

}  // namespace akin::extract
