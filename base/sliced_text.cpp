#include "base/sliced_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace akin {

namespace {
constexpr std::size_t kStep = 4096;
}  // namespace

SlicedText::SlicedText(std::string_view utf8) : utf8_(utf8) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    if ((static_cast<unsigned char>(utf8[at]) & 0xC0U) == 0x80U) continue;
    if (letters % kStep == 0) marks_.push_back(at);
    ++letters;
  }
  if (marks_.empty()) marks_.push_back(0);
}

std::string_view SlicedText::slice(TextRange range) const {
  const std::size_t mark = std::min<std::size_t>(range.begin / kStep, marks_.size() - 1);
  const std::size_t skipped = mark * kStep;
  return slice_code_points(utf8_.substr(marks_[mark]), range.begin - skipped, range.end - skipped);
}

}  // namespace akin
