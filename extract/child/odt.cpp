#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/properties.h"
#include "extract/child/readers.h"

namespace akin::extract {

namespace {

/// Reads content.xml: the automatic styles, which come first, then the body.
class ContentHandler : public XmlHandler {
 public:
  explicit ContentHandler(DocumentBuilder& builder) : builder_(builder) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (name == "style") style_ = attributes.get("style", "name");
    if (name == "text-properties" && hides(attributes)) hidden_styles_.insert(style_);
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
    if (depth_ == hidden_from_) hidden_from_ = 0;
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
  static bool hides(const XmlAttributes& attributes) {
    const std::string size(attributes.get("fo", "font-size"));
    const bool tiny = size == "0pt" || size == "1pt" || size.starts_with("0.") || size.starts_with("1.");
    const bool white = ascii_lower(attributes.get("fo", "color")) == "#ffffff" &&
                       (attributes.get("fo", "background-color").empty() ||
                        attributes.get("fo", "background-color") == "transparent");
    return attributes.get("text", "display") == "none" || white || (tiny && !size.ends_with('%'));
  }

  /// What was deleted, remarks, and descriptions of pictures.
  static bool skips(std::string_view name) {
    return name == "tracked-changes" || name == "annotation" || name == "note-citation" || name == "title" ||
           name == "desc" || name == "script" || name == "sequence-decls";
  }

  void open(std::string_view name, const XmlAttributes& attributes) {
    const std::string_view style = attributes.get("text", "style-name");
    if (hidden_from_ == 0 && ((!style.empty() && hidden_styles_.contains(style)) || name == "hidden-text" ||
                              name == "hidden-paragraph"))
      hidden_from_ = depth_;
    if (name == "p" || name == "h") {
      paragraphs_.emplace_back();
    } else if (name == "table") {
      ++tables_;
    } else if (name == "note-body") {
      ++in_note_;
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
    if (hidden_from_ != 0) return builder_.hide(utf8);
    if (lines) {
      paragraphs_.back() += utf8;
    } else {
      append_flat(paragraphs_.back(), utf8);
    }
  }

  DocumentBuilder& builder_;
  std::string style_;
  std::set<std::string, std::less<>> hidden_styles_;
  std::size_t depth_ = 0, skip_from_ = 0, hidden_from_ = 0, tables_ = 0, in_note_ = 0;
  bool in_body_ = false;
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
  ContentHandler handler(builder);
  AKIN_CHECK(read_xml(content, "content.xml", handler));
  handler.finish();
  return {};
}

}  // namespace akin::extract
