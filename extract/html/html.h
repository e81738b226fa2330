// HTML pages → the text that a reader sees. Parsed by libxml2's HTML parser, by events, without a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "extract/document.h"
#include "extract/formats/text_encoding.h"
#include "extract/html/page_facts.h"

namespace akin::extract {

class StyleSheet;

inline constexpr std::size_t kMaxPageTitle = std::size_t{4} << 10U;  ///< bytes

/// Text that scripts may show.
struct ScriptText {
  std::uint32_t characters = 0;  ///< code points
  std::uint32_t at = 0;          ///< code points of the page's text before the first of it
  bool is_read = false;          ///< part of the page's text
  std::string sample;            ///< its beginning, up to kSampleBytes
};

/// A page's text, and its title (empty if it has none; white space collapsed, cut to whole characters within
/// kMaxPageTitle).
struct Page {
  std::string title;
  std::string language;  ///< the attribute lang of html, as written; empty if it has none
  std::string text;
  std::string hidden;           ///< text of elements that an attribute or a style hides, as one line
  std::uint32_t hidden_at = 0;  ///< code points of `text` before the first of it
  HidingSet ways = 0;           ///< what hides it
  ScriptText script_text = {};
  std::uint32_t interleaved = 0;   ///< code points of words whose look alternates (InterleavedText)
  std::string interleaved_sample;  ///< their beginning, up to kSampleBytes
  std::string added;  ///< text that the page's own style sheets add (`content`), which is not in `text`
  PageFacts facts = {};
};

/// The maximum nesting of elements; browsers stop at 512. Of an element's attributes, those beyond
/// kMostAttributes (html_attributes.h) are not looked at.
inline constexpr std::size_t kMostNestedElements = 4096;

/// Adds the style sheet at an address that a page links; false if there is none.
using AddSheet = std::function<bool(std::shared_ptr<StyleSheet>& to, std::string_view address)>;

/// Reads a page of any encoding (html_charset.h; `undeclared`: of a page that declares none). Its text is the
/// visible text, with that of controls, drawings (svg) and formulas. Not visible are script, style, noscript,
/// template (without shadowrootmode), title, iframe, canvas, audio, video, descriptions of drawings, and
/// hidden elements: a dialog that is not open, one with the attribute hidden, or with a style of its own or
/// of the page's style sheets (Declarations::hiding; selectors of tags, classes and ids). The colour of
/// letters counts if the page has no style sheet in another file that `add_sheet` does not find.
///
/// Left out are menus: nav, aside, footer, select, button and role navigation, where half of the letters or
/// more are in links or controls, of 40 letters each on average at most. If menus have more than half as much
/// text as the rest, they are read. A hidden menu, which a script unfolds, is not part of Page::hidden. In a
/// page with scripts, no hidden block, custom element or link is, nor text that begins its paragraph, unless
/// its own colour hides it: these are Page::script_text. They are read if they have more bytes than the rest.
///
/// Elements that the HTML standard renders as blocks, as well as table cells and list items, are paragraphs;
/// br is a line break; white space is collapsed except in pre. `name` is the page's name in errors. Errors:
/// invalid_utf8 and unsupported (of the encoding); too_large (elements nested deeper than
/// kMostNestedElements; more than 2^31 - 1 bytes); file_damaged (the parser gave up before the end; never
/// seen).
[[nodiscard]] Result<Page> read_html(std::string_view bytes, const std::string& name,
                                     std::string_view undeclared = kUtf8Name, const AddSheet& add_sheet = {});

}  // namespace akin::extract
