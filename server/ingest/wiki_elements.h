// The names that the wikitext reader knows: elements, and the name spaces whose links show no text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace akin::ingest {

/// How an element of wikitext is treated.
enum class WikiElement {
  inline_text,  ///< its tags are removed, its text stays
  block,        ///< the same, and it is a paragraph
  line_break,   ///< br
  verbatim,     ///< nowiki, pre: no markup within
  dropped,      ///< removed with its content
};

/// MediaWiki's elements, by their lower-case names; nothing for a name that MediaWiki shows literally.
[[nodiscard]] std::optional<WikiElement> find_wiki_element(std::string_view lower_name);

/// A tag of an element that MediaWiki knows.
struct WikiTag {
  std::string name;  ///< lower-case
  WikiElement element = WikiElement::inline_text;
  bool empty = false;     ///< the element has no content, or the tag ends it
  std::size_t bytes = 0;  ///< of the tag
};

/// The tag that `text` begins with, up to its ">"; none if another "<" comes first.
[[nodiscard]] std::optional<WikiTag> read_wiki_tag(std::string_view text);

/// The range of an end tag: [begin, end).
struct WikiEndTag {
  std::size_t begin = 0, end = 0;
};

/// The first end tag of an element at or after `from`.
[[nodiscard]] std::optional<WikiEndTag> find_wiki_end_tag(std::string_view page, std::size_t from,
                                                          std::string_view name);

/// Whether a link to `target` ("Файл:x.jpg", "Category:Y", "de:Z") shows no text: to a file, a category or
/// the page in another language, by MediaWiki's English and its Russian, Ukrainian, German, French, Spanish,
/// Polish, Italian names. A target that begins with a colon shows text.
[[nodiscard]] bool is_silent_link(std::string_view target);

}  // namespace akin::ingest
