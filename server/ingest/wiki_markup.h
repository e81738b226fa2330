// MediaWiki's markup → the text that a reader sees. A reader of its own: what is thrown away is known by its
// marks alone, no template is expanded.
#pragma once

#include <string>
#include <string_view>

namespace akin::ingest {

/// The text of a page written in wikitext. Thrown away: templates {{…}} however nested, comments, what
/// stands in ref, math, gallery, syntaxhighlight and other extension elements (wiki_elements.h), links to
/// files, categories and other languages, the marks of links, tables, lists, headings, bold and italic,
/// magic words, HTML tags. Kept: labels of links, cells of tables, what nowiki and pre protect; entities are
/// decoded. Headings, list items, cells and blocks are paragraphs; so are what blank lines part.
///
/// Markup that is not closed loses its marks and keeps its text, but a comment goes on to the end, as in
/// MediaWiki. Every character is looked at a bounded number of times, however deep markup is nested.
/// Requires well-formed UTF-8; gives well-formed UTF-8.
[[nodiscard]] std::string read_wiki_markup(std::string_view utf8);

}  // namespace akin::ingest
