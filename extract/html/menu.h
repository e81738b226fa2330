// Elements of a page that may be left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "extract/html/page_facts.h"
#include "extract/text_layout.h"

namespace akin::extract {

/// The letters of an element, and those of them that are in links or controls.
struct Menu {
  std::size_t letters = 0, linked = 0, links = 0;

  /// Half of a menu's letters or more are in links, and of few letters each.
  [[nodiscard]] bool is_one() const noexcept {
    constexpr std::size_t kLongest = 40;
    return letters > 0 && 2 * linked >= letters && linked <= kLongest * links;
  }
};

/// Code points other than white space.
[[nodiscard]] inline std::size_t count_letters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return !is_markup_space(c) && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// An open element that may be left out: a menu, how a word is read (rt), or the mark of a note (sup).
struct Region {
  std::string_view kind;  ///< "", "ruby", "rt", "sup"
  std::size_t depth = 0;
  TextLayout::Mark mark;  ///< of the text before it
  FactCollector::Mark facts;
  Menu menu;
};

/// Whether the last of these regions, with which the text ends, is left out.
[[nodiscard]] inline bool is_left_out(const std::vector<Region>& open, std::string_view text) {
  const Region& region = open.back();
  const std::string_view before = text.substr(0, region.mark.size), in_it = text.substr(before.size());
  const bool in_ruby = open.size() > 1 && open[open.size() - 2].kind == "ruby";
  if (region.kind == "ruby") return false;
  if (region.kind == "rt")
    return in_ruby && is_reading(before.substr(open[open.size() - 2].mark.size), in_it);
  if (region.kind == "sup") return is_note_mark(before, in_it);
  return region.menu.is_one();
}

/// An open element that is seen inside one that is not.
struct ShownAgain {
  std::size_t depth = 0;
  std::size_t unseen_from = 0;  ///< depth of the other one
};

}  // namespace akin::extract
