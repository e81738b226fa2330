#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/office/docx_look.h"
#include "extract/child/office/docx_numbering.h"
#include "extract/child/office/docx_parts.h"
#include "extract/child/office/docx_values.h"
#include "extract/child/office/properties.h"
#include "extract/child/office/relations.h"
#include "extract/child/page/picture.h"
#include "extract/child/readers.h"
#include "extract/html/direction_marks.h"
#include "extract/html/visibility.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

/// Reads the body, the notes, or what is left out: headers, footers and remarks.
class StoryHandler : public XmlHandler {
 public:
  /// Without a kind, the part's text is left out.
  StoryHandler(DocumentBuilder& builder, const DocxStyles& styles, const DocxNumbering& numbering,
               const DocxParts& parts, std::optional<PieceKind> kind)
      : builder_(builder), styles_(styles), numbering_(numbering), parts_(parts), kind_(kind) {}

  void declare(std::string_view prefix, std::string_view vocabulary) override {
    vocabularies_[std::string(prefix)] = vocabulary;
  }

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (name == "sectPr" || is_of_the_past(name) || is_not_shown(name, attributes)) {
      skip_from_ = depth_;
    } else if (name == "footnote" || name == "endnote") {
      is_separator_ = is_separator_of_notes(attributes);
    } else if (name == "background") {
      page_ = attributes.get("color").empty() ? std::string() : "#" + std::string(attributes.get("color"));
    } else if (name == "p") {
      paragraphs_.push_back({});
    } else if (name == "altChunk") {
      if (kind_) chunk_read_ = parts_.read_chunk(attributes.get("id"), builder_);
    } else if (name == "OLEObject") {
      if (kind_ && attributes.get("DrawAspect") != "Icon") parts_.read_object(attributes.get("id"), builder_);
    } else if (name == "relIds" || name == "chart") {
      read_drawing(attributes.get(name == "chart" ? "id" : "dm"));
    } else if (name == "textpath") {
      paragraph(std::string(attributes.get("string")), false);
    } else if (name == "tbl") {
      tables_.emplace_back();
    } else if (name == "tblStyle" && !tables_.empty()) {
      if (styles_.shades_cells(attributes.get("val"))) tables_.back() = kUnknownGround;
    } else if (name == "tr") {
      rows_.push_back(0);
    } else if (name == "hidden" && !rows_.empty() && is_on(attributes)) {
      rows_.back() |= set_of(Hiding::switched_off);
    } else if (name == "trHeight" && !rows_.empty()) {
      if (attributes.get("hRule") == "exact" && is_low(attributes.get("val")))
        rows_.back() |= set_of(Hiding::size);
    } else if (name == "tc") {
      cells_.push_back(tables_.empty() ? std::string() : tables_.back());
    } else if (name == "ruby") {
      if (!paragraphs_.empty()) paragraphs_.back().ruby_from = paragraphs_.back().text.size();
    } else if (name == "rt") {
      reading_from_ = depth_;
    } else if (name == "txbxContent") {
      ++boxes_;
    } else if (name == "pPr") {
      in_paragraph_properties_ = true;
    } else if (name == "bdo") {
      mark(directions_.begin(depth_, {attributes.get("val") == "rtl", true}));
    } else if (name == "r") {
      begin_run();
    } else {
      property(name, attributes);
      if (!in_paragraph_properties_) content(name, attributes);
    }
  }

  void end(std::string_view name) override {
    if (depth_ == skip_from_) {
      skip_from_ = 0;
    } else if (skip_from_ == 0) {
      mark(directions_.end(depth_));
      if (name == "p") end_paragraph();
      if (name == "tbl" && !tables_.empty()) tables_.pop_back();
      if (name == "AlternateContent" && !alternatives_.empty()) alternatives_.pop_back();
      if (name == "rt" && reading_from_ == depth_) reading_from_ = 0;
      if (name == "ruby") end_ruby();
      if (name == "fldChar" && std::exchange(field_begins_, false)) in_codes_.push_back(true);
      if (depth_ == 1 && !begun_.empty()) paragraph(std::exchange(begun_, {}), false);
      if (name == "tc" && !cells_.empty()) cells_.pop_back();
      if (name == "tr" && !rows_.empty()) rows_.pop_back();
      shape_.end(name);
      if (name == "txbxContent") --boxes_;
      if (name == "pPr") in_paragraph_properties_ = false;
      if (name == "t") in_text_ = false;
      if (name == "instrText" && std::exchange(in_code_, false)) take_code(std::exchange(code_, {}));
    }
    --depth_;
  }

  void text(std::string_view utf8) override {
    if (in_code_ && skip_from_ == 0) append_flat(code_, utf8);
    if (!in_text_ || skip_from_ != 0) return;
    std::string flat;
    append_flat(flat, utf8);
    add(flat);
  }

  [[nodiscard]] bool done() const override { return builder_.full() || chunk_read_.has_error(); }

  /// Why reading stopped at a chunk, if it did.
  [[nodiscard]] const Result<void>& chunk_read() const noexcept { return chunk_read_; }

 private:
  struct Paragraph {
    std::string text;
    std::string style, ground;  ///< ground: its own
    bool heading = false, listed = false;
    DocxListPlace list;
    std::optional<bool> set_off;  ///< by its own indent
    HidingSet ways = 0;           ///< what hides all of it
    bool runs_on = false;         ///< its end is hidden: the next one follows in its line
    std::size_t ruby_from = 0;    ///< bytes of the text before the open ruby
  };

  /// Of alternatives the first is shown that needs nothing but Word's own vocabularies, else the fallback.
  bool is_not_shown(std::string_view name, const XmlAttributes& attributes) {
    if (name == "AlternateContent") alternatives_.push_back(false);
    if (alternatives_.empty()) return false;
    if (name == "Fallback") return alternatives_.back();
    if (name != "Choice") return false;
    const bool shown = !alternatives_.back() && is_known(attributes.get("Requires"));
    alternatives_.back() = alternatives_.back() || shown;
    return !shown;
  }

  [[nodiscard]] bool is_known(std::string_view prefixes) const {
    return std::ranges::all_of(split(prefixes, ' '), [&](std::string_view prefix) {
      const auto declared = vocabularies_.find(prefix);
      return declared != vocabularies_.end() &&
             (declared->second.starts_with("http://schemas.microsoft.com/office/") ||
              declared->second.starts_with("http://schemas.openxmlformats.org/"));
    });
  }

  void begin_run() {
    own_ = characters_ = {};
    shape_ = {};
  }

  void property(std::string_view name, const XmlAttributes& attributes) {
    if (name == "shd" && paragraphs_.empty()) {
      std::string ground = docx_ground(attributes);
      if (!cells_.empty() && !ground.empty()) cells_.back() = std::move(ground);
      return;
    }
    if (paragraphs_.empty()) return;
    if (shape_.take(own_, name, attributes)) return;
    if (!in_paragraph_properties_) {
      if (name == "rStyle") characters_ = styles_.characters(attributes.get("val"));
      return take_property(own_, name, attributes, styles_.theme());
    }
    constexpr int kFarOff = -5000, kFarLeft = -15000;
    Paragraph& paragraph = paragraphs_.back();
    if (name == "vanish") paragraph.runs_on = is_on(attributes);
    if (name == "pStyle") {
      paragraph.heading = paragraph.heading || styles_.is_heading(attributes.get("val"));
      paragraph.style = attributes.get("val");
    }
    if (name == "shd") paragraph.ground = docx_ground(attributes);
    if (name == "outlineLvl" && attributes.get("val") < "9") paragraph.heading = true;
    const auto is_far = [&](const char* edge, int far) { return twentieths(attributes.get(edge)) <= far; };
    if ((name == "framePr" && (is_far("x", kFarOff) || is_far("y", kFarOff))) ||
        (name == "ind" && (is_far("left", kFarLeft) || is_far("start", kFarLeft))))
      paragraph.ways |= set_of(Hiding::outside);
    if (name == "numPr") paragraph.listed = true;
    paragraph.list.take(name, attributes);
    if (name == "ind" && has_left_indent(attributes)) paragraph.set_off = is_set_off_by(attributes);
    if (name == "spacing" && attributes.get("lineRule") == "exact" && is_low(attributes.get("line")))
      paragraph.ways |= set_of(Hiding::size);
  }

  [[nodiscard]] bool is_set_off(const Paragraph& paragraph) const {
    if (paragraph.listed) return false;
    return paragraph.set_off.value_or(styles_.paragraph(paragraph.style).set_off.value_or(false));
  }

  [[nodiscard]] LetterLook look(const Paragraph& paragraph) const {
    LetterLook look = styles_.paragraph(paragraph.style);
    if (!paragraph.ground.empty()) look.ground = paragraph.ground;
    look.add(characters_);
    look.add(own_);
    return look;
  }

  /// What hides the text of the run. In a text box the ground is unknown.
  [[nodiscard]] HidingSet hiding(const Paragraph& paragraph, const LetterLook& look) const {
    std::string_view ground = boxes_ > 0 ? kUnknownGround : std::string_view(page_);
    if (!cells_.empty() && !cells_.back().empty()) ground = cells_.back();
    const HidingSet row = rows_.empty() ? HidingSet{0} : rows_.back();
    return static_cast<HidingSet>(look.hiding(ground) | paragraph.ways | row);
  }

  /// Some fields show a part of their code. It is not read, only counted.
  void take_code(std::string_view code) {
    if (shows_its_code(code)) builder_.leave_out(code);
  }

  /// The code of a field is before its result, if it has one.
  void take_field(std::string_view type) {
    field_begins_ = type == "begin";
    if (type == "separate" && !in_codes_.empty()) in_codes_.back() = false;
    if (type == "end" && !in_codes_.empty()) in_codes_.pop_back();
  }

  /// How a word is read is written above it, in small letters. A longer text is none.
  void end_ruby() {
    const std::string reading = std::exchange(reading_, {});
    if (paragraphs_.empty()) return;
    const Paragraph& in = paragraphs_.back();
    if (!is_reading(std::string_view(in.text).substr(in.ruby_from), reading)) add(reading);
  }

  void content(std::string_view name, const XmlAttributes& attributes) {
    if (name == "t") in_text_ = true;
    if (name == "instrText") in_code_ = true;
    if (name == "fldSimple") take_code(attributes.get("instr"));
    if (name == "tab" || name == "ptab") add(" ");
    if (name == "cr" || name == "br") add(attributes.get("type").empty() ? "\n" : " ");
    if (name == "extent")
      picture_is_page_ = is_page(centimetres(attributes.get("cx")), centimetres(attributes.get("cy")));
    if (name == "blip" && std::exchange(picture_is_page_, false) && kind_)
      parts_.read_picture(attributes.get("embed"), builder_);
    if (name == "fldChar") take_field(attributes.get("fldCharType"));
    if (name == "ddList") chosen_ = 0;
    if (name == "result" || name == "default") chosen_ = twentieths(attributes.get("val"));
    if (name == "listEntry" && chosen_-- == 0) add(attributes.get("val"));
    if (name == "sym") add(symbol_of(attributes));
    if (name == "noBreakHyphen") add("\u2011");
    if (name == "softHyphen") add("\u00AD");
  }

  void add(std::string_view utf8) {
    if (paragraphs_.empty() || std::ranges::find(in_codes_, true) != in_codes_.end()) return;
    if (reading_from_ != 0) {
      reading_ += utf8;
      return;
    }
    Paragraph& paragraph = paragraphs_.back();
    const LetterLook letters = look(paragraph);
    if (letters.condensed.value_or(false) && trimmed(utf8, " \u00a0").empty()) return;
    const HidingSet ways = hiding(paragraph, letters);
    if (ways == 0) {
      builder_.look(letters.kind + depth_, utf8);
      if (!letters.raised.value_or(false) || !is_note_mark(paragraph.text, utf8)) paragraph.text += utf8;
      return;
    }
    if (kind_ && !is_separator_) builder_.hide(utf8, ways);
    // Letters that only have another colour take their room: what they part is parted.
    if (ways == set_of(Hiding::colour)) paragraph.text += ' ';
  }

  /// In front of it, what its list writes there.
  void add_label(Paragraph& paragraph) {
    DocxListPlace place = styles_.list_place(paragraph.style);
    if (!paragraph.list.list.empty()) place.list = paragraph.list.list;
    if (!paragraph.list.level.empty()) place.level = paragraph.list.level;
    const DocxLabel* label = numbering_.label(place.list, place.level.empty() ? "0" : place.level);
    if (label == nullptr || label->text.empty()) return;
    LetterLook look = styles_.paragraph(paragraph.style);
    look.add(label->look);
    if (const HidingSet ways = hiding(paragraph, look); ways == 0) {
      paragraph.text.insert(0, label->text + ' ');
    } else if (kind_) {
      builder_.hide(label->text, ways);
    }
  }

  /// Writes how letters are shown, whatever they look like.
  void mark(std::string_view direction) {
    if (!paragraphs_.empty()) paragraphs_.back().text += direction;
  }

  void end_paragraph() {
    if (paragraphs_.empty()) return;
    Paragraph& ended = paragraphs_.back();
    add_label(ended);
    ended.text.insert(0, std::exchange(begun_, {}));
    if (ended.runs_on && tables_.empty())
      begun_ = std::move(ended.text);
    else
      paragraph(ended.text, ended.heading, is_set_off(ended));
    paragraphs_.pop_back();
    in_codes_.clear();
    begin_run();
  }

  void paragraph(const std::string& whole, bool heading, bool set_off = false) {
    if (!kind_ || is_separator_) return builder_.leave_out(whole);
    PieceKind kind = !tables_.empty() ? PieceKind::table : *kind_;
    if (heading && kind == PieceKind::body) kind = PieceKind::heading;
    builder_.paragraph(kind, whole, set_off && kind == PieceKind::body);
  }

  /// The words of a diagram or a chart.
  void read_drawing(std::string_view id) {
    const Result<std::vector<std::string>> words = parts_.words_of_drawing(id);
    if (words.has_error())
      chunk_read_ = words.error();
    else
      for (const std::string& text : *words) paragraph(text, false);
  }

  DocumentBuilder& builder_;
  const DocxStyles& styles_;
  const DocxNumbering& numbering_;
  const DocxParts& parts_;
  const std::optional<PieceKind> kind_;
  int chosen_ = -1;  ///< entries of the drop-down list before the one that is shown
  std::size_t depth_ = 0, skip_from_ = 0, reading_from_ = 0, boxes_ = 0;
  bool in_paragraph_properties_ = false, in_text_ = false, in_code_ = false, picture_is_page_ = false;
  bool is_separator_ = false, field_begins_ = false;  ///< the note; a field
  LettersAsShapes shape_;                             ///< of the run
  Result<void> chunk_read_;
  DirectionMarks directions_;
  LetterLook own_, characters_;        ///< of the run, and of its style
  std::vector<Paragraph> paragraphs_;  ///< the open ones: a text box has its own within another
  std::string page_;                   ///< its ground
  std::vector<std::string> tables_;    ///< grounds that the styles of the open tables give cells
  std::vector<HidingSet> rows_;        ///< what hides the open rows
  std::vector<std::string> cells_;     ///< grounds of the open table cells
  std::string reading_, code_;         ///< of the word, above the line; of the field
  std::vector<bool> in_codes_;         ///< of the paragraph's open fields: whether their code is open
  std::string begun_;                  ///< paragraphs whose end is hidden
  std::vector<bool> alternatives_;     ///< the open ones: whether one of them is shown
  std::map<std::string, std::string, std::less<>> vocabularies_;  ///< by prefix
};

}  // namespace

