// The elements of HTML by what a reader sees of them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace akin::extract {

using Names = std::span<const std::string_view>;

/// Sorted, for a binary search. The first are what no page shows; the second what is a menu if it has little
/// else than short links (Menu).
inline constexpr std::array<std::string_view, 16> kUnseen = {
    "annotation", "annotation-xml", "audio", "canvas", "datalist", "desc",     "iframe", "metadata",
    "noframes",   "noscript",       "rp",    "script", "style",    "template", "title",  "video"};
inline constexpr std::array<std::string_view, 5> kMenus = {"aside", "button", "footer", "nav", "select"};
/// What holds the page, or its subject.
inline constexpr std::array<std::string_view, 4> kPages = {"article", "body", "html", "main"};
/// What a menu consists of.
inline constexpr std::array<std::string_view, 6> kLinks = {"a",     "button", "input",
                                                           "label", "option", "summary"};
inline constexpr std::array<std::string_view, 51> kBlocks = {
    "address", "article", "aside",   "blockquote", "body",   "caption", "center",    "dd",
    "details", "dialog",  "dir",     "div",        "dl",     "dt",      "fieldset",  "figcaption",
    "figure",  "footer",  "form",    "frameset",   "h1",     "h2",      "h3",        "h4",
    "h5",      "h6",      "header",  "hr",         "legend", "li",      "listing",   "main",
    "menu",    "nav",     "ol",      "optgroup",   "option", "p",       "plaintext", "pre",
    "search",  "section", "summary", "table",      "tbody",  "td",      "textarea",  "tfoot",
    "th",      "thead",   "tr"};
inline constexpr std::array<std::string_view, 4> kPreformatted = {"listing", "plaintext", "pre", "xmp"};
static_assert(std::ranges::is_sorted(kUnseen) && std::ranges::is_sorted(kBlocks));
static_assert(std::ranges::is_sorted(kMenus) && std::ranges::is_sorted(kLinks));

/// Requires sorted names.
[[nodiscard]] inline bool is_one_of(Names names, std::string_view name) {
  return std::ranges::binary_search(names, name);
}

}  // namespace akin::extract
