#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/picture.h"
#include "extract/child/properties.h"
#include "extract/child/readers.h"
#include "extract/child/relations.h"
#include "extract/html.h"
#include "extract/visibility.h"

namespace akin::extract {

namespace {

/// Whether an element of OOXML that switches something on does so: without a value it does.
bool is_on(const XmlAttributes& attributes) {
  const std::string_view value = attributes.get("val");
  return value.empty() || (value != "0" && value != "false" && value != "off" && value != "none");
}

/// The colour of an element of OOXML. That of a theme is known for white only.
std::string colour_of(const XmlAttributes& attributes) {
  const std::string_view theme = attributes.get("themeColor");
  if (theme == "background1" || theme == "light1") return "#ffffff";
  const std::string_view value = attributes.get("val");
  return value.empty() || value == "auto" ? std::string() : "#" + std::string(value);
}

/// The ground of a "shd"; empty without one.
std::string ground_of(const XmlAttributes& attributes) {
  const std::string_view fill = attributes.get("fill");
  return fill.empty() || fill == "auto" ? std::string() : "#" + std::string(fill);
}

/// Of a length in EMU; 0 without one.
double centimetres(std::string_view emu) {
  constexpr double kEmuPerCentimetre = 360000;
  std::uint64_t length = 0;
  std::from_chars(emu.data(), emu.data() + emu.size(), length);
  return static_cast<double>(length) / kEmuPerCentimetre;
}

/// In half points.
bool is_tiny(std::string_view half_points) { return half_points.size() == 1 && half_points < "4"; }

/// The styles that hide their text, by what, and those of headings.
class StylesHandler : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "style") id_ = attributes.get("styleId");
    if (name == "style") ground_.clear();
    if (name == "vanish" && is_on(attributes)) hidden_[id_] |= set_of(Hiding::switched_off);
    if (name == "sz" && is_tiny(attributes.get("val"))) hidden_[id_] |= set_of(Hiding::size);
    if (name == "shd") ground_ = ground_of(attributes);
    if (name == "color") colour_ = colour_of(attributes);
    if (name == "outlineLvl" && attributes.get("val") < "9") headings_.insert(id_);
    if (name != "name") return;
    const std::string known = ascii_lower(attributes.get("val"));
    if (known.starts_with("heading ") || known == "title") headings_.insert(id_);
  }
  void end(std::string_view name) override {
    if (name != "style") return;
    if (has_colour_of_ground(colour_, ground_)) hidden_[id_] |= set_of(Hiding::colour);
    colour_.clear();
  }
  void text(std::string_view) override {}

  [[nodiscard]] HidingSet hiding(std::string_view style) const {
    const auto found = hidden_.find(style);
    return found == hidden_.end() ? HidingSet{0} : found->second;
  }
  [[nodiscard]] bool is_heading(std::string_view style) const { return headings_.contains(style); }

 private:
  std::string id_, colour_, ground_;  ///< of the style being read
  std::map<std::string, HidingSet, std::less<>> hidden_;
  std::set<std::string, std::less<>> headings_;
};

/// What one member takes in from others: files of other formats in the places of "altChunk", and pictures.
class Parts {
 public:
  explicit Parts(const Archive& archive) : archive_(archive) {}

  /// Error: file_damaged.
  Result<void> open(const std::string& member) {
    const std::string folder = folder_of(member);
    const std::string file = folder + "_rels/" + member.substr(folder.size()) + ".rels";
    relations_ = RelationsHandler(folder);
    const std::string* found = archive_.find(file);
    return found == nullptr ? Result<void>() : read_xml(*found, file, relations_);
  }

  /// Errors: file_damaged, unsupported. One outside the file has no text in it.
  Result<void> read_chunk(std::string_view id, DocumentBuilder& builder) const {
    const std::string member = relations_.of_id(id);
    if (member.empty()) return {};
    const std::string name = ascii_lower(member);
    const bool html = name.ends_with("html") || name.ends_with(".htm");
    if (!html && !name.ends_with(".rtf")) {
      return Error{Errc::unsupported, "file", "has a part of another format, " + member,
                   "open it in the program that shows it, and save it again there"};
    }
    AKIN_TRY(const std::string_view bytes, archive_.require(member));
    builder.kind(PieceKind::body);
    builder.border();
    if (!html) return read_rtf(bytes, builder);
    const Result<Page> page = read_html(bytes, member);
    if (page.has_error()) return damaged(member + " " + page.error().reason);
    builder.verbatim(page->text);
    builder.border();
    builder.hide(page->hidden, page->ways);
    return {};
  }

