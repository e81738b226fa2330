#include "server/ingest/wiki_elements.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/utf8.h"

namespace akin::ingest {

namespace {

using Entry = std::pair<std::string_view, WikiElement>;
using enum WikiElement;

// MediaWiki's Sanitizer::getRecognizedTagData, and the extensions that Wikipedia's projects use.
constexpr std::array kElements = {Entry{"abbr", inline_text},
                                  Entry{"b", inline_text},
                                  Entry{"bdi", inline_text},
                                  Entry{"bdo", inline_text},
                                  Entry{"big", inline_text},
                                  Entry{"blockquote", block},
                                  Entry{"br", line_break},
                                  Entry{"caption", block},
                                  Entry{"categorytree", dropped},
                                  Entry{"ce", dropped},
                                  Entry{"center", block},
                                  Entry{"charinsert", dropped},
                                  Entry{"chem", dropped},
                                  Entry{"cite", inline_text},
                                  Entry{"code", inline_text},
                                  Entry{"data", inline_text},
                                  Entry{"dd", block},
                                  Entry{"del", inline_text},
                                  Entry{"dfn", inline_text},
                                  Entry{"div", block},
                                  Entry{"dl", block},
                                  Entry{"dt", block},
                                  Entry{"em", inline_text},
                                  Entry{"font", inline_text},
                                  Entry{"gallery", dropped},
                                  Entry{"graph", dropped},
                                  Entry{"h1", block},
                                  Entry{"h2", block},
                                  Entry{"h3", block},
                                  Entry{"h4", block},
                                  Entry{"h5", block},
                                  Entry{"h6", block},
                                  Entry{"hiero", dropped},
                                  Entry{"hr", block},
                                  Entry{"i", inline_text},
                                  Entry{"imagemap", dropped},
                                  Entry{"includeonly", dropped},
                                  Entry{"indicator", dropped},
                                  Entry{"inputbox", dropped},
                                  Entry{"ins", inline_text},
                                  Entry{"kbd", inline_text},
                                  Entry{"li", block},
                                  Entry{"mapframe", dropped},
                                  Entry{"maplink", dropped},
                                  Entry{"mark", inline_text},
                                  Entry{"math", dropped},
                                  Entry{"noinclude", inline_text},
                                  Entry{"nowiki", verbatim},
                                  Entry{"ol", block},
                                  Entry{"onlyinclude", inline_text},
                                  Entry{"p", block},
                                  Entry{"poem", block},
                                  Entry{"pre", verbatim},
                                  Entry{"q", inline_text},
                                  Entry{"rb", inline_text},
                                  Entry{"ref", dropped},
                                  Entry{"references", dropped},
                                  Entry{"rp", inline_text},
                                  Entry{"rt", inline_text},
                                  Entry{"rtc", inline_text},
                                  Entry{"ruby", inline_text},
                                  Entry{"s", inline_text},
                                  Entry{"samp", inline_text},
                                  Entry{"score", dropped},
                                  Entry{"section", inline_text},
                                  Entry{"small", inline_text},
                                  Entry{"source", dropped},
                                  Entry{"span", inline_text},
                                  Entry{"strike", inline_text},
                                  Entry{"strong", inline_text},
                                  Entry{"sub", inline_text},
                                  Entry{"sup", inline_text},
                                  Entry{"syntaxhighlight", dropped},
                                  Entry{"table", block},
                                  Entry{"tbody", block},
                                  Entry{"td", block},
                                  Entry{"templatedata", dropped},
                                  Entry{"templatestyles", dropped},
                                  Entry{"th", block},
                                  Entry{"time", inline_text},
                                  Entry{"timeline", dropped},
                                  Entry{"tr", block},
                                  Entry{"tt", inline_text},
                                  Entry{"u", inline_text},
                                  Entry{"ul", block},
                                  Entry{"var", inline_text},
                                  Entry{"wbr", inline_text}};
static_assert(std::ranges::is_sorted(kElements, {}, &Entry::first));

constexpr std::array<std::string_view, 25> kSilentNames = {
    "category",   "categoria", "catégorie", "categoría", "file",      "fichier",   "archivo",
    "datei",      "image",     "bild",      "immagine",  "imagen",    "kategoria", "kategorie",
    "media",      "plik",      "grafika",   "категория", "категорія", "файл",      "изображение",
    "зображення", "к",         "медиа",     "медіа"};

/// Of elements: "syntaxhighlight" has 15 letters.
constexpr std::size_t kLongestName = 16;

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool is_name_letter(char c, bool first) noexcept {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (!first && c >= '0' && c <= '9');
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

/// The prefixes of Wikipedias have two or three letters, or these.
bool is_language(std::string_view prefix) {
  constexpr std::array<std::string_view, 8> kLonger = {"simple", "be-tarask", "be-x-old", "zh-min-nan",
                                                       "zh-yue", "roa-rup",   "nds-nl",   "zh-classical"};
  if (std::ranges::find(kLonger, prefix) != kLonger.end()) return true;
  return (prefix.size() == 2 || prefix.size() == 3) &&
         std::ranges::all_of(prefix, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<WikiElement> find_wiki_element(std::string_view lower_name) {
  const auto found = std::ranges::lower_bound(kElements, lower_name, {}, &Entry::first);
  if (found == kElements.end() || found->first != lower_name) return std::nullopt;
  return found->second;
}

std::optional<WikiTag> read_wiki_tag(std::string_view text) {
  const bool closing = text.substr(1).starts_with('/');
  std::size_t at = closing ? 2 : 1;
  WikiTag tag;
  while (at < text.size() && tag.name.size() < kLongestName && is_name_letter(text[at], tag.name.empty()))
    tag.name += lower(text[at++]);
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
    if (!std::ranges::equal(rest.substr(0, name.size()), name, {}, lower)) continue;
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
