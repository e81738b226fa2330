#include "extract/html/html.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/html/concealed_texts.h"
#include "extract/html/direction_marks.h"
#include "extract/html/element_look.h"
#include "extract/html/element_names.h"
#include "extract/html/html_attributes.h"
#include "extract/html/html_charset.h"
#include "extract/html/menu.h"
#include "extract/html/style_sheet.h"
#include "extract/interleaved_text.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

/// Of what is folded, the colour says nothing: its ground comes with it.
constexpr HidingSet kFolded = set_of(Hiding::switched_off) | set_of(Hiding::outside);

/// Receives the parser's events.
class PageReader {
 public:
  PageReader(const AddSheet& add_sheet, bool with_menus, bool with_script_text)
      : add_sheet_(add_sheet), with_menus_(with_menus), with_script_text_(with_script_text) {}

  void start(xmlParserCtxtPtr parser, std::string_view name, const xmlChar** attributes) {
    if (depth_ == kMostNestedElements) {
      too_deep_ = true;
      xmlStopParser(parser);
      return;
    }
    ++depth_;
    begin_element(open_, open_element(name, attributes), is_block(name));
    if (name == "link") take_sheet(attributes);
    facts_.element(name, attributes);
    added_ += sheet_->added_of(attributes);
    if (name == "html" && attributes != nullptr) take_language(attributes);
    if (link_from_ == 0 && is_one_of(kLinks, name)) begin_link();
    has_scripts_ = has_scripts_ || name == "script";
    if (hidden_by_ == set_of(Hiding::size) && never_shown_from_ == 0) show_again(attributes);
    if (unseen_from_ == 0) {
      direction_ = look_at(name, attributes);
      if (hidden_by_ == 0) facts_.shown_element(name, attributes);
    } else if (hidden_by_ != 0 && never_shown_from_ == 0 && (is_one_of(kUnseen, name) || name == "math")) {
      never_shown_from_ = depth_;
    }
    if (unseen_from_ != 0) return;
    if (name == "svg") ++drawings_;
    if (drawings_ > 0 && (name == "text" || name == "foreignobject")) ++drawn_texts_;
    if (name == "br") layout_.line_break(), looks_.end_line();
    if (is_one_of(kPreformatted, name)) ++preformatted_;
    if (is_block(name)) border();
    if (is_field(name)) characters(" " + text_of_field(name, attributes) + " ");
    if (name == "blockquote") layout_.set_off(++quotations_ > 0);
    if (name == "q") layout_.flow("\u201c");
    layout_.flow(directions_.begin(depth_, std::exchange(direction_, {})));
  }

  void end(std::string_view name) {
    facts_.end(name);
    if (depth_ == never_shown_from_) never_shown_from_ = 0;
    if (depth_ == unseen_from_) {
      end_unseen();
      if (is_block(name)) border();
    } else if (unseen_from_ == 0) {
      if (const std::string_view mark = directions_.end(depth_); !layout_.mark().border) layout_.flow(mark);
      if (is_one_of(kPreformatted, name) && preformatted_ > 0) --preformatted_;
      if (is_block(name)) border();
      if (name == "q") layout_.flow("\u201d");
      if (name == "blockquote" && quotations_ > 0) layout_.set_off(--quotations_ > 0);
      if (drawn_texts_ > 0 && (name == "text" || name == "foreignobject")) --drawn_texts_;
      if (drawings_ > 0 && name == "svg") --drawings_;
      if (!regions_.empty() && regions_.back().depth == depth_) end_region();
    }
    if (!shown_again_.empty() && shown_again_.back().depth == depth_) hide_again();
    if (link_from_ == depth_) link_from_ = 0;
    if (!grounds_.empty() && grounds_.back() == depth_) grounds_.pop_back();
    if (depth_ > 0) --depth_;
    end_element(open_, ended_++ < kMostKeptElements);
  }