Result<void> read_docx(const Archive& archive, DocumentBuilder& builder) {
  RelationsHandler package("");
  AKIN_TRY(const std::string_view relations, archive.require("_rels/.rels"));
  AKIN_CHECK(read_xml(relations, "_rels/.rels", package));
  read_properties(archive, "docProps/core.xml", builder);
  const std::string main = package.of_type("/officeDocument");
  const std::string folder = folder_of(main);
  const std::string relations_of_main = folder + "_rels/" + main.substr(folder.size()) + ".rels";
  RelationsHandler parts_of_main(folder);
  if (const std::string* found = archive.find(relations_of_main))
    AKIN_CHECK(read_xml(*found, relations_of_main, parts_of_main));
  // Programs name the parts as they like; a file without relations has the usual names.
  const auto part_of = [&](const std::string& kind) {
    std::string member = parts_of_main.of_type("/" + kind);
    return member.empty() ? folder + kind + ".xml" : member;
  };
  DocxTheme theme;
  if (const std::string* found = archive.find(part_of("theme"))) (void)read_xml(*found, "theme", theme);
  DocxStyles styles(theme);
  const std::string style_sheet = part_of("styles");
  if (const std::string* found = archive.find(style_sheet)) AKIN_CHECK(read_xml(*found, style_sheet, styles));
  DocxNumbering numbering(theme);
  const std::string lists = part_of("numbering");
  if (const std::string* found = archive.find(lists);
      found != nullptr && read_xml(*found, lists, numbering).has_error())
    builder.report(FileAlertKind::part_missing, 1, lists);
  const auto read_story = [&](std::string_view xml, const std::string& member,
                              std::optional<PieceKind> kind) -> Result<void> {
    DocxParts parts(archive);
    AKIN_CHECK(parts.open(member));
    StoryHandler story(builder, styles, numbering, parts, kind);
    AKIN_CHECK(read_xml(xml, member, story));
    return story.chunk_read();
  };
  AKIN_TRY(const std::string_view body, archive.require(main));
  AKIN_CHECK(read_story(body, main, PieceKind::body));
  for (const char* kind : {"header", "footer", "comments"}) {
    for (const std::string& member : parts_of_main.all_of_type(std::string("/") + kind)) {
      if (const std::string* found = archive.find(member)) AKIN_CHECK(read_story(*found, member, {}));
    }
  }
  for (const char* kind : {"footnotes", "endnotes"}) {
    const std::string notes = part_of(kind);
    if (const std::string* found = archive.find(notes))
      AKIN_CHECK(read_story(*found, notes, PieceKind::footnote));
  }
  return {};
}

}  // namespace akin::extract
