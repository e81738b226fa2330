// The words that wikitext's reader knows: elements, and the name spaces whose links are no text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace akin::ingest {

/// What becomes of an element in wikitext.
enum class WikiElement {
  inline_text,  ///< its tags vanish, its text stays
  block,        ///< the same, and it is a paragraph
  line_break,   ///< br
  verbatim,     ///< nowiki, pre: no markup within
  dropped,      ///< vanishes with what is in it
};

/// Those that MediaWiki knows, by their lower-case names; nothing for what it shows as it is written.
[[nodiscard]] std::optional<WikiElement> find_wiki_element(std::string_view lower_name);

/// A tag of an element that MediaWiki knows.
struct WikiTag {
  std::string name;  ///< lower-case
  WikiElement element = WikiElement::inline_text;
  bool empty = false;     ///< nothing is in the element, or the tag ends it
  std::size_t bytes = 0;  ///< of the tag
};

/// The tag that `text` begins with, up to its ">"; none where another "<" comes first.
[[nodiscard]] std::optional<WikiTag> read_wiki_tag(std::string_view text);

/// Where an end tag stands: [begin, end).
struct WikiEndTag {
  std::size_t begin = 0, end = 0;
};

/// The first end tag of an element from `from` on.
[[nodiscard]] std::optional<WikiEndTag> find_wiki_end_tag(std::string_view page, std::size_t from,
                                                          std::string_view name);

/// Whether a link to `target` ("Файл:x.jpg", "Category:Y", "de:Z") shows no text: to a file, a category or
/// the page in another language, by MediaWiki's English and its Russian, Ukrainian, German, French, Spanish,
/// Polish, Italian names. A target that begins with a colon shows text.
[[nodiscard]] bool is_silent_link(std::string_view target);

}  // namespace akin::ingest
