#include "report/typeset.h"

#include <cairo-pdf.h>
#include <hb.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace akin::report {

namespace {

// Points, 72 to an inch.
constexpr double kWidth = 595.28, kHeight = 841.89;  // A4
constexpr double kLeft = 62, kRight = 57, kTop = 57, kBottom = 64;
constexpr double kIndent = 22, kBody = 9.5, kSmall = 7, kRaised = 3;

template <auto kFree>
struct Free {
  template <class Type>
  void operator()(Type* one) const noexcept {
    kFree(one);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Free<cairo_surface_destroy>>;
using Drawing = std::unique_ptr<cairo_t, Free<cairo_destroy>>;
using Layout = std::unique_ptr<PangoLayout, Free<g_object_unref>>;
using Attributes = std::unique_ptr<PangoAttrList, Free<pango_attr_list_unref>>;
using Font = std::unique_ptr<PangoFontDescription, Free<pango_font_description_free>>;
using Lines = std::unique_ptr<PangoLayoutIter, Free<pango_layout_iter_free>>;

double points(int pango_units) { return static_cast<double>(pango_units) / PANGO_SCALE; }

cairo_status_t append(void* into, const unsigned char* bytes, unsigned size) {
  try {
    static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(bytes), size);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

void require(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS) throw std::runtime_error(cairo_status_to_string(status));
}

struct Colour {
  double red = 0, green = 0, blue = 0;
};
constexpr Colour kBlack{}, kGrey{.35, .35, .35}, kBlue{.05, .27, .62};

/// How a pattern of matches looks. The colours are those of the page (server/desk/desk.css), on white; the
/// lines below distinguish them without colour.
enum class Underline : std::uint8_t { single, twofold, dashed, dotted };
struct Pattern {
  Colour ground, line;
  Underline underline;
};
constexpr std::array kPatterns = {Pattern{{1, .93, .72}, {.70, .53, .02}, Underline::single},
                                  Pattern{{.72, .90, .98}, {.01, .47, .74}, Underline::twofold},
                                  Pattern{{.87, .93, .80}, {.33, .55, .18}, Underline::dashed},
                                  Pattern{{.98, .82, .88}, {.68, .08, .34}, Underline::dotted},
                                  Pattern{{.88, .84, .94}, {.27, .15, .63}, Underline::single},
                                  Pattern{{.90, .86, .84}, {.31, .20, .18}, Underline::twofold}};
constexpr Pattern kOff{{1, 1, 1}, {.35, .35, .35}, Underline::dotted};

/// What the tree of a tagged PDF calls an element (ISO 32000-1, 14.8.4).
std::string tag_of(const Part& part) {
  switch (part.role) {
    case Role::heading:
      return "H" + std::to_string(part.level);
    case Role::quotation:
      return "BlockQuote";
    case Role::list:
      return "L";
    case Role::item:
      return "LI";
    case Role::paragraph:
      break;
  }
  return "P";
}

double size_of(const Part& part) {
  constexpr std::array kHeadings = {17.0, 13.0, 11.0, 10.0};
  if (part.role != Role::heading) return kBody;
  return kHeadings.at(static_cast<std::size_t>(std::clamp(part.level, 1, 4)) - 1);
}

/// The pages of a document as they are filled, from top to bottom.
class Pages {
 public:
  explicit Pages(std::string& into)
      : surface_(cairo_pdf_surface_create_for_stream(append, &into, kWidth, kHeight)),
        drawing_(cairo_create(surface_.get())),
        layout_(pango_cairo_create_layout(drawing_.get())) {
    require(cairo_surface_status(surface_.get()));
    require(cairo_status(drawing_.get()));
  }

  void describe(const Content& content) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, content.title.c_str());
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_CREATOR, "akin");
  }

  void begin(const char* tag, const char* attributes = "") {
    cairo_tag_begin(drawing_.get(), tag, attributes);
  }
  void end(const char* tag) { cairo_tag_end(drawing_.get(), tag); }

  void add(const Part& part) {
    if (part.kind == Part::Kind::text) {
      add_text(part);
    } else if (part.kind == Part::Kind::begin) {
      begin(tag_of(part).c_str());
      if (part.role == Role::item) begin_item(part.label);
    } else {
      if (part.role == Role::item) end_item();
      end(tag_of(part).c_str());
    }
  }

  void next_page() {
    cairo_show_page(drawing_.get());
    ++page_;
    y_ = kTop;
  }

  void footer(const std::string& text) {
    lay_out(text, kSmall, false, nullptr, kWidth - kLeft - kRight);
    pango_layout_set_height(layout_.get(), 0);
    pango_layout_set_ellipsize(layout_.get(), PANGO_ELLIPSIZE_MIDDLE);
    colour(kGrey);
    cairo_move_to(drawing_.get(), kLeft, kHeight - kBottom + 24);
    pango_cairo_show_layout(drawing_.get(), layout_.get());
  }

  [[nodiscard]] int page() const noexcept { return page_; }

  void finish() {
    require(cairo_status(drawing_.get()));
    cairo_surface_finish(surface_.get());
    require(cairo_surface_status(surface_.get()));
  }