  void characters(std::string_view text) {
    if (in_title_) title_ += text;
    if (in_style_) style_ += text;
    facts_.characters(text);
    if (hidden_by_ != 0 && never_shown_from_ == 0) {
      concealed_.flow(text);
      count(text, concealed_menu_);
    }
    if (unseen_from_ != 0 || (drawings_ > 0 && drawn_texts_ == 0)) return;
    for (Region& region : regions_) count(text, region.menu);
    if (preformatted_ > 0) {
      layout_.verbatim(text);
    } else {
      if (!open_.empty()) looks_.take(open_.back().look, text);
      layout_.flow(text);
    }
  }

  [[nodiscard]] bool too_deep() const noexcept { return too_deep_; }
  /// Whether menus have more than half as much text as the rest.
  [[nodiscard]] bool is_mostly_menus() const noexcept { return 2 * left_out_ > layout_.mark().size; }
  /// Whether scripts may show more text than the rest.
  [[nodiscard]] bool is_mostly_script_text() const {
    return has_scripts_ && hidden_.may_show() > layout_.mark().size;
  }

  /// The pages that frames in this one show.
  [[nodiscard]] std::string take_frames() { return std::exchange(frames_, {}); }

  [[nodiscard]] Page page() && {
    TextLayout title;
    title.flow(title_);
    Page page;
    page.title = std::move(title).take();
    page.title.resize(whole_characters(page.title, kMaxPageTitle).size());
    page.language = std::move(language_);
    page.text = std::move(layout_).take();
    page.facts = std::move(facts_).take();
    page.added = sheet_->added_text() + added_;
    page.interleaved = static_cast<std::uint32_t>(looks_.characters());
    page.interleaved_sample = looks_.sample();
    hidden_.give(page, has_scripts_);
    const std::string_view before = std::string_view(page.text).substr(0, script_text_from_.value_or(0));
    if (script_text_from_) page.script_text.at = static_cast<std::uint32_t>(count_code_points(before));
    return page;
  }

 private:
  void border() {
    layout_.border();
    looks_.end_paragraph();
  }

  void take_sheet(const xmlChar** attributes) {
    const std::string_view address = linked_style_sheet(attributes);
    if (const std::string inside = sheet_in(address); !inside.empty()) return add_to(sheet_, inside);
    if (add_sheet_ && !address.empty() && add_sheet_(sheet_, address)) return;
    links_sheet_ = links_sheet_ || links_style_sheet(attributes);
  }

  /// What an element shows that is not read.
  void take_beside(std::string_view name, const xmlChar** attributes) {
    frames_ += page_of_frame(name, attributes);
    added_ += data_of_frame(name, attributes);
    added_ += StyleSheet::marks_of(attributes);
  }

  [[nodiscard]] bool is_block(std::string_view name) const {
    return is_one_of(kBlocks, name) || (drawings_ > 0 && name == "text");
  }

