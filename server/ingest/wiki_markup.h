// MediaWiki's markup → the text that a reader sees. A reader of its own: markup is removed by its marks
// alone, and templates are not expanded.
#pragma once

#include <string>
#include <string_view>

namespace akin::ingest {

/// The text of a page written in wikitext. Removed: templates {{…}} however nested, comments, the content of
/// ref, math, gallery, syntaxhighlight and other extension elements (wiki_elements.h), links to files,
/// categories and other languages, the marks of links, tables, lists, headings, bold and italic, magic words,
/// HTML tags. Kept: labels of links, cells of tables, the content of nowiki and pre; entities are decoded.
/// Headings, list items, cells and blocks are paragraphs, as are parts between blank lines.
/// Unclosed markup loses its marks and keeps its text, but a comment extends to the end, as in MediaWiki.
/// Every character is read a bounded number of times, however deeply markup is nested. Requires well-formed
/// UTF-8; gives well-formed UTF-8.
[[nodiscard]] std::string read_wiki_markup(std::string_view utf8);

}  // namespace akin::ingest