  void read_picture(std::string_view id, DocumentBuilder& builder) const {
    add_picture_of_page(archive_, relations_.of_id(id), builder);
  }

 private:
  const Archive& archive_;
  RelationsHandler relations_{""};
};

/// Reads the body, the footnotes or the endnotes.
class StoryHandler : public XmlHandler {
 public:
  StoryHandler(DocumentBuilder& builder, const StylesHandler& styles, const Parts& parts, PieceKind kind)
      : builder_(builder), styles_(styles), parts_(parts), kind_(kind) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (skips(name, attributes)) {
      skip_from_ = depth_;
    } else if (name == "p") {
      paragraphs_.push_back({});
    } else if (name == "altChunk") {
      chunk_read_ = parts_.read_chunk(attributes.get("id"), builder_);
    } else if (name == "tbl") {
      ++tables_;
    } else if (name == "tc") {
      cells_.emplace_back();
    } else if (name == "txbxContent") {
      ++boxes_;
    } else if (name == "pPr") {
      in_paragraph_properties_ = true;
    } else if (name == "r") {
      run_ = {};
    } else {
      property(name, attributes);
      if (!in_paragraph_properties_) content(name, attributes);
    }
  }

  void end(std::string_view name) override {
    if (depth_ == skip_from_) {
      skip_from_ = 0;
    } else if (skip_from_ == 0) {
      if (name == "p") end_paragraph();
      if (name == "tbl") --tables_;
      if (name == "tc" && !cells_.empty()) cells_.pop_back();
      if (name == "txbxContent") --boxes_;
      if (name == "pPr") in_paragraph_properties_ = false;
      if (name == "t") in_text_ = false;
    }
    --depth_;
  }

  void text(std::string_view utf8) override {
    if (!in_text_ || skip_from_ != 0) return;
    std::string flat;
    append_flat(flat, utf8);
    add(flat);
  }

  [[nodiscard]] bool done() const override { return builder_.full() || chunk_read_.has_error(); }

  /// Why reading stopped at a chunk, if it did.
  [[nodiscard]] const Result<void>& chunk_read() const noexcept { return chunk_read_; }

 private:
  struct Run {
    HidingSet ways = 0;
    std::string colour, ground;
  };
  struct Paragraph {
    std::string text;
    bool heading = false;
    HidingSet ways = 0;  ///< of its style
    std::string ground;
  };

  /// What was deleted, codes of fields, and what a newer program has shown in another way before.
  static bool skips(std::string_view name, const XmlAttributes& attributes) {
    if (name == "footnote" || name == "endnote") return !attributes.get("type").empty();
    return name == "instrText" || name == "delText" || name == "del" || name == "moveFrom" ||
           name == "Fallback" || name == "rPrChange" || name == "pPrChange" || name == "sectPr";
  }

  void property(std::string_view name, const XmlAttributes& attributes) {
    if (name == "shd") return shade(ground_of(attributes));
    if (paragraphs_.empty()) return;
    Paragraph& paragraph = paragraphs_.back();
    if (in_paragraph_properties_) {
      if (name == "pStyle") {
        paragraph.heading = paragraph.heading || styles_.is_heading(attributes.get("val"));
        paragraph.ways = styles_.hiding(attributes.get("val"));
      }
      if (name == "outlineLvl" && attributes.get("val") < "9") paragraph.heading = true;
      return;
    }
    if (name == "vanish") set_way(Hiding::switched_off, is_on(attributes));
    if (name == "rStyle") run_.ways |= styles_.hiding(attributes.get("val"));
    if (name == "sz") set_way(Hiding::size, is_tiny(attributes.get("val")));
    if (name == "color") {
      run_.colour = colour_of(attributes);
      set_way(Hiding::colour, false);
    }
    if (name == "highlight" && is_on(attributes)) run_.ground = attributes.get("val");
  }

  /// A run's own property is stronger than its style's.
  void set_way(Hiding way, bool hides) {
    run_.ways = static_cast<HidingSet>(run_.ways & ~set_of(way));
    if (hides) run_.ways |= set_of(way);
  }

  void shade(std::string ground) {
    if (in_paragraph_properties_ && !paragraphs_.empty()) {
      paragraphs_.back().ground = std::move(ground);
    } else if (paragraphs_.empty() && !cells_.empty()) {
      cells_.back() = std::move(ground);
    } else {
      run_.ground = std::move(ground);
    }
  }

  /// What hides the text of the run. In a text box the ground is unknown.
  [[nodiscard]] HidingSet hiding(const Paragraph& paragraph) const {
    HidingSet ways = run_.ways | paragraph.ways;
    std::string_view ground = run_.ground;
    if (ground.empty()) ground = paragraph.ground;
    if (ground.empty() && !cells_.empty()) ground = cells_.back();
    const bool known = boxes_ == 0 || !ground.empty();
    if (known && has_colour_of_ground(run_.colour, ground)) ways |= set_of(Hiding::colour);
    return ways;
  }

  void content(std::string_view name, const XmlAttributes& attributes) {
    if (name == "t") in_text_ = true;
    if (name == "tab" || name == "ptab") add(" ");
    if (name == "cr" || name == "br") add(attributes.get("type").empty() ? "\n" : " ");
    if (name == "extent")
      picture_is_page_ = is_page(centimetres(attributes.get("cx")), centimetres(attributes.get("cy")));
    if (name == "blip" && std::exchange(picture_is_page_, false))
      parts_.read_picture(attributes.get("embed"), builder_);
    if (name == "noBreakHyphen") add("\u2011");
    if (name == "softHyphen") add("\u00AD");
  }

  void add(std::string_view utf8) {
    if (paragraphs_.empty()) return;
    Paragraph& paragraph = paragraphs_.back();
    const HidingSet ways = hiding(paragraph);
    if (ways == 0) {
      paragraph.text += utf8;
      return;
    }
    builder_.hide(utf8, ways);
    // Letters that only have another colour take their room: what they part is parted.
    if (ways == set_of(Hiding::colour)) paragraph.text += ' ';
  }

  void end_paragraph() {
    if (paragraphs_.empty()) return;
    const Paragraph& paragraph = paragraphs_.back();
    PieceKind kind = tables_ > 0 ? PieceKind::table : kind_;
    if (paragraph.heading && kind == PieceKind::body) kind = PieceKind::heading;
    builder_.paragraph(kind, paragraph.text);
    paragraphs_.pop_back();
    run_ = {};
  }

  DocumentBuilder& builder_;
  const StylesHandler& styles_;
  const Parts& parts_;
  const PieceKind kind_;
  std::size_t depth_ = 0, skip_from_ = 0, tables_ = 0, boxes_ = 0;
  bool in_paragraph_properties_ = false, in_text_ = false, picture_is_page_ = false;
  Result<void> chunk_read_;
  Run run_;
  std::vector<Paragraph> paragraphs_;  ///< the open ones: a text box has its own within another
  std::vector<std::string> cells_;     ///< grounds of the open table cells
};

}  // namespace

