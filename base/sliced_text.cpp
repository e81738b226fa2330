#include "base/sliced_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace akin {

namespace {
constexpr std::size_t kStep = 4096;
}  // namespace

SlicedText::SlicedText(std::string_view utf8) : utf8_(utf8), marks_{0} {
  for (std::size_t at = 0; at + kStep < utf8.size(); at += kStep)
    marks_.push_back(marks_.back() + count_code_points(utf8.substr(at, kStep)));
}

std::string_view SlicedText::slice(TextRange range) const {
  const auto mark = std::upper_bound(marks_.begin(), marks_.end(), range.begin) - 1;
  auto begin = static_cast<std::size_t>(mark - marks_.begin()) * kStep;
  while (begin < utf8_.size() && (static_cast<unsigned char>(utf8_[begin]) & 0xC0U) == 0x80U) ++begin;
  return slice_code_points(utf8_.substr(begin), range.begin - *mark, range.end - *mark);
}

}  // namespace akin
