#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/properties.h"
#include "extract/child/readers.h"

namespace akin::extract {

namespace {

/// Whether an element of OOXML that switches something on does so: without a value it does.
bool is_on(const XmlAttributes& attributes) {
  const std::string_view value = attributes.get("val");
  return value.empty() || (value != "0" && value != "false" && value != "off" && value != "none");
}

bool is_white(std::string_view colour) { return ascii_lower(colour) == "ffffff"; }

/// Half points; smaller letters than 2 points nobody reads.
bool is_tiny(std::string_view half_points) {
  return half_points == "0" || half_points == "1" || half_points == "2" || half_points == "3";
}

bool is_shaded(std::string_view fill) { return !fill.empty() && fill != "auto" && !is_white(fill); }

/// The styles that hide their text, and those of headings.
class StylesHandler : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "style") id_ = attributes.get("styleId");
    if (name == "vanish" && is_on(attributes)) hidden_.insert(id_);
    if (name == "outlineLvl" && attributes.get("val") < "9") headings_.insert(id_);
    if (name != "name") return;
    const std::string known = ascii_lower(attributes.get("val"));
    if (known.starts_with("heading ") || known == "title") headings_.insert(id_);
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  [[nodiscard]] bool hides(std::string_view style) const { return hidden_.contains(style); }
  [[nodiscard]] bool is_heading(std::string_view style) const { return headings_.contains(style); }

 private:
  std::string id_;
  std::set<std::string, std::less<>> hidden_, headings_;
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
      cells_.push_back(false);
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
    bool hidden = false, white = false, shaded = false;
  };
  struct Paragraph {
    std::string text;
    bool heading = false, hidden = false, shaded = false;
  };

  /// What was deleted, codes of fields, and what a newer program has shown in another way before.
  static bool skips(std::string_view name, const XmlAttributes& attributes) {
    if (name == "footnote" || name == "endnote") return !attributes.get("type").empty();
    return name == "instrText" || name == "delText" || name == "del" || name == "moveFrom" ||
           name == "Fallback" || name == "rPrChange" || name == "pPrChange" || name == "sectPr";
  }

  void property(std::string_view name, const XmlAttributes& attributes) {
    if (name == "shd" && is_shaded(attributes.get("fill"))) return shade();
    if (paragraphs_.empty()) return;
    Paragraph& paragraph = paragraphs_.back();
    if (in_paragraph_properties_) {
      if (name == "pStyle") {
        paragraph.heading = paragraph.heading || styles_.is_heading(attributes.get("val"));
        paragraph.hidden = styles_.hides(attributes.get("val"));
      }
      if (name == "outlineLvl" && attributes.get("val") < "9") paragraph.heading = true;
      return;
    }
    if (name == "vanish") run_.hidden = is_on(attributes);
    if (name == "rStyle" && styles_.hides(attributes.get("val"))) run_.hidden = true;
    if (name == "sz" && is_tiny(attributes.get("val"))) run_.hidden = true;
    if (name == "color") run_.white = is_white(attributes.get("val"));
    if (name == "highlight" && is_on(attributes) && attributes.get("val") != "white") run_.shaded = true;
  }

  /// White text on a dark ground is seen.
  void shade() {
    if (in_paragraph_properties_ && !paragraphs_.empty()) {
      paragraphs_.back().shaded = true;
    } else if (paragraphs_.empty() && !cells_.empty()) {
      cells_.back() = true;
    } else {
      run_.shaded = true;
    }
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
    const bool on_dark = run_.shaded || paragraph.shaded || boxes_ > 0 || (!cells_.empty() && cells_.back());
    if (run_.hidden || paragraph.hidden || (run_.white && !on_dark)) {
      builder_.hide(utf8);
    } else {
      paragraph.text += utf8;
    }
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
  std::vector<bool> cells_;            ///< of the open table cells, whether they have a dark ground
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
