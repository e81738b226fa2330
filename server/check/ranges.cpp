#include "server/check/ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace akin::check {

void join_ranges(std::vector<TextRange>& ranges) {
  std::ranges::sort(ranges, {}, &TextRange::begin);
  std::size_t kept = 0;
  for (const TextRange& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

std::vector<TextRange> covered_twice(const std::vector<TextRange>& ranges) {
  std::vector<std::pair<std::uint32_t, int>> borders;
  for (const TextRange& range : ranges) {
    borders.emplace_back(range.begin, 1);
    borders.emplace_back(range.end, -1);
  }
  std::ranges::sort(borders);
  std::vector<TextRange> twice;
  int depth = 0;
  for (const auto& [place, change] : borders) {
    if (change > 0 && depth == 1) twice.push_back({place, place});
    if (change < 0 && depth == 2) twice.back().end = place;
    depth += change;
  }
  join_ranges(twice);
  return twice;
}

void append_without(TextRange range, const std::vector<TextRange>& without, std::vector<TextRange>& to) {
  for (const TextRange& gap : without) {
    if (gap.begin > range.begin) to.push_back({range.begin, gap.begin});
    range.begin = gap.end;
  }
  if (range.begin < range.end) to.push_back(range);
}

}  // namespace akin::check
