// XML without a reader of its own: TEI, NewsML-G2, and the text of the elements of any other.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/child/readers.h"
#include "extract/child/xml.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

template <std::size_t size>
bool is_one_of(std::string_view name, const std::array<std::string_view, size>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Elements that are a paragraph with all that is in them, in TEI, DocBook, JATS, OpenDocument and WordML.
constexpr std::array<std::string_view, 20> kParagraphs = {
    "p",       "para", "simpara", "head", "h",  "title", "subtitle", "ab",        "l",      "speaker",
    "trailer", "cell", "entry",   "td",   "th", "label", "byline",   "titlePart", "salute", "signed"};

/// What no reader of the document sees: pictures and programs of page layout, what the file is made of, what
/// was deleted.
constexpr std::array<std::string_view, 19> kUnseen = {"facsimile",
                                                      "sourceDoc",
                                                      "standOff",
                                                      "fw",
                                                      "del",
                                                      "figDesc",
                                                      "styles",
                                                      "settings",
                                                      "master-styles",
                                                      "binData",
                                                      "delText",
                                                      "instrText",
                                                      "docPr",
                                                      "fonts",
                                                      "automatic-styles",
                                                      "font-face-decls",
                                                      "meta",
                                                      "DocumentProperties",
                                                      "CustomDocumentProperties"};

/// What a `choice` has beside what an editor made of it.
constexpr std::array<std::string_view, 3> kBesideChoice = {"sic", "orig", "abbr"};

/// Block quotations of DocBook, JATS, NITF, DITA and others; TEI has one with its source in a `cit`.
constexpr std::array<std::string_view, 6> kQuotations = {"blockquote", "disp-quote", "epigraph",
                                                         "bq",         "lq",         "cit"};

/// Whether it is a quotation in lines of its own, in a paragraph or between paragraphs.
bool is_block_quotation(std::string_view name, const XmlAttributes& attributes, bool in_paragraph) {
  if (is_one_of(name, kQuotations)) return name != "cit" || !in_paragraph;
  if (name != "quote" && name != "q") return false;
  const auto is_block = [&](const char* attribute) {
    return attributes.get(attribute).find("block") != std::string_view::npos;
  };
  return (name == "quote" && !in_paragraph) || is_block("rend") || is_block("rendition") || is_block("type");
}

/// Of a Word document in one file ("Flat OPC"): styles, properties and the like.
bool is_other_part(std::string_view name, const XmlAttributes& attributes) {
  const std::string_view path = name == "part" ? attributes.get("name") : std::string_view();
  return path.starts_with('/') && !path.ends_with("/document.xml") && !path.ends_with("notes.xml");
}

constexpr std::string_view kWhite = " \t\r\n";

/// What is of no text in the content of news, or is in its properties, too: of NITF and XHTML.
constexpr std::array<std::string_view, 6> kBesideNews = {"head",   "body.head", "body.end",
                                                         "script", "style",     "remoteContent"};

/// The properties of an item of news (NewsML-G2), all of which precede its content.
class NewsProperties {
 public:
  explicit NewsProperties(FileMetadata& metadata) : metadata_(metadata) {}

  void start(std::string_view name, const XmlAttributes& attributes) {
    open_.emplace_back(name);
    text_.clear();
    if (name == "newsItem" && metadata_.identifiers.empty() && !attributes.get("guid").empty())
      metadata_.identifiers.emplace_back(attributes.get("guid"));
    if (name == "provider") set(metadata_.site, attributes.get("literal"));
    if (name == "language") set(metadata_.language, attributes.get("tag"));
  }
  void text(std::string_view utf8) { append_flat(text_, utf8); }
  void end(std::string_view name) {
    const bool has_name = open_.size() > 1 && name == "name";
    const std::string_view of = has_name ? std::string_view(open_[open_.size() - 2]) : std::string_view();
    const std::string_view value = trimmed(text_, kWhite);
    if (name == "headline") set(headline_, value);
    if (name == "title") set(title_, value);
    if (name == "firstCreated") set(first_created_, value);
    if (name == "versionCreated") set(version_created_, value);
    if (of == "provider") set(metadata_.site, value);
    if (of == "creator" && !value.empty() && metadata_.authors.size() < kMostParts)
      metadata_.authors.emplace_back(value);
    if (!open_.empty()) open_.pop_back();
    text_.clear();
  }
  /// The content begins. Of several items, the first one's properties count.
  void finish() {
    set(metadata_.title, headline_.empty() ? title_ : headline_);
    set(metadata_.date, first_created_.empty() ? version_created_ : first_created_);
  }

 private:
  static void set(std::string& property, std::string_view value) {
    if (property.empty()) property = value;
  }

  FileMetadata& metadata_;
  std::vector<std::string> open_;
  std::string text_, headline_, title_, first_created_, version_created_;
};

class TextHandler : public XmlHandler {
 public:
  explicit TextHandler(DocumentBuilder& builder) : builder_(builder), news_(builder.metadata()) {}

  void start(std::string_view name, const XmlAttributes& attributes) override {
    ++depth_;
    if (skip_from_ != 0) return;
    if (depth_ == 1) {
      is_tei_ = name == "TEI" || name == "TEI.2" || name == "teiCorpus";
      is_news_ = name == "newsItem" || name == "newsMessage";
    }
    if (is_news_ && content_from_ == 0) {
      if (name != "contentSet") {
        news_.start(name, attributes);
        return;
      }
      news_.finish();
      content_from_ = depth_;
    }
    if (is_news_ && name == "inlineData") begin_data(attributes);
    if (name == "teiHeader") header_from_ = depth_;
    if (header_from_ != 0) {
      if (name == "language" && builder_.metadata().language.empty())
        builder_.metadata().language = attributes.get("ident");
      text_.clear();
      return;
    }
    const bool chosen = choice_ + 1 == depth_ && is_one_of(name, kBesideChoice);
    const bool is_beside = is_news_ && is_one_of(name, kBesideNews);
    if (chosen || is_beside || is_one_of(name, kUnseen) || is_other_part(name, attributes)) {
      skip_from_ = depth_;
    } else if (name == "choice") {
      choice_ = depth_;
    } else if (name == "note" && is_tei_) {
      notes_.emplace_back(depth_, std::exchange(text_, {}));
    } else if (notes_.empty() && is_block_quotation(name, attributes, paragraph_ != 0)) {
      begin_quotation();
    } else if (is_marked_quotation(name)) {
      text_ += "\u201c";
    } else if (name == "lb" || name == "line-break" || name == "br") {
      if (attributes.get("break") != "no") text_ += '\n';
    } else if (name == "pb" || name == "tab" || name == "s") {
      append_flat(text_, " ");
    } else if (paragraph_ == 0 && is_paragraph(name)) {
      if (name != "l" || !is_verse_) flush();
      is_verse_ = name == "l";
      paragraph_ = depth_;
      kind_ = kind_of(name);
    } else if (paragraph_ == 0 && is_blank(text_)) {
      flush();
      blocks_.push_back(depth_);
    }
  }

  void end(std::string_view name) override {
    if (is_news_ && content_from_ == 0) {
      news_.end(name);
      --depth_;
      return;
    }
    if (data_from_ == depth_) end_data();
    if (skip_from_ == depth_) {
      skip_from_ = 0;
    } else if (header_from_ != 0) {
      property(name);
      if (header_from_ == depth_) header_from_ = 0;
    } else if (skip_from_ == 0) {
      close(name);
    }
    if (choice_ == depth_) choice_ = 0;
    if (content_from_ == depth_) content_from_ = 0;
    --depth_;
  }

  void text(std::string_view utf8) override {
    if (is_news_ && content_from_ == 0) {
      news_.text(utf8);
    } else if (data_from_ != 0) {
      data_ += utf8;
    } else if (skip_from_ == 0) {
      append_flat(text_, utf8);
    }
  }

  [[nodiscard]] bool done() const override { return builder_.full(); }

  /// What a file that breaks off left.
  void finish() override {
    while (!notes_.empty()) close_note();
    flush();
  }

 private:
  void begin_data(const XmlAttributes& attributes) {
    const std::string_view type = attributes.get("contenttype");
    is_page_ = type.find("html") != type.npos;
    if (attributes.get("encoding").empty() && (is_page_ || type.empty() || type.starts_with("text/"))) {
      data_from_ = depth_;
    } else {
      skip_from_ = depth_;
      builder_.report(FileAlertKind::part_missing, 1, type);
    }
  }

  /// Plain text, whose paragraphs are separated by blank lines, or a page of HTML.
  void end_data() {
    data_from_ = 0;
    flush();
    const std::string data = std::exchange(data_, {});
    if (is_page_) {
      (void)read_page(data, kUtf8Name, builder_);
      return;
    }
    builder_.border();
    builder_.verbatim(data);
    builder_.border();
  }

  static bool is_blank(std::string_view text) { return trimmed(text, kWhite).empty(); }

  static bool is_paragraph(std::string_view name) { return is_one_of(name, kParagraphs); }

  static PieceKind kind_of(std::string_view name) {
    if (name == "head" || name == "h" || name == "title" || name == "titlePart") return PieceKind::heading;
    if (name == "cell" || name == "entry" || name == "td" || name == "th") return PieceKind::table;
    return PieceKind::body;
  }

  /// DocBook's element is printed with quotation marks.
  [[nodiscard]] bool is_marked_quotation(std::string_view name) const {
    return name == "quote" && !is_tei_ && paragraph_ != 0;
  }

  /// What precedes it in its paragraph is a paragraph, and so is what follows.
  void begin_quotation() {
    flush();
    quotations_.emplace_back(depth_, std::exchange(paragraph_, 0));
  }

  void end_quotation() {
    flush();
    paragraph_ = quotations_.back().second;
    quotations_.pop_back();
  }

  void close(std::string_view name) {
    if (!quotations_.empty() && quotations_.back().first == depth_) return end_quotation();
    if (is_marked_quotation(name)) text_ += "\u201d";
    if (!notes_.empty() && notes_.back().first == depth_) {
      close_note();
    } else if (paragraph_ == depth_) {
      paragraph_ = 0;
      if (name == "l") {
        text_ += '\n';  // the lines of a stanza are one paragraph
      } else {
        flush();
      }
    } else if (!blocks_.empty() && blocks_.back() == depth_) {
      blocks_.pop_back();
      flush();
    }
  }

  /// A note follows the paragraph that it is in.
  void close_note() {
    due_.push_back(std::exchange(text_, std::move(notes_.back().second)));
    notes_.pop_back();
    if (paragraph_ == 0 && notes_.empty() && is_blank(text_)) flush();
  }

  /// Of the header's first title statement.
  void property(std::string_view name) {
    FileMetadata& metadata = builder_.metadata();
    if (name == "titleStmt") has_title_ = true;
    if (!has_title_ && name == "title" && metadata.title.empty()) metadata.title = text_;
    if (!has_title_ && name == "author" && metadata.authors.size() < kMostParts)
      metadata.authors.push_back(text_);
    if (name == "date" && metadata.date.empty()) metadata.date = text_;
    text_.clear();
  }

  void flush() {
    if (!is_blank(text_)) builder_.paragraph(kind_, text_, !quotations_.empty() && kind_ == PieceKind::body);
    text_.clear();
    kind_ = PieceKind::body;
    is_verse_ = false;
    for (const std::string& note : std::exchange(due_, {})) builder_.paragraph(PieceKind::footnote, note);
  }

  DocumentBuilder& builder_;
  std::string text_;
  std::vector<std::pair<std::size_t, std::string>>
      notes_;  ///< open ones: depth, the text that they interrupt
  std::vector<std::pair<std::size_t, std::size_t>>
      quotations_;                   ///< open ones: depth, the depth of the paragraph that they interrupt
  std::vector<std::string> due_;     ///< notes of the paragraph
  std::vector<std::size_t> blocks_;  ///< open elements, outside of paragraphs, that no text preceded: depths
  PieceKind kind_ = PieceKind::body;
  std::size_t depth_ = 0, skip_from_ = 0, header_from_ = 0, choice_ = 0, paragraph_ = 0;  ///< depths; 0: none
  std::size_t content_from_ = 0, data_from_ = 0;
  NewsProperties news_;
  std::string data_;  ///< of the open `inlineData`
  bool is_news_ = false, is_page_ = false;
  bool is_tei_ = false, is_verse_ = false, has_title_ = false;
};

}  // namespace

Result<void> read_other_xml(std::string_view bytes, DocumentBuilder& builder) {
  TextHandler handler(builder);
  return recover_xml(bytes, "the file", handler, builder);
}

}  // namespace akin::extract
