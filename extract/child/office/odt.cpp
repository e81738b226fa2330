#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/office/odt_styles.h"
#include "extract/child/office/properties.h"
#include "extract/child/page/picture.h"
#include "extract/child/readers.h"
#include "extract/html/visibility.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

/// The words of an embedded object: of a chart without its numbers, of a formula (MathML) as one.
class ObjectHandler : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "math" || name == "p") words_.emplace_back();
    if (name == "math") in_formula_ = is_formula_ = true;
    if (name == "table-cell") in_number_ = attributes.get("office", "value-type") == "float";
    in_text_ = in_formula_ ? is_token(name) : name == "p" && !in_number_;
  }
  void end(std::string_view name) override {
    if (name == "math") in_formula_ = false;
    if (name == "table-cell") in_number_ = false;
    in_text_ = false;
  }
  void text(std::string_view utf8) override {
    if (in_text_) append_flat(words_.back(), utf8);
  }
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }
  [[nodiscard]] bool is_formula() const noexcept { return is_formula_; }

 private:
  static bool is_token(std::string_view name) {
    constexpr std::array<std::string_view, 5> kTokens = {"mi", "mn", "mo", "ms", "mtext"};
    return std::ranges::find(kTokens, name) != kTokens.end();
  }

  std::vector<std::string> words_;
  bool is_formula_ = false, in_formula_ = false, in_number_ = false, in_text_ = false;
};

