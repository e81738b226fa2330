// How letters of a DOCX look: by their own properties, and by the styles that these are based on.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "extract/child/office/letter_look.h"
#include "extract/child/xml.h"

namespace akin::extract {

/// Reads the colours of a theme.
class DocxTheme : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& attributes) override;
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  /// What an element's themeColor is, with its tint or shade: "#rrggbb"; empty if the theme does not say.
  [[nodiscard]] std::string colour(const XmlAttributes& attributes) const;

 private:
  std::string now_;
  std::map<std::string, std::string, std::less<>> colours_;
};

/// Takes what a property of a run or a paragraph says.
void take_property(LetterLook& look, std::string_view name, const XmlAttributes& attributes,
                   const DocxTheme& theme);

/// What a run says of its letters as shapes: how they are filled, and whether a line is drawn around them.
class LettersAsShapes {
 public:
  /// Whether the element is one of these properties, or within one.
  [[nodiscard]] bool take(LetterLook& look, std::string_view name, const XmlAttributes& attributes);
  void end(std::string_view name);

 private:
  bool filling_ = false, outlining_ = false, outlined_ = false;
};

/// Whether an element of OOXML that switches something on does so: without a value it does.
[[nodiscard]] bool is_on(const XmlAttributes& attributes);

/// The ground of a "shd"; empty without one.
[[nodiscard]] std::string docx_ground(const XmlAttributes& attributes);

/// The list (numId) and the level of a paragraph, each empty if nothing is said of it.
struct DocxListPlace {
  std::string list, level;

  /// Takes what an element of a "numPr" says.
  void take(std::string_view name, const XmlAttributes& attributes);
};

/// Reads styles.xml, whose colours may be those of a theme that was read before.
class DocxStyles : public XmlHandler {
 public:
  explicit DocxStyles(const DocxTheme& theme) : theme_(theme) {}
  [[nodiscard]] const DocxTheme& theme() const noexcept { return theme_; }

  void start(std::string_view name, const XmlAttributes& attributes) override;
  void end(std::string_view name) override;
  void text(std::string_view) override {}

  /// Of a paragraph in this style, or in the style of paragraphs without one.
  [[nodiscard]] LetterLook paragraph(std::string_view style) const;
  /// What a style of characters says.
  [[nodiscard]] LetterLook characters(std::string_view style) const { return resolved(style); }
  /// The list and the level that a style of paragraphs belongs to; empty without one.
  [[nodiscard]] DocxListPlace list_place(std::string_view style) const;
  [[nodiscard]] bool is_heading(std::string_view style) const { return headings_.contains(style); }
  /// Whether a style of tables shades some of the cells.
  [[nodiscard]] bool shades_cells(std::string_view style) const;

 private:
  struct Style {
    std::string base;
    LetterLook look;
    bool shades = false;
    DocxListPlace list;
  };
  /// Calls visit for a style and those that it is based on, itself first.
  template <class Visit>
  void for_each_base(std::string_view style, const Visit& visit) const;
  [[nodiscard]] LetterLook resolved(std::string_view style) const;

  const DocxTheme& theme_;
  std::string id_, default_paragraph_;  ///< id_: of the style being read
  std::map<std::string, Style, std::less<>> styles_;
  std::set<std::string, std::less<>> headings_;
  bool in_defaults_ = false;
  std::size_t conditions_ = 0;  ///< open elements for some cells of a table
  LetterLook defaults_;
};

}  // namespace akin::extract