  void take_language(const xmlChar** attributes) {
    constexpr std::size_t kMostLanguage = 64;
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view value = xml_view(attributes[1]);
      if (xml_view(attributes[0]) == "lang" && value.size() <= kMostLanguage) language_ = value;
    }
  }

  void begin_link() {
    link_from_ = depth_;
    for (Region& region : regions_) ++region.menu.links;
    ++concealed_menu_.links;
  }

  void count(std::string_view text, Menu& menu) const {
    const std::size_t letters = count_letters(text);
    menu.letters += letters;
    if (link_from_ != 0) menu.linked += letters;
  }

  [[nodiscard]] bool may_be_on_ground() const {
    return links_sheet_ || sheet_->has_unknown_grounds() || !grounds_.empty();
  }

  /// Returns what the element says of the direction of its letters.
  DirectionMarks::Said look_at(std::string_view name, const xmlChar** attributes) {
    const Look look = look_of(open_, attributes, *sheet_, may_be_on_ground(), steps_);
    if (look.ground) grounds_.push_back(depth_);
    const bool unseen = is_one_of(kUnseen, name) && !is_shown_template(name, attributes);
    if (look.ways == 0) take_beside(name, attributes);
    const bool stands_alone = layout_.mark().border || layout_.mark().size == 0;
    const bool may_show = !unseen && look.ways != 0 && may_be_shown(name, look, stands_alone);
    if (may_show && with_script_text_) {
      if (!script_text_from_) script_text_from_ = layout_.mark().size;
      if (!is_one_of(kPages, name)) begin_menu(name);
    } else if (unseen || look.ways != 0) {
      unseen_from_ = depth_;
      in_title_ = name == "title" && title_.empty() && drawings_ == 0;
      in_style_ = name == "style";
      if (unseen) return {};
      hidden_by_ = look.ways;
      may_show_ = may_show;
      may_be_menu_ = !is_one_of(kPages, name);
      concealed_menu_ = {};
      if (link_from_ != 0) concealed_menu_.links = 1;
    } else if (name == "rt" || name == "ruby" || name == "sup" || look.raised) {
      begin_region(name == "rt" ? "rt" : name == "ruby" ? "ruby" : "sup");
    } else if (look.navigation || is_one_of(kMenus, name)) {
      begin_menu(name);
    }
    return look.direction;
  }

  /// Scripts unfold any block but a menu, let it fade in or give its letters a size: one that is not shown
  /// yet is hidden from nobody. Within a paragraph nothing waits for a script, and no script changes colours.
  [[nodiscard]] bool may_be_shown(std::string_view name, const Look& look, bool stands_alone) const {
    const bool coloured =
        (look.ways & kFolded) == 0 && (look.ways & set_of(Hiding::colour)) != 0 && !look.fades;
    const bool is_custom = name.find('-') != std::string_view::npos;  // scripts define such elements
    return !coloured && (stands_alone || link_from_ != 0 || is_block(name) || is_custom);
  }

  void begin_menu(std::string_view name) {
    if (with_menus_) return;
    if (is_block(name)) border();
    begin_region("");
  }

  /// Inside an element that is too small to be read, one of its own size is seen.
  void show_again(const xmlChar** attributes) {
    if (!look_of(open_, attributes, *sheet_, may_be_on_ground(), steps_).size) return;
    shown_again_.push_back({depth_, unseen_from_});
    end_unseen();
  }

  void hide_again() {
    unseen_from_ = shown_again_.back().unseen_from;
    hidden_by_ = set_of(Hiding::size);
    concealed_menu_ = {};
    shown_again_.pop_back();
  }

  void begin_region(std::string_view kind) {
    if (regions_.empty()) layout_.guard(layout_.mark().size);
    regions_.push_back({kind, depth_, layout_.mark(), facts_.mark(), {}});
    if (link_from_ == depth_) regions_.back().menu.links = 1;
  }

  void end_unseen() {
    const bool folded = may_be_menu_ && (hidden_by_ & kFolded) != 0 && concealed_menu_.is_one();
    std::string concealed = std::move(std::exchange(concealed_, {})).take();
    if (hidden_by_ != 0 && !concealed.empty() && !folded)
      hidden_.add({std::move(concealed), hidden_by_, layout_.mark().size, may_show_});
    if (in_style_) add_to(sheet_, std::exchange(style_, {}));
    // Letters that only have another colour take their room: what they part is parted.
    if (hidden_by_ == set_of(Hiding::colour)) layout_.flow(" ");
    in_title_ = in_style_ = false;
    unseen_from_ = hidden_by_ = 0;
  }

  void end_region() {
    const bool left_out = is_left_out(regions_, layout_.text());
    const Region region = regions_.back();
    regions_.pop_back();
    if (left_out) {
      if (region.kind.empty()) left_out_ += layout_.mark().size - region.mark.size;
      layout_.back_to(region.mark);
      facts_.back_to(region.facts);
      for (Region& around : regions_) {
        around.menu.letters -= region.menu.letters;
        around.menu.linked -= region.menu.linked;
        around.menu.links -= region.menu.links;
      }
    }
    if (regions_.empty()) layout_.guard(0);
  }

  const AddSheet& add_sheet_;
  const bool with_menus_, with_script_text_;
  TextLayout layout_;
  ConcealedTexts hidden_;
  TextLayout concealed_;  ///< the text of the hidden element
  Menu concealed_menu_;
  std::string title_, style_, language_, added_, frames_;
  SharedSheet sheet_ = empty_sheet();
  std::size_t steps_ = std::size_t{4} << 20U;  ///< that matching rules may take yet
  std::vector<OpenElement> open_;
  InterleavedText looks_;
  DirectionMarks directions_;
  DirectionMarks::Said direction_;  ///< of the element that begins
  FactCollector facts_;
  std::vector<std::size_t> grounds_;  ///< depths of the open elements that set one
  std::vector<Region> regions_;       ///< the open ones
  std::vector<ShownAgain> shown_again_;
  HidingSet hidden_by_ = 0;            ///< of the unseen element
  std::size_t depth_ = 0, ended_ = 0;  ///< elements
  std::size_t unseen_from_ = 0;        ///< depth of the unseen element; 0: everything is seen
  std::size_t never_shown_from_ = 0;   ///< the same of a script or the like in a hidden element
  std::size_t link_from_ = 0;          ///< depth of the outermost open link or control; 0: none
  std::size_t preformatted_ = 0, quotations_ = 0, drawings_ = 0, drawn_texts_ = 0;  ///< open elements
  std::size_t left_out_ = 0;                                                        ///< bytes of menus
  std::optional<std::size_t> script_text_from_;  ///< bytes of text before the first
  bool in_title_ = false, in_style_ = false, links_sheet_ = false, has_scripts_ = false, too_deep_ = false,
       may_be_menu_ = false,  ///< the hidden element
      may_show_ = false;      ///< the hidden element: a script may show it
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

