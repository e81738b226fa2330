#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "extract/child/readers.h"
#include "extract/child/xml.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

class BookHandler : public XmlHandler {
 public:
  explicit BookHandler(DocumentBuilder& builder) : builder_(builder) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (skips(name)) {
      skip_from_ = depth_;
    } else if (name == "title-info") {
      in_info_ = true;
    } else if (name == "body") {
      text_.clear();                             // of the description
      notes_ = !attributes.get("name").empty();  // the main body has no name
      in_body_ = true;
    } else if (name == "title" && in_body_) {
      ++titles_;
      title_.clear();
    } else if (name == "author" && in_info_) {
      author_.clear();
    } else if (!in_body_) {
      text_.clear();
    } else if (is_quotation(name)) {
      flush();
      ++quotations_;
    } else if (name == "a" && attributes.get("type") == "note" && reference_from_ == 0) {
      reference_from_ = depth_;
      reference_at_ = text_.size();
    } else if (name == "sup") {
      raised_from_ = text_.size();
    } else if (is_paragraph(name) && name != "v") {
      flush();
    }
  }

  void end(std::string_view name) override {
    if (depth_ == skip_from_) {
      skip_from_ = 0;
    } else if (skip_from_ == 0) {
      close(name);
    }
    --depth_;
  }

  void text(std::string_view utf8) override {
    if (skip_from_ == 0) append_flat(text_, utf8);
  }

  [[nodiscard]] bool done() const override { return builder_.full(); }

  /// What a file that breaks off left.
  void finish() override {
    titles_ = 0;
    if (in_body_) flush();
  }

 private:
  /// Pictures and styles.
  static bool skips(std::string_view name) { return name == "binary" || name == "stylesheet"; }

  /// What refers to a note is a number or a mark; anything longer is text.
  void end_reference() {
    constexpr std::size_t kLongest = 12;
    reference_from_ = 0;
    if (count_code_points(std::string_view(text_).substr(std::min(reference_at_, text_.size()))) <= kLongest)
      text_.resize(std::min(reference_at_, text_.size()));
  }

  static bool is_paragraph(std::string_view name) {
    return name == "p" || name == "v" || name == "subtitle" || name == "text-author" || name == "td" ||
           name == "th" || name == "date" || name == "empty-line" || name == "stanza" || name == "section";
  }

  static bool is_quotation(std::string_view name) { return name == "cite" || name == "epigraph"; }

  void close(std::string_view name) {
    if (name == "title-info") in_info_ = false;
    if (in_info_) return property(name);
    if (!in_body_) return;
    if (reference_from_ == depth_) return end_reference();
    if (name == "sup" && raised_from_ <= text_.size()) {
      const std::string_view text = text_;
      if (is_note_mark(text.substr(0, raised_from_), text.substr(raised_from_))) text_.resize(raised_from_);
    } else if (name == "title" && titles_ > 0) {
      flush();
      if (--titles_ == 0) builder_.paragraph(notes_ ? PieceKind::footnote : PieceKind::heading, title_);
    } else if (name == "v") {
      text_ += '\n';  // the lines of a stanza are one paragraph
      verse_ += text_;
      text_.clear();
    } else if (is_paragraph(name)) {
      in_table_ = name == "td" || name == "th";
      flush();
      in_table_ = false;
    } else if (is_quotation(name) && quotations_ > 0) {
      flush();
      --quotations_;
    } else if (name == "body") {
      flush();
    }
  }

  void property(std::string_view name) {
    FileMetadata& metadata = builder_.metadata();
    if (name == "p" || name == "v") builder_.leave_out(text_);  // of the annotation
    if (name == "book-title") metadata.title = text_;
    if (name == "lang") metadata.language = text_;
    if (name == "date") metadata.date = text_;
    if (name == "first-name" || name == "middle-name" || name == "last-name" || name == "nickname")
      author_ += (author_.empty() ? "" : " ") + text_;
    if (name == "author" && metadata.authors.size() < kMostParts) metadata.authors.push_back(author_);
    text_.clear();
  }

  void flush() {
    if (!verse_.empty()) text_ = std::exchange(verse_, {}) + text_;
    if (titles_ > 0) {
      title_ += (title_.empty() ? "" : "\n") + text_;
    } else {
      const PieceKind kind = in_table_ ? PieceKind::table : PieceKind::body;
      builder_.paragraph(notes_ ? PieceKind::footnote : kind, text_,
                         quotations_ > 0 && !notes_ && !in_table_);
    }
    text_.clear();
    reference_at_ = 0;
  }

  DocumentBuilder& builder_;
  std::string text_, title_, author_, verse_;
  std::size_t depth_ = 0, skip_from_ = 0, titles_ = 0, raised_from_ = 0, quotations_ = 0;
  std::size_t reference_from_ = 0,
              reference_at_ = 0;  ///< depth of the open one, and where it begins in text_
  bool in_info_ = false, in_body_ = false, notes_ = false, in_table_ = false;
};

}  // namespace

Result<void> read_fb2(std::string_view bytes, DocumentBuilder& builder) {
  BookHandler handler(builder);
  return recover_xml(bytes, "the book", handler, builder);
}

}  // namespace akin::extract