/// Reads styles.xml, of which only the styles count, then content.xml: its automatic styles and the body.
class ContentHandler : public XmlHandler {
 public:
  ContentHandler(const Archive& archive, DocumentBuilder& builder) : archive_(archive), builder_(builder) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (name == "body") has_body_ = true;
    if (name == "text" && has_body_) in_body_ = true;
    if (left_out_from_ == 0 && is_left_out(name)) left_out_from_ = depth_;
    if (!in_body_ && left_out_from_ == 0) return styles_.start(name, attributes);
    if (skips(name)) {
      skip_from_ = depth_;
    } else {
      open(name, attributes);
    }
  }

  void end(std::string_view name) override {
    if (depth_ == skip_from_) {
      skip_from_ = 0;
    } else if (skip_from_ == 0 && (in_body_ || left_out_from_ != 0)) {
      close(name);
    }
    if (depth_ == left_out_from_) left_out_from_ = 0;
    while (!looks_.empty() && looks_.back().first >= depth_) looks_.pop_back();
    --depth_;
  }

  void text(std::string_view utf8) override {
    if (skip_from_ == 0) add(utf8);
  }

  [[nodiscard]] bool done() const override { return builder_.full(); }

  /// Footnotes follow the body.
  void finish() override {
    for (const std::string& note : notes_) builder_.paragraph(PieceKind::footnote, note);
  }

 private:
  /// Heads and feet of pages, and remarks.
  [[nodiscard]] bool is_left_out(std::string_view name) const {
    if (in_body_) return name == "annotation";
    constexpr std::array<std::string_view, 6> kHeads = {"header",       "footer",      "header-left",
                                                        "header-first", "footer-left", "footer-first"};
    return std::ranges::find(kHeads, name) != kHeads.end();
  }

  /// What was deleted, and descriptions of pictures.
  [[nodiscard]] bool skips(std::string_view name) const {
    if (left_out_from_ != 0 && (name == "creator" || name == "date" || name.ends_with("-initials")))
      return true;
    return name == "tracked-changes" || name == "note-citation" || name == "title" || name == "desc" ||
           name == "script" || name == "sequence-decls";
  }

  /// By a condition, or without one.
  static bool is_hidden(std::string_view name, const XmlAttributes& attributes) {
    const bool now = attributes.get("text", "is-hidden") == "true";
    if (name == "section") return now || attributes.get("text", "display") == "none";
    return name == "hidden-text" && (now || attributes.get("text", "is-hidden").empty());
  }

  /// Remembers how an element changes the look of the letters in it.
  void look_at(std::string_view name, const XmlAttributes& attributes) {
    constexpr std::array<std::array<std::string_view, 3>, 10> kFamilies = {
        {{"span", "text", "text"},
         {"a", "text", "text"},
         {"p", "text", "paragraph"},
         {"h", "text", "paragraph"},
         {"section", "text", "section"},
         {"table", "table", "table"},
         {"table-row", "table", "table-row"},
         {"table-cell", "table", "table-cell"},
         {"text-box", "draw", "graphic"},
         {"frame", "draw", "graphic"}}};
    const auto* const known = std::ranges::find(kFamilies, name, [](const auto& one) { return one[0]; });
    LetterLook look;
    if (known != kFamilies.end()) look = styles_.look((*known)[2], attributes.get((*known)[1], "style-name"));
    if (is_hidden(name, attributes)) look.vanishes = true;
    LetterLook all = looks_.empty() ? LetterLook() : looks_.back().second;
    // What is hidden as a whole cannot be shown in a part.
    if (all.vanishes.value_or(false)) look.vanishes.reset();
    if (all.outside.value_or(false)) look.outside.reset();
    if (name == "text-box") look.low = false;
    all.add(look);
    if (known != kFamilies.end() || look.vanishes) looks_.emplace_back(depth_, std::move(all));
  }

  void open(std::string_view name, const XmlAttributes& attributes) {
    look_at(name, attributes);
    if (name == "p" || name == "h") {
      paragraphs_.emplace_back();
      paragraph_from_ = depth_;
      add_label(name, attributes);
    } else if (name == "user-field-decl") {
      fields_[std::string(attributes.get("text", "name"))] = attributes.get("office", "string-value");
    } else if (name == "user-field-get") {
      show_field(fields_[std::string(attributes.get("text", "name"))]);
    } else if (const std::string_view label = attributes.get("form", "label"); !label.empty()) {
      builder_.leave_out(label);
    } else if (name == "hidden-paragraph") {
      if (attributes.get("text", "is-hidden") != "false") hide_paragraph();
    } else if (name == "ruby") {
      ruby_from_ = paragraphs_.empty() ? 0 : paragraphs_.back().size();
    } else if (name == "ruby-text") {
      reading_from_ = depth_;
    } else if (name == "table") {
      ++tables_;
    } else if (name == "list") {
      const std::string_view own = attributes.get("text", "style-name");
      lists_.emplace_back(own.empty() && !lists_.empty() ? lists_.back() : std::string(own));
    } else if (name == "list-item") {
      begins_item_ = true;
    } else if (name == "note-body") {
      ++in_note_;
    } else if (name == "frame") {
      picture_is_page_ = is_page(centimetres_of(attributes.get("svg", "width")),
                                 centimetres_of(attributes.get("svg", "height")));
    } else if (name == "object") {
      read_object(attributes.get("xlink", "href"));
    } else if (name == "image" && std::exchange(picture_is_page_, false)) {
      add_picture_of_page(archive_, member_of("", attributes.get("xlink", "href")), builder_);
    } else if (name == "tab" || name == "s") {
      add(" ");
    } else if (name == "line-break") {
      add("\n", true);
    }
  }

  /// It has its declared value, whatever the file has in its place.
  void show_field(const std::string& value) {
    if (value.empty()) return;
    add(value);
    skip_from_ = depth_;
  }

  /// The field hides all of its paragraph.
  void hide_paragraph() {
    if (paragraphs_.empty()) return;
    if (left_out_from_ == 0) builder_.hide(paragraphs_.back(), set_of(Hiding::switched_off));
    paragraphs_.back().clear();
    for (auto look = looks_.rbegin(); look != looks_.rend() && look->first >= paragraph_from_; ++look)
      look->second.vanishes = true;
  }

  void close(std::string_view name) {
    if (name == "table" && tables_ > 0) --tables_;
    if (name == "list" && !lists_.empty()) lists_.pop_back();
    if (name == "note-body" && in_note_ > 0) --in_note_;
    if (name == "ruby-text" && reading_from_ == depth_) end_reading();
    if ((name != "p" && name != "h") || paragraphs_.empty()) return;
    const std::string paragraph = std::move(paragraphs_.back());
    paragraphs_.pop_back();
    if (left_out_from_ != 0) {
      builder_.leave_out(paragraph);
    } else if (in_note_ > 0) {
      notes_.push_back(paragraph);
    } else if (name == "h") {
      builder_.paragraph(PieceKind::heading, paragraph);
    } else {
      const bool set_off = lists_.empty() && !looks_.empty() && looks_.back().second.set_off.value_or(false);
      builder_.paragraph(tables_ > 0 ? PieceKind::table : PieceKind::body, paragraph,
                         set_off && tables_ == 0);
    }
  }

  /// In front of the paragraph that begins, what its list or the numbering of headings writes there.
  void add_label(std::string_view name, const XmlAttributes& attributes) {
    const std::string_view outline =
        name == "h" ? attributes.get("text", "outline-level") : std::string_view();
    std::string list = lists_.empty() ? std::string() : lists_.back();
    if (list.empty()) list = styles_.list_of(attributes.get("text", "style-name"));
    auto label = std::exchange(begins_item_, false)
                     ? styles_.label(list, std::max<std::size_t>(lists_.size(), 1))
                     : std::pair<std::string, LetterLook>();
    if (label.first.empty() && outline.size() == 1)
      label = styles_.label(OdtStyles::kOutline, static_cast<std::size_t>(outline.front() - '0'));
    if (label.first.empty()) return;
    LetterLook look = looks_.empty() ? LetterLook() : looks_.back().second;
    look.add(label.second);
    looks_.emplace_back(depth_ + 1, std::move(look));
    add(label.first + ' ');
    looks_.pop_back();
  }

  /// Where it can be read, its picture is not needed.
  void read_object(std::string_view reference) {
    const std::string member = member_of("", std::string(reference) + "/content.xml");
    const std::string* xml = archive_.find(member);
    ObjectHandler object;
    if (left_out_from_ != 0 || xml == nullptr || read_xml(*xml, member, object).has_error()) return;
    picture_is_page_ = false;
    for (const std::string& words : object.words()) {
      if (object.is_formula()) {
        add(words);
      } else {
        builder_.paragraph(PieceKind::body, words);
      }
    }
  }

  /// How a word is read is written above it, in small letters. A longer text is none.
  void end_reading() {
    reading_from_ = 0;
    const std::string reading = std::exchange(reading_, {});
    if (paragraphs_.empty()) return;
    const std::string_view in = paragraphs_.back();  // perhaps not the one in which the ruby began
    if (!is_reading(in.substr(std::min(ruby_from_, in.size())), reading)) add(reading);
  }

  /// A line feed in the file is a blank, unless an element of its own made it.
  void add(std::string_view utf8, bool lines = false) {
    if (paragraphs_.empty()) return;
    if (reading_from_ != 0) {
      reading_ += utf8;
      return;
    }
    const LetterLook look = looks_.empty() ? LetterLook() : looks_.back().second;
    if (look.condensed.value_or(false) && trimmed(utf8, " \u00a0").empty()) return;
    if (const HidingSet ways = look.hiding(styles_.page()); ways != 0) {
      if (left_out_from_ == 0) builder_.hide(utf8, ways);
      // Letters that only have another colour take their room: what they part is parted.
      if (ways == set_of(Hiding::colour)) paragraphs_.back() += ' ';
      return;
    }
    if (look.raised.value_or(false) && is_note_mark(paragraphs_.back(), utf8)) return;
    if (left_out_from_ == 0) builder_.look(look.kind, utf8);
    if (lines) {
      paragraphs_.back() += utf8;
    } else {
      append_flat(paragraphs_.back(), utf8);
    }
  }

  const Archive& archive_;
  DocumentBuilder& builder_;
  OdtStyles styles_;
  std::size_t depth_ = 0, skip_from_ = 0, left_out_from_ = 0, reading_from_ = 0, paragraph_from_ = 0;
  std::size_t ruby_from_ = 0;             ///< bytes of its paragraph before it
  std::size_t tables_ = 0, in_note_ = 0;  ///< open elements
  std::vector<std::string> lists_;        ///< the styles of the open ones
  bool begins_item_ = false, has_body_ = false, in_body_ = false, picture_is_page_ = false;
  std::vector<std::pair<std::size_t, LetterLook>> looks_;  ///< by depth: of the open elements that have one
  std::vector<std::string> paragraphs_;  ///< the open ones: a note or a frame has its own within another
  std::vector<std::string> notes_;
  std::map<std::string, std::string> fields_;  ///< of the user: values by name
  std::string reading_;                        ///< of the word that is above the line
};

}  // namespace

Result<void> read_odt(const Archive& archive, DocumentBuilder& builder) {
  if (const std::string* manifest = archive.find("META-INF/manifest.xml");
      manifest != nullptr && manifest->find("encryption-data") != std::string::npos)
    return encrypted();
  read_properties(archive, "meta.xml", builder);
  AKIN_TRY(const std::string_view content, archive.require("content.xml"));
  ContentHandler handler(archive, builder);
  if (const std::string* styles = archive.find("styles.xml"))
    AKIN_CHECK(read_xml(*styles, "styles.xml", handler));
  AKIN_CHECK(read_xml(content, "content.xml", handler));
  handler.finish();
  return {};
}

}  // namespace akin::extract
