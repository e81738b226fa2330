// The texts of a page's hidden elements, until its end says whether something may still show them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/html/html.h"
#include "extract/text_layout.h"

namespace akin::extract {

struct ConcealedText {
  std::string text;
  HidingSet ways = 0;
  std::size_t at = 0;     ///< bytes of the page's text before it
  bool may_show = false;  ///< by a script
};

class ConcealedTexts {
 public:
  void add(ConcealedText one) { texts_.push_back(std::move(one)); }

  /// Bytes of what a script may show.
  [[nodiscard]] std::size_t may_show() const {
    std::size_t bytes = 0;
    for (const ConcealedText& one : texts_) bytes += one.may_show ? one.text.size() : 0;
    return bytes;
  }

  /// Sets what `page` hides, and what its scripts may show; its text is complete.
  void give(Page& page, bool has_scripts) const {
    const auto place_of = [&](const ConcealedText& one) {
      return static_cast<std::uint32_t>(count_code_points(std::string_view(page.text).substr(0, one.at)));
    };
    for (const ConcealedText& one : texts_) {
      if (has_scripts && one.may_show) {
        if (page.script_text.characters == 0) {
          page.script_text.sample = whole_characters(one.text, kSampleBytes);
          page.script_text.at = place_of(one);
        }
        page.script_text.characters += static_cast<std::uint32_t>(count_code_points(one.text));
        continue;
      }
      if (page.ways == 0)
        page.hidden_at = place_of(one);
      else
        page.hidden += ' ';
      page.hidden += one.text;
      page.ways |= one.ways;
    }
  }

 private:
  std::vector<ConcealedText> texts_;
};

}  // namespace akin::extract