/// Errors as read_html.
Result<void> parse(const std::string& text, const std::string& name, PageReader& reader) {
  const std::unique_ptr<xmlParserCtxt, FreeParser> parser(
      htmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size())));
  if (parser == nullptr) return Error{Errc::internal, name, "the HTML parser could not be created", ""};
  htmlCtxtUseOptions(parser.get(), HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                       HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
  xmlSwitchEncoding(parser.get(), XML_CHAR_ENCODING_UTF8);
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
    return Error{Errc::file_damaged, name, "the HTML parser gave up before its end",
                 "convert it to text by another program"};
  }
  return {};
}

/// What frames show is seen beside the text.
Page with_frames(Page page, std::string frames, const std::string& name) {
  if (frames.empty()) return page;
  limit_attributes(frames);
  const AddSheet none;
  PageReader reader(none, false, false);
  if (parse(frames, name, reader).has_value()) page.added += " " + std::move(reader).page().text;
  return page;
}

}  // namespace

Result<Page> read_html(std::string_view bytes, const std::string& name, std::string_view undeclared,
                       const AddSheet& add_sheet) {
  static std::once_flag initialised;
  std::call_once(initialised, xmlInitParser);
  AKIN_TRY(std::string text, to_utf8(bytes, name, undeclared));
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Error{Errc::too_large, name, "is longer than 2 GiB", "split it"};
  }
  std::ranges::replace(text, '\0', ' ');  // the parser would take it for the end
  if (text.empty()) return Page();
  limit_attributes(text);
  PageReader reader(add_sheet, false, false);
  AKIN_CHECK(parse(text, name, reader));
  const bool menus = reader.is_mostly_menus(), script_text = reader.is_mostly_script_text();
  std::string frames = reader.take_frames();
  Page page = std::move(reader).page();
  if (!menus && !script_text) return with_frames(std::move(page), std::move(frames), name);
  PageReader more(add_sheet, menus, script_text);
  AKIN_CHECK(parse(text, name, more));
  ScriptText shown = std::move(page.script_text);
  page = std::move(more).page();
  if (script_text) {
    shown.at = page.script_text.at;
    shown.is_read = true;
    page.script_text = std::move(shown);
  }
  return with_frames(std::move(page), std::move(frames), name);
}

}  // namespace akin::extract
