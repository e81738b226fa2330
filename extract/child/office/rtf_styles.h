// The styles of an RTF, and whether a paragraph is set off as a quotation is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "extract/document.h"

namespace akin::extract {

/// The styles of paragraphs, by number.
class RtfStyles {
 public:
  /// A word of the group "stylesheet".
  void read(std::string_view word, std::optional<std::int32_t> number);
  /// Text of that group: names, each with a semicolon at its end.
  void name(std::string_view utf8);
  /// Whether a style, or one that it is based on, is for quotations.
  [[nodiscard]] bool is_for_quotations(std::int32_t style) const;

 private:
  std::string name_;
  std::int32_t style_ = -1;  ///< whose name is read
  std::set<std::int32_t> quotes_;
  std::map<std::int32_t, std::int32_t> bases_;
};

/// What the properties of a paragraph say of where its lines begin.
struct RtfIndent {
  std::int32_t style = -1, left = 0, first = 0;
  bool listed = false;
  bool low = false, framed_outside = false;  ///< lines of no height; a frame far left of or above the page

  void read(std::string_view word, std::optional<std::int32_t> number);
  /// All lines begin half a centimetre to the right, or more, or the style says so; not in a list.
  [[nodiscard]] bool is_set_off(const RtfStyles& styles) const;
  /// What hides all of the paragraph.
  [[nodiscard]] HidingSet hiding() const;
};

}  // namespace akin::extract