 private:
  void colour(const Colour& to) { cairo_set_source_rgb(drawing_.get(), to.red, to.green, to.blue); }

  void lay_out(const std::string& text, double size, bool bold, PangoAttrList* attributes, double width) {
    const Font font(pango_font_description_from_string("sans-serif"));
    pango_font_description_set_absolute_size(font.get(), size * PANGO_SCALE);
    if (bold) pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout_.get(), font.get());
    pango_layout_set_width(layout_.get(), static_cast<int>(width * PANGO_SCALE));
    pango_layout_set_wrap(layout_.get(), PANGO_WRAP_WORD_CHAR);
    pango_layout_set_attributes(layout_.get(), attributes);
    pango_layout_set_line_spacing(layout_.get(), 1.25F);
    pango_layout_set_text(layout_.get(), text.data(), static_cast<int>(text.size()));
  }

  static void add_attribute(PangoAttrList* list, PangoAttribute* one, const Stretch& stretch) {
    one->start_index = static_cast<guint>(stretch.begin);
    one->end_index = static_cast<guint>(stretch.end);
    pango_attr_list_insert(list, one);
  }

  /// Those that change letters; and, so that a run of letters ends where a stretch does, one colour for each.
  static Attributes attributes_of(const Text& text) {
    Attributes list(pango_attr_list_new());
    pango_attr_list_insert(list.get(), pango_attr_font_features_new("liga=0, clig=0"));  // letter by letter
    guint16 shade = 0;
    for (const Stretch& one : text.stretches) {
      add_attribute(list.get(), pango_attr_foreground_new(++shade, 0, 0), one);
      if (one.look == Look::strong || one.look == Look::number)
        add_attribute(list.get(), pango_attr_weight_new(PANGO_WEIGHT_BOLD), one);
      if (one.look == Look::left_out)
        add_attribute(list.get(), pango_attr_style_new(PANGO_STYLE_ITALIC), one);
      if (one.look == Look::number) {
        add_attribute(list.get(), pango_attr_size_new_absolute(static_cast<int>(kSmall * PANGO_SCALE)), one);
      }
    }
    return list;
  }

  void begin_item(const std::string& label) {
    make_room(4 * kBody);
    begin("Lbl");
    lay_out(label, kBody, false, nullptr, kIndent);
    colour(kBlack);
    cairo_move_to(drawing_.get(), kLeft + indent_, y_ + kBody / 2);
    pango_cairo_show_layout(drawing_.get(), layout_.get());
    end("Lbl");
    begin("LBody");
    indent_ += kIndent;
  }

  void end_item() {
    end("LBody");
    indent_ -= kIndent;
  }

  void make_room(double height) {
    if (y_ + height > kHeight - kBottom && y_ > kTop) next_page();
  }

  void add_text(const Part& part) {
    const double size = size_of(part);
    const bool is_heading = part.role == Role::heading, is_quotation = part.role == Role::quotation;
    const double indent = indent_ + (is_quotation ? kIndent : 0);
    const Attributes attributes = attributes_of(part.text);
    lay_out(part.text.bytes, size, is_heading, attributes.get(), kWidth - kLeft - kRight - indent);
    y_ += is_heading ? size * .9 : kBody / 2;
    if (is_heading) make_room(4 * size);  // a heading stays with what it is the heading of
    const std::string tag = tag_of(part);
    begin(tag.c_str());
    if (is_heading && part.level > 1) bookmark(part);
    draw(part.text, kLeft + indent);
    end(tag.c_str());
  }

  void bookmark(const Part& part) {
    const std::string place =
        "page=" + std::to_string(page_) + " pos=[" + std::to_string(kLeft) + " " + std::to_string(y_) + "]";
    bookmarks_.resize(static_cast<std::size_t>(part.level));
    const int parent = bookmarks_[static_cast<std::size_t>(part.level) - 2];
    const int made = cairo_pdf_surface_add_outline(surface_.get(), parent, part.text.bytes.c_str(),
                                                   place.c_str(), CAIRO_PDF_OUTLINE_FLAG_OPEN);
    bookmarks_[static_cast<std::size_t>(part.level) - 1] = made;
  }

  /// Draws what was laid out. Text with links becomes spans and links, else the element has it itself: Cairo
  /// loses the text of an element that has both.
  void draw(const Text& text, double left) {
    const bool has_links =
        std::ranges::any_of(text.stretches, [](const Stretch& one) { return !one.target.empty(); });
    const Lines at(pango_layout_get_iter(layout_.get()));
    auto anchor = text.anchors.begin();
    const Stretch plain;
    const Stretch* open = nullptr;
    int above = -1;
    double top = 0;
    do {
      PangoRectangle line;
      pango_layout_iter_get_line_extents(at.get(), nullptr, &line);
      if (line.y != above) {
        if (above >= 0) y_ += top;
        above = line.y;
        top = points(line.height);
        if (y_ + top > kHeight - kBottom) {
          close(open);
          next_page();
        }
      }
      PangoLayoutRun* const run = pango_layout_iter_get_run(at.get());
      if (run == nullptr) continue;
      show_last_blank(text.bytes, *run);
      PangoRectangle place;
      pango_layout_iter_get_run_extents(at.get(), nullptr, &place);
      const auto first = static_cast<std::size_t>(run->item->offset);
      for (; anchor != text.anchors.end() && anchor->at <= first; ++anchor) mark_place(*anchor);
      const auto stretch = std::ranges::upper_bound(text.stretches, first, {}, &Stretch::end);
      const bool is_in = stretch != text.stretches.end() && stretch->begin <= first;
      const Stretch& look = is_in ? *stretch : plain;
      if (has_links && (open == nullptr || open->target != look.target)) {
        close(open);
        open = &look;
        begin(look.target.empty() ? "Span" : CAIRO_TAG_LINK,
              look.target.empty() ? "" : ("dest='" + look.target + "'").c_str());
      }
      const double baseline = y_ + points(pango_layout_iter_get_baseline(at.get()) - line.y);
      draw_run(text.bytes, *run, look, left + points(place.x), baseline, points(place.width));
    } while (pango_layout_iter_next_run(at.get()) != 0);
    close(open);
    y_ += top;
    for (; anchor != text.anchors.end(); ++anchor) mark_place(*anchor);
  }

  void close(const Stretch*& open) {
    if (open != nullptr) end(open->target.empty() ? "Span" : CAIRO_TAG_LINK);
    open = nullptr;
  }

  void mark_place(const Anchor& anchor) {
    begin(CAIRO_TAG_DEST, ("name='" + anchor.name + "'").c_str());
    end(CAIRO_TAG_DEST);
  }

  /// Pango empties the blank at which it breaks a line. Drawn, it parts the words for who reads the tree.
  static void show_last_blank(const std::string& text, PangoLayoutRun& run) {
    const PangoGlyphString& glyphs = *run.glyphs;
    for (int i = 0; i < glyphs.num_glyphs; ++i) {
      const int at = run.item->offset + glyphs.log_clusters[i];
      hb_codepoint_t blank = 0;
      if (glyphs.glyphs[i].glyph == PANGO_GLYPH_EMPTY && text[static_cast<std::size_t>(at)] == ' ' &&
          hb_font_get_nominal_glyph(pango_font_get_hb_font(run.item->analysis.font), ' ', &blank) != 0)
        glyphs.glyphs[i].glyph = blank;
    }
  }

  void draw_run(const std::string& text, PangoLayoutRun& run, const Stretch& stretch, double x,
                double baseline, double width) {
    if (stretch.look == Look::change) {
      draw_match(kPatterns[0], x, baseline, width);
    } else if (stretch.look == Look::match) {
      draw_match(kPatterns[(stretch.pattern + kPatterns.size() - 1) % kPatterns.size()], x, baseline, width);
    } else if (stretch.look == Look::off) {
      draw_match(kOff, x, baseline, width);
    }
    const bool is_link = !stretch.target.empty();
    colour(is_link ? kBlue : stretch.look == Look::left_out ? kGrey : kBlack);
    cairo_move_to(drawing_.get(), x, stretch.look == Look::number ? baseline - kRaised : baseline);
    pango_cairo_show_glyph_item(drawing_.get(), text.c_str(), &run);
  }

  void draw_match(const Pattern& pattern, double x, double baseline, double width) {
    cairo_t* const on = drawing_.get();
    colour(pattern.ground);
    cairo_rectangle(on, x, baseline - kBody, width, kBody * 1.3);
    cairo_fill(on);
    colour(pattern.line);
    cairo_set_line_width(on, pattern.underline == Underline::dotted ? 1.1 : .7);
    constexpr std::array kDashes = {3.0, 1.5}, kDots = {1.1, 1.6};
    if (pattern.underline == Underline::dashed) cairo_set_dash(on, kDashes.data(), 2, x);
    if (pattern.underline == Underline::dotted) cairo_set_dash(on, kDots.data(), 2, x);
    for (double below = 2.4; below < (pattern.underline == Underline::twofold ? 4.3 : 3.0); below += 1.5) {
      cairo_move_to(on, x, baseline + below);
      cairo_line_to(on, x + width, baseline + below);
      cairo_stroke(on);
    }
    cairo_set_dash(on, nullptr, 0, 0);
  }

  Surface surface_;
  Drawing drawing_;
  Layout layout_;
  double y_ = kTop, indent_ = 0;
  int page_ = 1;
  std::vector<int> bookmarks_ = {CAIRO_PDF_OUTLINE_ROOT};
};

}  // namespace

Typeset typeset(const Content& content) {
  Typeset made;
  Pages pages(made.pages);
  pages.describe(content);
  pages.begin("Document");
  for (const Part& part : content.parts) pages.add(part);
  pages.end("Document");
  pages.finish();
  Pages footers(made.footers);
  for (int page = 1; page <= pages.page(); ++page) {
    footers.footer(content.title + "  ·  " + std::to_string(page) + " / " + std::to_string(pages.page()));
    footers.next_page();
  }
  footers.finish();
  return made;
}

}  // namespace akin::report
