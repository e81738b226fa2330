#include "extract/html.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <span>

#include "extract/html_attributes.h"
#include "extract/html_charset.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

using Names = std::span<const std::string_view>;

/// Sorted, for a binary search.
constexpr std::array<std::string_view, 20> kUnseen = {
    "aside", "audio",    "button",   "canvas",   "footer", "iframe", "math",
    "nav",   "noframes", "noscript", "object",   "option", "script", "select",
    "style", "svg",      "template", "textarea", "title",  "video"};
constexpr std::array<std::string_view, 46> kBlocks = {
    "address",  "article",  "blockquote", "body", "caption", "center",   "dd",         "details",
    "dialog",   "dir",      "div",        "dl",   "dt",      "fieldset", "figcaption", "figure",
    "form",     "frameset", "h1",         "h2",   "h3",      "h4",       "h5",         "h6",
    "header",   "hr",       "legend",     "li",   "listing", "main",     "menu",       "ol",
    "optgroup", "p",        "plaintext",  "pre",  "search",  "section",  "summary",    "table",
    "tbody",    "td",       "tfoot",      "th",   "thead",   "tr"};
constexpr std::array<std::string_view, 4> kPreformatted = {"listing", "plaintext", "pre", "xmp"};
static_assert(std::ranges::is_sorted(kUnseen) && std::ranges::is_sorted(kBlocks));

bool is_one_of(Names names, std::string_view name) { return std::ranges::binary_search(names, name); }

bool hides(std::string_view name, std::string_view value) {
  if (name == "hidden") return value != "until-found";
  if (name == "role") return value == "navigation";
  if (name != "style") return false;
  std::string style(value);
  std::erase_if(style, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  return style.find("display:none") != std::string::npos;
}

/// Whether one of the attributes `hides`, and with `concealed`, whether it is not the role of navigation.
bool is_hidden(const xmlChar** attributes, bool concealed = false) {
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]);
    if (hides(name, xml_view(attributes[1])) && !(concealed && name == "role")) return true;
  }
  return false;
}

bool is_concealed(const xmlChar** attributes) { return is_hidden(attributes, true); }

/// Receives the parser's events.
class PageReader {
 public:
  void start(xmlParserCtxtPtr parser, std::string_view name, const xmlChar** attributes) {
    if (depth_ == kMostNestedElements) {
      too_deep_ = true;
      xmlStopParser(parser);
      return;
    }
    ++depth_;
    if (unseen_from_ == 0 && (is_one_of(kUnseen, name) || is_hidden(attributes))) {
      unseen_from_ = depth_;
      in_title_ = name == "title" && title_.empty();
      in_hidden_ = !is_one_of(kUnseen, name) && is_concealed(attributes);
    }
    if (unseen_from_ != 0) return;
    if (name == "br") layout_.line_break();
    if (is_one_of(kPreformatted, name)) ++preformatted_;
    if (is_one_of(kBlocks, name)) layout_.border();
  }

  void end(std::string_view name) {
    if (depth_ == unseen_from_) {
      unseen_from_ = 0;
      in_title_ = in_hidden_ = false;
      hidden_.flow(" ");
      if (is_one_of(kBlocks, name)) layout_.border();
    } else if (unseen_from_ == 0) {
      if (is_one_of(kPreformatted, name) && preformatted_ > 0) --preformatted_;
      if (is_one_of(kBlocks, name)) layout_.border();
    }
    if (depth_ > 0) --depth_;
  }

  void characters(std::string_view text) {
    if (in_title_) title_ += text;
    if (in_hidden_) hidden_.flow(text);
    if (unseen_from_ != 0) return;
    if (preformatted_ > 0) {
      layout_.verbatim(text);
    } else {
      layout_.flow(text);
    }
  }

  [[nodiscard]] bool too_deep() const noexcept { return too_deep_; }

  [[nodiscard]] Page page() && {
    TextLayout title;
    title.flow(title_);
    std::string cut = std::move(title).take();
    cut.resize(whole_characters(cut, kMaxPageTitle).size());
    return {std::move(cut), std::move(layout_).take(), std::move(hidden_).take()};
  }

 private:
  TextLayout layout_, hidden_;
  std::string title_;
  std::size_t depth_ = 0;
  std::size_t unseen_from_ =
      0;  ///< depth of the unseen element, including its content; 0: everything is seen
  std::size_t preformatted_ = 0;
  bool in_title_ = false, in_hidden_ = false, too_deep_ = false;
};

struct Events {
  static PageReader& reader(void* parser) {
    return *static_cast<PageReader*>(static_cast<xmlParserCtxtPtr>(parser)->_private);
  }
  static void start(void* parser, const xmlChar* name, const xmlChar** attributes) {
    reader(parser).start(static_cast<xmlParserCtxtPtr>(parser), xml_view(name), attributes);
  }
  static void end(void* parser, const xmlChar* name) { reader(parser).end(xml_view(name)); }
  static void characters(void* parser, const xmlChar* text, int length) {
    reader(parser).characters(xml_view(text).substr(0, static_cast<std::size_t>(length)));
  }
};

struct FreeParser {
  void operator()(xmlParserCtxtPtr parser) const noexcept { htmlFreeParserCtxt(parser); }
};

}  // namespace

Result<Page> read_html(std::string_view bytes, const std::string& name) {
  static std::once_flag initialised;
  std::call_once(initialised, xmlInitParser);
  AKIN_TRY(std::string text, to_utf8(bytes, name));
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Error{Errc::too_large, name, "is longer than 2 GiB", "split it"};
  }
  std::ranges::replace(text, '\0', ' ');  // the parser would take it for the end
  if (text.empty()) return Page();
  limit_attributes(text);
  const std::unique_ptr<xmlParserCtxt, FreeParser> parser(
      htmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size())));
  if (parser == nullptr) return Error{Errc::internal, name, "the HTML parser could not be created", ""};
  htmlCtxtUseOptions(parser.get(), HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                       HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
  xmlSwitchEncoding(parser.get(), XML_CHAR_ENCODING_UTF8);
  PageReader reader;
  xmlSAXHandler events{};
  events.startElement = Events::start;
  events.endElement = Events::end;
  events.characters = Events::characters;
  events.ignorableWhitespace = Events::characters;
  *parser->sax = events;
  parser->_private = &reader;
  htmlParseDocument(parser.get());
  if (reader.too_deep()) {
    return Error{Errc::too_large, name,
                 "its elements are nested deeper than " + std::to_string(kMostNestedElements),
                 "convert it to text by another program"};
  }
  if (parser->input != nullptr && parser->input->cur < parser->input->end) {
    return Error{Errc::corrupt, name, "the HTML parser gave up before its end",
                 "convert it to text by another program"};
  }
  return std::move(reader).page();
}

}  // namespace akin::extract
