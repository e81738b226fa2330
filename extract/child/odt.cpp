#include <map>
#include <string>
#include <utility>
#include <vector>

#include "extract/child/errors.h"
#include "extract/child/picture.h"
#include "extract/child/properties.h"
#include "extract/child/readers.h"
#include "extract/visibility.h"

namespace akin::extract {

namespace {

/// Reads styles.xml, of which only the styles count, then content.xml: its automatic styles and the body.
class ContentHandler : public XmlHandler {
 public:
  ContentHandler(const Archive& archive, DocumentBuilder& builder) : archive_(archive), builder_(builder) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (name == "style") style_ = attributes.get("style", "name");
    if (name == "text-properties") {
      if (const HidingSet ways = hiding(attributes); ways != 0) hidden_styles_[style_] |= ways;
    }
    if (name == "text") in_body_ = true;
    if (!in_body_) return;
    if (skips(name)) {
      skip_from_ = depth_;
    } else {
      open(name, attributes);
    }
  }

  void end(std::string_view name) override {
    if (depth_ == skip_from_) {
      skip_from_ = 0;
    } else if (skip_from_ == 0 && in_body_) {
      close(name);
    }
    if (depth_ == hidden_from_) hidden_from_ = ways_ = 0;
    --depth_;
  }

  void text(std::string_view utf8) override {
    if (in_body_ && skip_from_ == 0) add(utf8);
  }

  [[nodiscard]] bool done() const override { return builder_.full(); }

  /// Footnotes follow the body.
  void finish() {
    for (const std::string& note : notes_) builder_.paragraph(PieceKind::footnote, note);
  }

 private:
  static HidingSet hiding(const XmlAttributes& attributes) {
    HidingSet ways = 0;
    if (attributes.get("text", "display") == "none") ways |= set_of(Hiding::switched_off);
    const std::string_view ground = attributes.get("fo", "background-color");
    if (has_colour_of_ground(attributes.get("fo", "color"), ground == "transparent" ? "" : ground))
      ways |= set_of(Hiding::colour);
    if (is_tiny_length(attributes.get("fo", "font-size"))) ways |= set_of(Hiding::size);
    return ways;
  }

  /// What was deleted, remarks, and descriptions of pictures.
  static bool skips(std::string_view name) {
    return name == "tracked-changes" || name == "annotation" || name == "note-citation" || name == "title" ||
           name == "desc" || name == "script" || name == "sequence-decls";
  }

  void open(std::string_view name, const XmlAttributes& attributes) {
    const std::string_view style = attributes.get("text", "style-name");
    if (hidden_from_ == 0) {
      const auto hidden = hidden_styles_.find(style);
      if (hidden != hidden_styles_.end()) ways_ = hidden->second;
      if (name == "hidden-text" || name == "hidden-paragraph") ways_ = set_of(Hiding::switched_off);
      if (ways_ != 0) hidden_from_ = depth_;
    }
    if (name == "p" || name == "h") {
      paragraphs_.emplace_back();
    } else if (name == "table") {
      ++tables_;
    } else if (name == "note-body") {
      ++in_note_;
    } else if (name == "frame") {
      picture_is_page_ = is_page(centimetres_of(attributes.get("svg", "width")),
                                 centimetres_of(attributes.get("svg", "height")));
    } else if (name == "image" && std::exchange(picture_is_page_, false)) {
      add_picture_of_page(archive_, member_of("", attributes.get("xlink", "href")), builder_);
    } else if (name == "tab" || name == "s") {
      add(" ");
    } else if (name == "line-break") {
      add("\n", true);
    }
  }

  void close(std::string_view name) {
    if (name == "table" && tables_ > 0) --tables_;
    if (name == "note-body" && in_note_ > 0) --in_note_;
    if ((name != "p" && name != "h") || paragraphs_.empty()) return;
    const std::string paragraph = std::move(paragraphs_.back());
    paragraphs_.pop_back();
    if (in_note_ > 0) {
      notes_.push_back(paragraph);
    } else if (name == "h") {
      builder_.paragraph(PieceKind::heading, paragraph);
    } else {
      builder_.paragraph(tables_ > 0 ? PieceKind::table : PieceKind::body, paragraph);
    }
  }

  /// A line feed in the file is a blank, unless an element of its own made it.
  void add(std::string_view utf8, bool lines = false) {
    if (paragraphs_.empty()) return;
    if (hidden_from_ != 0) {
      builder_.hide(utf8, ways_);
      // Letters that only have another colour take their room: what they part is parted.
      if (ways_ == set_of(Hiding::colour)) paragraphs_.back() += ' ';
      return;
    }
    if (lines) {
      paragraphs_.back() += utf8;
    } else {
      append_flat(paragraphs_.back(), utf8);
    }
  }

  const Archive& archive_;
  DocumentBuilder& builder_;
  std::string style_;
  std::map<std::string, HidingSet, std::less<>> hidden_styles_;
  std::size_t depth_ = 0, skip_from_ = 0, hidden_from_ = 0, tables_ = 0, in_note_ = 0;
  HidingSet ways_ = 0;  ///< of the element at hidden_from_
  bool in_body_ = false, picture_is_page_ = false;
  std::vector<std::string> paragraphs_;  ///< the open ones: a note or a frame has its own within another
  std::vector<std::string> notes_;
};

}  // namespace

Result<void> read_odt(const Archive& archive, DocumentBuilder& builder) {
  if (const std::string* manifest = archive.find("META-INF/manifest.xml");
      manifest != nullptr && manifest->find("encryption-data") != std::string::npos)
    return encrypted();
  if (const std::string* meta = archive.find("meta.xml")) {
    PropertiesHandler properties(builder.metadata());
    AKIN_CHECK(read_xml(*meta, "meta.xml", properties));
  }
  AKIN_TRY(const std::string_view content, archive.require("content.xml"));
  ContentHandler handler(archive, builder);
  if (const std::string* styles = archive.find("styles.xml"))
    AKIN_CHECK(read_xml(*styles, "styles.xml", handler));
  AKIN_CHECK(read_xml(content, "content.xml", handler));
  handler.finish();
  return {};
}

}  // namespace akin::extract
