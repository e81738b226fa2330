#include "extract/html.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/html_attributes.h"
#include "extract/html_charset.h"
#include "extract/style_sheet.h"
#include "extract/text_layout.h"
#include "extract/visibility.h"
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

/// What the attributes of an element say about whether it is seen.
struct Look {
  HidingSet ways = 0;
  bool navigation = false;
  bool ground = false;  ///< it sets its own
};

Look look_of(std::string_view tag, const xmlChar** attributes, const StyleSheet& sheet, bool on_ground) {
  Look look;
  Declarations style;
  sheet.add_of_tag(tag, style);
  std::string_view own;
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]), value = xml_view(attributes[1]);
    if (name == "hidden" && value != "until-found") look.ways |= set_of(Hiding::switched_off);
    if (name == "role") look.navigation = value == "navigation";
    if (name == "bgcolor" || name == "background") look.ground = true;
    if (name == "color" && !on_ground && has_colour_of_ground(value, "")) look.ways |= set_of(Hiding::colour);
    if (name == "class") sheet.add_of_classes(value, style);
    if (name == "id") sheet.add_of_id(value, style);
    if (name == "style") own = value;
  }
  style.add(own);
  if (style.empty()) return look;
  look.ground = look.ground || style.set_ground();
  look.ways |= style.hiding(on_ground);
  return look;
}

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
    if (name == "link") links_sheet_ = true;
    if (name == "html" && attributes != nullptr) take_language(attributes);
    if (unseen_from_ == 0) look_at(name, attributes);
    if (unseen_from_ != 0) return;
    if (name == "br") layout_.line_break();
    if (is_one_of(kPreformatted, name)) ++preformatted_;
    if (is_one_of(kBlocks, name)) layout_.border();
  }

  void end(std::string_view name) {
    if (depth_ == unseen_from_) {
      unseen_from_ = 0;
      if (in_style_) sheet_.add(std::exchange(style_, {}));
      // Letters that only have another colour take their room: what they part is parted.
      if (hidden_by_ == set_of(Hiding::colour)) layout_.flow(" ");
      in_title_ = in_style_ = false;
      hidden_by_ = 0;
      hidden_.flow(" ");
      if (is_one_of(kBlocks, name)) layout_.border();
    } else if (unseen_from_ == 0) {
      if (is_one_of(kPreformatted, name) && preformatted_ > 0) --preformatted_;
      if (is_one_of(kBlocks, name)) layout_.border();
    }
    if (!grounds_.empty() && grounds_.back() == depth_) grounds_.pop_back();
    if (depth_ > 0) --depth_;
  }

  void characters(std::string_view text) {
    if (in_title_) title_ += text;
    if (in_style_) style_ += text;
    if (hidden_by_ != 0) hide(text);
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
    Page page{std::move(cut), std::move(language_), std::move(layout_).take(), std::move(hidden_).take(), 0,
              ways_};
    page.hidden_at = static_cast<std::uint32_t>(
        count_code_points(std::string_view(page.text).substr(0, hidden_at_.value_or(0))));
    return page;
  }

 private:
  void take_language(const xmlChar** attributes) {
    constexpr std::size_t kMostLanguage = 64;
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view value = xml_view(attributes[1]);
      if (xml_view(attributes[0]) == "lang" && value.size() <= kMostLanguage) language_ = value;
    }
  }

  void look_at(std::string_view name, const xmlChar** attributes) {
    const bool unseen = is_one_of(kUnseen, name);
    const Look look = look_of(name, attributes, sheet_, links_sheet_ || !grounds_.empty());
    if (look.ground) grounds_.push_back(depth_);
    if (!unseen && !look.navigation && look.ways == 0) return;
    unseen_from_ = depth_;
    in_title_ = name == "title" && title_.empty();
    in_style_ = name == "style";
    if (!unseen) hidden_by_ = look.ways;
  }

  void hide(std::string_view text) {
    hidden_.flow(text);
    if (std::ranges::all_of(text, is_markup_space)) return;
    ways_ |= hidden_by_;
    if (!hidden_at_) hidden_at_ = layout_.mark().size;
  }

  TextLayout layout_, hidden_;
  std::string title_, style_, language_;
  StyleSheet sheet_;
  std::vector<std::size_t> grounds_;  ///< depths of the open elements that set one
  std::optional<std::size_t> hidden_at_;
  HidingSet hidden_by_ = 0;  ///< of the unseen element
  HidingSet ways_ = 0;       ///< of all hidden text
  std::size_t depth_ = 0;
  std::size_t unseen_from_ =
      0;  ///< depth of the unseen element, including its content; 0: everything is seen
  std::size_t preformatted_ = 0;
  bool in_title_ = false, in_style_ = false, links_sheet_ = false, too_deep_ = false;
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

Result<Page> read_html(std::string_view bytes, const std::string& name, std::string_view undeclared) {
  static std::once_flag initialised;
  std::call_once(initialised, xmlInitParser);
  AKIN_TRY(std::string text, to_utf8(bytes, name, undeclared));
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
