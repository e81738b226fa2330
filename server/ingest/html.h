// HTML pages → the text that a reader sees. Parsed by libxml2's HTML parser, by events, without a tree.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::ingest {

/// A page's text, and its title (empty if it has none; white space collapsed, cut to whole characters within
/// kMaxTitleBytes).
struct Page {
  std::string title;
  std::string text;
};

/// Elements may be nested so deep; browsers stop at 512.
inline constexpr std::size_t kMostNestedElements = 4096;

/// Reads a page of any encoding (html_charset.h). Its text is what elements show: none of script, style,
/// noscript, template, title, of embedded things and controls (svg, math, iframe, object, canvas, audio,
/// video, select, button, textarea), of nav, aside and footer, nor of elements that are hidden (attribute
/// hidden, style display:none, role navigation). Elements that the HTML standard renders as blocks, table
/// cells and list items too, are paragraphs; br is a line break; white space is collapsed but in pre. `name`
/// is what errors call the page. Errors: invalid_utf8 and unsupported (of the encoding); too_large (elements
/// nested deeper than kMostNestedElements; more than 2^31 - 1 bytes); corrupt (the parser gave up before the
/// end; never seen).
[[nodiscard]] Result<Page> read_html(std::string_view bytes, const std::string& name);

}  // namespace akin::ingest
