// The styles of an RTF, and whether a paragraph is set off as a quotation is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "extract/child/office/quotation_styles.h"

namespace akin::extract {

/// The styles of paragraphs, by number.
class RtfStyles {
 public:
  /// A word of the group "stylesheet".
  void read(std::string_view word, std::optional<std::int32_t> number) {
    if (word == "s") style_ = number.value_or(0);
    if (word == "sbasedon" && number != style_) bases_[style_] = number.value_or(0);
  }
  /// Text of that group: names, each with a semicolon at its end.
  void name(std::string_view utf8) {
    name_ += utf8;
    if (!name_.ends_with(';')) return;
    name_.pop_back();
    if (is_quotation_style(name_)) quotes_.insert(style_);
    name_.clear();
    style_ = -1;
  }
  /// Whether a style, or one that it is based on, is for quotations.
  [[nodiscard]] bool is_for_quotations(std::int32_t style) const {
    constexpr int kMostBases = 32;  // a chain may be a circle
    for (int i = 0; i < kMostBases; ++i) {
      if (quotes_.contains(style)) return true;
      const auto base = bases_.find(style);
      if (base == bases_.end()) return false;
      style = base->second;
    }
    return false;
  }

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

  void read(std::string_view word, std::optional<std::int32_t> number) {
    if (word == "pard") *this = {};
    if (word == "s") style = number.value_or(0);
    if (word == "li") left = number.value_or(0);
    if (word == "fi") first = number.value_or(0);
    if (word == "ls" || word == "pnlvlbody" || word == "pnlvlblt") listed = true;
  }
  /// All lines begin half a centimetre to the right, or more, or the style says so; not in a list.
  [[nodiscard]] bool is_set_off(const RtfStyles& styles) const {
    constexpr std::int32_t kLeast = 283;
    return !listed && first >= 0 && (left >= kLeast || styles.is_for_quotations(style));
  }
};

}  // namespace akin::extract
