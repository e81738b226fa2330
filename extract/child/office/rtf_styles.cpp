#include "extract/child/office/rtf_styles.h"

#include <cstdlib>

#include "extract/child/office/quotation_styles.h"

namespace akin::extract {

void RtfStyles::read(std::string_view word, std::optional<std::int32_t> number) {
  if (word == "s") style_ = number.value_or(0);
  if (word == "sbasedon" && number != style_) bases_[style_] = number.value_or(0);
}

void RtfStyles::name(std::string_view utf8) {
  name_ += utf8;
  if (!name_.ends_with(';')) return;
  name_.pop_back();
  if (is_quotation_style(name_)) quotes_.insert(style_);
  name_.clear();
  style_ = -1;
}

bool RtfStyles::is_for_quotations(std::int32_t style) const {
  constexpr int kMostBases = 32;  // a chain may be a circle
  for (int i = 0; i < kMostBases; ++i) {
    if (quotes_.contains(style)) return true;
    const auto base = bases_.find(style);
    if (base == bases_.end()) return false;
    style = base->second;
  }
  return false;
}

void RtfIndent::read(std::string_view word, std::optional<std::int32_t> number) {
  if (word == "pard") *this = {};
  if (word == "s") style = number.value_or(0);
  if (word == "li") left = number.value_or(0);
  if (word == "fi") first = number.value_or(0);
  constexpr std::int32_t kLow = 40, kFarOff = 5000;  // twentieths of a point
  const std::int32_t value = number.value_or(0);
  if (word == "sl") low = value < 0 && value >= -kLow;  // a negative height is exact
  if (word == "posx" || word == "posy") framed_outside = framed_outside || value <= -kFarOff;
  if (word == "posnegx" || word == "posnegy") framed_outside = framed_outside || std::abs(value) >= kFarOff;
  if (word == "ls" || word == "pnlvlbody" || word == "pnlvlblt") listed = true;
}

bool RtfIndent::is_set_off(const RtfStyles& styles) const {
  constexpr std::int32_t kLeast = 283;
  return !listed && first >= 0 && (left >= kLeast || styles.is_for_quotations(style));
}

HidingSet RtfIndent::hiding() const {
  constexpr std::int32_t kFarLeft = -15000;
  HidingSet ways = low ? set_of(Hiding::size) : HidingSet{0};
  if (framed_outside || left <= kFarLeft) ways |= set_of(Hiding::outside);
  return ways;
}

}  // namespace akin::extract
