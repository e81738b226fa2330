#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/properties.h"
#include "extract/child/readers.h"
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

/// The target of the relation whose type ends so, as a member of the archive.
class RelationHandler : public XmlHandler {
 public:
  explicit RelationHandler(std::string_view type) : type_(type) {}
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name != "Relationship" || !attributes.get("Type").ends_with(type_)) return;
    std::string_view found = attributes.get("Target");
    if (found.starts_with('/')) found.remove_prefix(1);
    target = found;
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  std::string target;

 private:
  std::string_view type_;
};

/// Reads the body, the footnotes or the endnotes.
class StoryHandler : public XmlHandler {
 public:
  StoryHandler(DocumentBuilder& builder, const StylesHandler& styles, PieceKind kind)
      : builder_(builder), styles_(styles), kind_(kind) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (skips(name, attributes)) {
      skip_from_ = depth_;
    } else if (name == "p") {
      paragraphs_.push_back({});
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

  [[nodiscard]] bool done() const override { return builder_.full(); }

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
  const PieceKind kind_;
  std::size_t depth_ = 0, skip_from_ = 0, tables_ = 0, boxes_ = 0;
  bool in_paragraph_properties_ = false, in_text_ = false;
  Run run_;
  std::vector<Paragraph> paragraphs_;  ///< the open ones: a text box has its own within another
  std::vector<std::string> cells_;     ///< grounds of the open table cells
};

std::string folder_of(const std::string& member) { return member.substr(0, member.rfind('/') + 1); }

}  // namespace

Result<void> read_docx(const Archive& archive, DocumentBuilder& builder) {
  RelationHandler main("/officeDocument");
  AKIN_TRY(const std::string_view relations, archive.require("_rels/.rels"));
  AKIN_CHECK(read_xml(relations, "_rels/.rels", main));
  if (const std::string* core = archive.find("docProps/core.xml")) {
    PropertiesHandler properties(builder.metadata());
    AKIN_CHECK(read_xml(*core, "docProps/core.xml", properties));
  }
  const std::string folder = folder_of(main.target);
  StylesHandler styles;
  if (const std::string* found = archive.find(folder + "styles.xml"))
    AKIN_CHECK(read_xml(*found, folder + "styles.xml", styles));
  AKIN_TRY(const std::string_view body, archive.require(main.target));
  StoryHandler story(builder, styles, PieceKind::body);
  AKIN_CHECK(read_xml(body, main.target, story));
  for (const char* notes : {"footnotes.xml", "endnotes.xml"}) {
    const std::string* found = archive.find(folder + notes);
    if (found == nullptr) continue;
    StoryHandler handler(builder, styles, PieceKind::footnote);
    AKIN_CHECK(read_xml(*found, folder + notes, handler));
  }
  return {};
}

}  // namespace akin::extract
