// The styles and lists of an ODT.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "extract/child/office/letter_look.h"
#include "extract/child/xml.h"

namespace akin::extract {

/// Styles by family and name: one name may mean a style of paragraphs and one of letters.
class OdtStyles {
 public:
  void start(std::string_view name, const XmlAttributes& attributes);

  [[nodiscard]] LetterLook look(std::string_view family, std::string_view name) const;
  [[nodiscard]] const std::string& page() const noexcept { return page_; }
  /// What the list of this style writes in front of a paragraph of this level, and how it looks.
  [[nodiscard]] std::pair<std::string, LetterLook> label(const std::string& list, std::size_t level) const;
  /// That of a style of paragraphs; empty without one.
  [[nodiscard]] std::string list_of(std::string_view paragraph) const;
  static constexpr const char* kOutline = "/outline";  ///< the list of all headings

 private:
  struct Style {
    std::string parent;  ///< its key; that of a style without a parent is the family's default
    LetterLook look;
    std::string list;
  };

  /// The label of a level is written around its number ("%1%").
  void start_level(const XmlAttributes& attributes);

  std::string key_, list_;  ///< of the style being read
  std::string page_;
  std::map<std::string, Style, std::less<>> styles_;
  std::map<std::string, std::string, std::less<>> labels_;  ///< by the name of the list's style and the level
};

}  // namespace akin::extract
