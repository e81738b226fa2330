// The texts of a page's hidden elements, until its end says whether something may still show them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/html/html.h"

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

  /// Sets what `page` hides; its text is complete. What scripts may show is part of that if it is long beside
  /// the text: people may read it, and nothing of it is compared.
  void give(Page& page, bool has_scripts) const {
    std::size_t may_show = 0;
    for (const ConcealedText& one : texts_) may_show += one.may_show ? one.text.size() : 0;
    const bool is_little = 2 * may_show <= page.text.size();
    for (const ConcealedText& one : texts_) {
      if (has_scripts && one.may_show && is_little) continue;
      if (page.ways == 0) {
        const std::string_view before = std::string_view(page.text).substr(0, one.at);
        page.hidden_at = static_cast<std::uint32_t>(count_code_points(before));
      } else {
        page.hidden += ' ';
      }
      page.hidden += one.text;
      page.ways |= one.ways;
    }
  }

 private:
  std::vector<ConcealedText> texts_;
};

}  // namespace akin::extract
