// HTML pages → the text that a reader sees. Parsed by libxml2's HTML parser, by events, without a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "extract/document.h"
#include "extract/text_encoding.h"

namespace akin::extract {

inline constexpr std::size_t kMaxPageTitle = std::size_t{4} << 10U;  ///< bytes

/// A page's text, and its title (empty if it has none; white space collapsed, cut to whole characters within
/// kMaxPageTitle).
struct Page {
  std::string title;
  std::string language;  ///< the attribute lang of html, as written; empty if it has none
  std::string text;
  std::string hidden;           ///< text of elements that an attribute or a style hides, as one line
  std::uint32_t hidden_at = 0;  ///< code points of `text` before the first of it
  HidingSet ways = 0;           ///< what hides it
};

/// The maximum nesting of elements; browsers stop at 512. Of an element's attributes, those beyond
/// kMostAttributes (html_attributes.h) are not looked at.
inline constexpr std::size_t kMostNestedElements = 4096;

/// Reads a page of any encoding (html_charset.h; `undeclared`: of a page that declares none). Its text is the
/// visible text: without script, style, noscript, template, title, embedded objects and controls (svg, math,
/// iframe, object, canvas, audio, video, select, button, textarea), nav, aside and footer, role navigation,
/// and hidden elements: by the attribute hidden, or by a style of their own or of the page's <style>
/// (Declarations::hiding; selectors of one tag, class or id). The colour of letters counts if the page has no
/// style sheet in another file. Elements that the HTML standard renders as blocks, as well as table cells and
/// list items, are paragraphs; br is a line break; white space is collapsed except in pre. `name` is the
/// page's name in errors. Errors: invalid_utf8 and unsupported (of the encoding); too_large (elements nested
/// deeper than kMostNestedElements; more than 2^31 - 1 bytes); corrupt (the parser gave up before the end;
/// never seen).
[[nodiscard]] Result<Page> read_html(std::string_view bytes, const std::string& name,
                                     std::string_view undeclared = kUtf8Name);

}  // namespace akin::extract
