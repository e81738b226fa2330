// What the lists of a DOCX put in front of their paragraphs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "extract/child/office/docx_look.h"
#include "extract/child/xml.h"

namespace akin::extract {

struct DocxLabel {
  std::string text;  ///< without numbers; empty unless it is more than a mark (text_of_label)
  LetterLook look;
};

/// Reads numbering.xml.
class DocxNumbering : public XmlHandler {
 public:
  explicit DocxNumbering(const DocxTheme& theme) : theme_(theme) {}
  void start(std::string_view name, const XmlAttributes& attributes) override;
  void end(std::string_view name) override;
  void text(std::string_view) override {}

  /// Of a level ("0" …) of a list (numId). Null without one.
  [[nodiscard]] const DocxLabel* label(std::string_view list, std::string_view level) const;

 private:
  /// By the definition or the list, and the level.
  using Labels = std::map<std::pair<std::string, std::string>, DocxLabel, std::less<>>;
  [[nodiscard]] static const DocxLabel* find(const Labels& labels, std::string_view of,
                                             std::string_view level);

  const DocxTheme& theme_;
  std::string definition_, list_, level_;  ///< the open ones
  Labels defined_, overridden_;
  std::map<std::string, std::string, std::less<>> definitions_;  ///< list → definition
  std::map<std::string, std::string, std::less<>> of_style_;     ///< style of lists → definition
  std::map<std::string, std::string, std::less<>> styles_;       ///< definition → the style that defines it
};

}  // namespace akin::extract