Result<void> read_docx(const Archive& archive, DocumentBuilder& builder) {
  RelationsHandler package("");
  AKIN_TRY(const std::string_view relations, archive.require("_rels/.rels"));
  AKIN_CHECK(read_xml(relations, "_rels/.rels", package));
  if (const std::string* core = archive.find("docProps/core.xml")) {
    PropertiesHandler properties(builder.metadata());
    AKIN_CHECK(read_xml(*core, "docProps/core.xml", properties));
  }
  const std::string main = package.of_type("/officeDocument");
  const std::string folder = folder_of(main);
  StylesHandler styles;
  if (const std::string* found = archive.find(folder + "styles.xml"))
    AKIN_CHECK(read_xml(*found, folder + "styles.xml", styles));
  const auto read_story = [&](std::string_view xml, const std::string& member,
                              PieceKind kind) -> Result<void> {
    Parts parts(archive);
    AKIN_CHECK(parts.open(member));
    StoryHandler story(builder, styles, parts, kind);
    AKIN_CHECK(read_xml(xml, member, story));
    return story.chunk_read();
  };
  AKIN_TRY(const std::string_view body, archive.require(main));
  AKIN_CHECK(read_story(body, main, PieceKind::body));
  for (const char* notes : {"footnotes.xml", "endnotes.xml"}) {
    if (const std::string* found = archive.find(folder + notes))
      AKIN_CHECK(read_story(*found, folder + notes, PieceKind::footnote));
  }
  return {};
}

}  // namespace akin::extract
