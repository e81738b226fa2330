#include "server/ingest/wiki_elements.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::ingest {

namespace {

using WikiEntry = std::pair<std::string_view, WikiElement>;
using enum WikiElement;

// From MediaWiki's Sanitizer::getRecognizedTagData, and the extensions used by Wikipedia's projects.
constexpr std::array kElements = {WikiEntry{"abbr", inline_text},
                                  WikiEntry{"b", inline_text},
                                  WikiEntry{"bdi", inline_text},
                                  WikiEntry{"bdo", inline_text},
                                  WikiEntry{"big", inline_text},
                                  WikiEntry{"blockquote", block},
                                  WikiEntry{"br", line_break},
                                  WikiEntry{"caption", block},
                                  WikiEntry{"categorytree", dropped},
                                  WikiEntry{"ce", dropped},
                                  WikiEntry{"center", block},
                                  WikiEntry{"charinsert", dropped},
                                  WikiEntry{"chem", dropped},
                                  WikiEntry{"cite", inline_text},
                                  WikiEntry{"code", inline_text},
                                  WikiEntry{"data", inline_text},
                                  WikiEntry{"dd", block},
                                  WikiEntry{"del", inline_text},
                                  WikiEntry{"dfn", inline_text},
                                  WikiEntry{"div", block},
                                  WikiEntry{"dl", block},
                                  WikiEntry{"dt", block},
                                  WikiEntry{"em", inline_text},
                                  WikiEntry{"font", inline_text},
                                  WikiEntry{"gallery", dropped},
                                  WikiEntry{"graph", dropped},
                                  WikiEntry{"h1", block},
                                  WikiEntry{"h2", block},
                                  WikiEntry{"h3", block},
                                  WikiEntry{"h4", block},
                                  WikiEntry{"h5", block},
                                  WikiEntry{"h6", block},
                                  WikiEntry{"hiero", dropped},
                                  WikiEntry{"hr", block},
                                  WikiEntry{"i", inline_text},
                                  WikiEntry{"imagemap", dropped},
                                  WikiEntry{"includeonly", dropped},
                                  WikiEntry{"indicator", dropped},
                                  WikiEntry{"inputbox", dropped},
                                  WikiEntry{"ins", inline_text},
                                  WikiEntry{"kbd", inline_text},
                                  WikiEntry{"li", block},
                                  WikiEntry{"mapframe", dropped},
                                  WikiEntry{"maplink", dropped},
                                  WikiEntry{"mark", inline_text},
                                  WikiEntry{"math", dropped},
                                  WikiEntry{"noinclude", inline_text},
                                  WikiEntry{"nowiki", verbatim},
                                  WikiEntry{"ol", block},
                                  WikiEntry{"onlyinclude", inline_text},
                                  WikiEntry{"p", block},
                                  WikiEntry{"poem", block},
                                  WikiEntry{"pre", verbatim},
                                  WikiEntry{"q", inline_text},
                                  WikiEntry{"rb", inline_text},
                                  WikiEntry{"ref", dropped},
                                  WikiEntry{"references", dropped},
                                  WikiEntry{"rp", inline_text},
                                  WikiEntry{"rt", inline_text},
                                  WikiEntry{"rtc", inline_text},
                                  WikiEntry{"ruby", inline_text},
                                  WikiEntry{"s", inline_text},
                                  WikiEntry{"samp", inline_text},
                                  WikiEntry{"score", dropped},
                                  WikiEntry{"section", inline_text},
                                  WikiEntry{"small", inline_text},
                                  WikiEntry{"source", dropped},
                                  WikiEntry{"span", inline_text},
                                  WikiEntry{"strike", inline_text},
                                  WikiEntry{"strong", inline_text},
                                  WikiEntry{"sub", inline_text},
                                  WikiEntry{"sup", inline_text},
                                  WikiEntry{"syntaxhighlight", dropped},
                                  WikiEntry{"table", block},
                                  WikiEntry{"tbody", block},
                                  WikiEntry{"td", block},
                                  WikiEntry{"templatedata", dropped},
                                  WikiEntry{"templatestyles", dropped},
                                  WikiEntry{"th", block},
                                  WikiEntry{"time", inline_text},
                                  WikiEntry{"timeline", dropped},
                                  WikiEntry{"tr", block},
                                  WikiEntry{"tt", inline_text},
                                  WikiEntry{"u", inline_text},
                                  WikiEntry{"ul", block},
                                  WikiEntry{"var", inline_text},
                                  WikiEntry{"wbr", inline_text}};
static_assert(std::ranges::is_sorted(kElements, {}, &WikiEntry::first));

constexpr std::array<std::string_view, 25> kSilentNames = {
    "category",   "categoria", "catégorie", "categoría", "file",      "fichier",   "archivo",
    "datei",      "image",     "bild",      "immagine",  "imagen",    "kategoria", "kategorie",
    "media",      "plik",      "grafika",   "категория", "категорія", "файл",      "изображение",
    "зображення", "к",         "медиа",     "медіа"};

/// For elements: "syntaxhighlight" has 15 letters.
constexpr std::size_t kLongestName = 16;

bool is_name_letter(char c, bool first) noexcept {
  return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (!first && c >= '0' && c <= '9');
}

std::string folded(std::string_view utf8) {
  std::string lower;
  for (std::size_t at = 0; at < utf8.size();) {
    char32_t c = next_code_point(utf8, at);
    const bool latin = (c >= U'A' && c <= U'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
    const bool cyrillic = c >= U'А' && c <= U'Я';
    if (latin || cyrillic) c += 0x20;
    if (c == U'І') c = U'і';
    append_utf8(lower, c == U'_' ? U' ' : c);
  }
  while (lower.ends_with(' ')) lower.pop_back();
  return lower;
}

/// Whether it is the prefix of a Wikipedia: two or three letters, or one of these.
bool is_language(std::string_view prefix) {
  constexpr std::array<std::string_view, 8> kLonger = {"simple", "be-tarask", "be-x-old", "zh-min-nan",
                                                       "zh-yue", "roa-rup",   "nds-nl",   "zh-classical"};
  if (std::ranges::find(kLonger, prefix) != kLonger.end()) return true;
  return (prefix.size() == 2 || prefix.size() == 3) &&
         std::ranges::all_of(prefix, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<WikiElement> find_wiki_element(std::string_view lower_name) {
  const auto found = std::ranges::lower_bound(kElements, lower_name, {}, &WikiEntry::first);
  if (found == kElements.end() || found->first != lower_name) return std::nullopt;
  return found->second;
}

std::optional<WikiTag> read_wiki_tag(std::string_view text) {
  const bool closing = text.substr(1).starts_with('/');
  std::size_t at = closing ? 2 : 1;
  WikiTag tag;
  while (at < text.size() && tag.name.size() < kLongestName && is_name_letter(text[at], tag.name.empty()))
    tag.name += ascii_lower(text[at++]);
  const auto element = find_wiki_element(tag.name);
  if (!element) return std::nullopt;
  at = text.find_first_of("<>", at);
  if (at == std::string_view::npos || text[at] != '>') return std::nullopt;
  tag.element = *element;
  tag.empty = closing || text[at - 1] == '/';
  tag.bytes = at + 1;
  return tag;
}

std::optional<WikiEndTag> find_wiki_end_tag(std::string_view page, std::size_t from, std::string_view name) {
  for (std::size_t begin = page.find("</", from); begin != std::string_view::npos;
       begin = page.find("</", begin + 2)) {
    const std::string_view rest = page.substr(begin + 2);
    if (!std::ranges::equal(rest.substr(0, name.size()), name, {}, [](char c) { return ascii_lower(c); }))
      continue;
    if (rest.size() > name.size() && is_name_letter(rest[name.size()], false)) continue;
    const std::size_t end = page.find('>', begin);
    if (end == std::string_view::npos) return std::nullopt;
    return WikiEndTag{begin, end + 1};
  }
  return std::nullopt;
}

bool is_silent_link(std::string_view target) {
  while (target.starts_with(' ')) target.remove_prefix(1);
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 40) return false;
  const std::string_view prefix = target.substr(0, colon);
  return is_language(prefix) || std::ranges::find(kSilentNames, folded(prefix)) != kSilentNames.end();
}

}  // namespace akin::ingest
